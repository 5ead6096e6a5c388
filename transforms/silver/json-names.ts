/** Reads the names in a cell of JSON: of texts themselves, and of objects such as `{"id":1,"name":"Mugs"}` what they call themselves. */
import { quote } from './quote.ts'
import type { Finding } from './reading.ts'

/** The first of these that an object has, in whatever case, is its name. */
const naming = ['name', 'title', 'label', 'value'] as const

interface Names {
  readonly names: readonly string[]
  /** Whether all of it was text. */
  readonly plain: boolean
  /** What has no name that anybody could read, in short. */
  readonly unread: readonly string[]
}

/** @returns null for what is no JSON list or object */
export function jsonNames(raw: string): Names | null {
  const value = parsed(raw.trim())
  if (typeof value !== 'object' || value === null) return null
  const names: string[] = []
  const unread: string[] = []
  const items: readonly unknown[] = Array.isArray(value) ? value : [value]
  for (const item of items) {
    const name = typeof item === 'string' ? item : nameOf(item)
    if (name !== null) names.push(name)
    else if (item !== null) unread.push(inShort(item))
  }
  return { names, plain: items.every((item) => typeof item === 'string'), unread }
}

function parsed(text: string): unknown {
  if (!/^[[{]/.test(text)) return null
  try {
    return JSON.parse(text)
  } catch {
    // It only looked like JSON.
    return null
  }
}

function nameOf(item: unknown): string | null {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return null
  const members = Object.entries(item)
  for (const wanted of naming) {
    const found = members.find(([key]) => key.toLowerCase() === wanted)?.[1]
    if (typeof found === 'string' && found.trim() !== '') return found
  }
  return null
}

const mostKeys = 4

/** Not as JSON: what is nested deeply cannot be written again. */
function inShort(item: unknown): string {
  if (Array.isArray(item)) return '[…]'
  if (typeof item !== 'object' || item === null) return String(item)
  const keys = Object.keys(item)
  return `{${keys.slice(0, mostKeys).join(', ')}${keys.length > mostKeys ? ', …' : ''}}`
}

/** @returns null where all was read */
export function unreadNames(unread: readonly string[], of: 'category' | 'tags'): Finding | null {
  const [first] = unread
  if (first === undefined) return null
  const more = unread.length > 1 ? ` and ${unread.length - 1} more` : ''
  const says = `${quote(first)}${more} has no name that could be read; write the names, or objects with "name"`
  return { code: of === 'tags' ? 'unreadable_tags' : 'unreadable_category', says, raw: unread.join(' ') }
}
