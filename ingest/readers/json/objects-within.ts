/** Takes a list that stands where a product should for the products in it, and in the lists in it. */
import { itemsOf, type Span, skipSpace } from '../json-members.ts'
import { countLines } from './line-count.ts'
import type { Cut } from './walk.ts'

/** @returns the cut itself where it is no list of objects alone: whoever reads it says what is wrong */
export function objectsWithin(cut: Cut): readonly Cut[] {
  const { text, line, fault } = cut
  if (fault !== undefined || text[0] !== '[' || !isJson(text)) return [cut]
  const objects = objectsIn(text, 0)
  if (objects === null) return [cut]
  const lines = countLines()
  lines.next(text)
  return objects.map(({ start, end }) => {
    lines.pass(start)
    return { line: line + lines.line - 1, text: text.slice(start, end) }
  })
}

/** The objects of a list and of the lists in it; null where anything else stands there. */
export function objectsIn(text: string, open: number): Span[] | null {
  const items = itemsOf(text, skipSpace(text, open))
  if (items === null) return null
  const found: Span[] = []
  for (const item of items) {
    const below = text[item.start] === '[' ? objectsIn(text, item.start) : text[item.start] === '{' ? [item] : null
    if (below === null) return null
    for (const one of below) found.push(one)
  }
  return found
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
