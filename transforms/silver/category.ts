/** Reads categories: the shop's own path, and Google's. */
import type { CellValue } from '../../schemas/pipeline.ts'
import { jsonNames, unreadNames } from './json-names.ts'
import { isBlank, isSpreadsheetError } from './placeholders.ts'
import { quote } from './quote.ts'
import type { Finding } from './reading.ts'
import { readTitle } from './text.ts'

/** Roots that every product of a shop stands under, so that they tell nothing. */
const roots = new Set(['default category', 'root catalog', 'root'])

/** Platforms whose cell is a list of paths, with commas between. */
const listsPaths: ReadonlySet<string> = new Set(['woocommerce', 'magento'])

const arrow = /\s*(?:>+|»|›|→)\s*/
const marks: readonly RegExp[] = [arrow, /\s+\|+\s+|\|/, /\s*\/\s*/]

const levels = (path: string) => {
  const mark = marks.find((candidate) => candidate.test(path))
  return mark ? path.split(mark) : [path]
}

/** A comma inside a name is no comma between paths: those begin at the same root, or the platform writes lists. */
function pathsOf(text: string, platform: string): string[] {
  const parts = text.split(/(?<!\\),\s*/)
  if (parts.length === 1) return [text]
  if (listsPaths.has(platform)) return parts
  const root = levels(parts[0] ?? '')[0]
  const isPath = (part: string) => levels(part).length > 1
  if (!parts.some(isPath)) return [parts.join('>')]
  return parts.slice(1).some((part) => levels(part)[0] === root) ? parts : [text]
}

function unpacked(raw: string): string {
  const list = jsonNames(raw)
  if (list === null) return raw
  return list.names.find((text) => text.includes('>')) ?? list.names.join('>')
}

/** Assay's own records say a path as a JSON array, name by name: nothing in a name parts it. */
function ownPath(raw: string): readonly string[] | null {
  if (!raw.startsWith('[')) return null
  try {
    const list: unknown = JSON.parse(raw)
    if (!Array.isArray(list) || !list.every((item) => typeof item === 'string')) return null
    return list.flatMap((name) => readTitle(name) ?? [])
  } catch {
    return null
  }
}

/** The names from the root down; of several paths the deepest, and of those the first. */
export function readCategory(raw: string, platform = 'generic'): readonly string[] {
  const own = platform === 'assay' ? ownPath(raw) : null
  if (own !== null) return own
  const text = readTitle(unpacked(raw.trim()))
  if (text === null) return []
  let best: string[] = []
  for (const path of pathsOf(text, platform)) {
    const names = levels(path)
      .map((name) => name.replaceAll('\\,', ',').trim())
      .filter((name) => name !== '')
    if (names.length > 1 && roots.has(names[0]?.toLowerCase() ?? '')) names.shift()
    if (names.length > best.length) best = names
  }
  return best.length === 1 && roots.has(best[0]?.toLowerCase() ?? '') ? [] : best
}

/**
 * Of several cells each is a level, or goes on from the path before it. Where each is a path of its own, the first is the
 * category, and the others are told.
 */
export function readCategories(
  value: CellValue,
  platform = 'generic',
): { readonly value: readonly string[]; readonly findings: readonly Finding[] } {
  const unread: string[] = []
  const said = (typeof value === 'string' ? [value] : value).flatMap((cell) => namesIn(cell, unread))
  const missing = unreadNames(unread, 'category')
  const { value: path, findings } = ofSeveral(said, platform)
  return { value: path, findings: missing ? [...findings, missing] : findings }
}

/** Of a list of objects each is a cell of its own, and a comma in a name is none between paths; anything else is the cell that it is. */
function namesIn(cell: string, unread: string[]): readonly string[] {
  const list = jsonNames(cell)
  if (list === null || list.plain) return [cell]
  unread.push(...list.unread)
  return list.names.map((name) => name.replace(/(?<!\\),/g, '\\,'))
}

function ofSeveral(
  said: readonly string[],
  platform: string,
): { readonly value: readonly string[]; readonly findings: readonly Finding[] } {
  const cells = said.filter((cell) => !isBlank(cell) && !isSpreadsheetError(cell))
  const paths = cells.map((cell) => readCategory(cell, platform)).filter((path) => path.length > 0)
  const [first = [], ...others] = paths
  if (others.length === 0 || paths.some((path) => path.length === 1)) return { value: joined(paths), findings: [] }
  const shown = (path: readonly string[]) => path.join(' > ')
  const left = others.map(shown).filter((path) => path !== shown(first))
  if (left.length === 0) return { value: first, findings: [] }
  const raw = left.join(', ')
  const says = `${quote(raw)} stands beside ${quote(shown(first))}, and a product has one category: the first; put the one that counts there`
  return { value: first, findings: [{ code: 'several_categories', says, raw }] }
}

function joined(paths: readonly (readonly string[])[]): readonly string[] {
  let path: string[] = []
  for (const next of paths) {
    if (goesOn(path, next)) path = [...next]
    else for (const name of next) path.push(name)
  }
  return path
}

const goesOn = (path: readonly string[], next: readonly string[]) =>
  next.length > path.length && path.every((name, at) => name === next[at])
