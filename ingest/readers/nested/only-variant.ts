/** Beside products with variants, one without is its own only variant: where its own columns say what a variant's do. */
import { foldName } from '../../../transforms/silver/fold-name.ts'
import { identifying } from './identifying.ts'

/**
 * @param key before the names of a variant's columns, with a dot between
 * @returns by column, the place of the product's own that says the same
 */
export function onlyVariant(columns: ReadonlyMap<string, number>, key: string): ReadonlyMap<number, number> {
  const prefix = `${key}.`
  const folded = new Map<string, number>()
  for (const [name, place] of columns) {
    const short = foldName(name)
    if (!name.startsWith(prefix) && !folded.has(short)) folded.set(short, place)
  }
  const found = new Map<number, number>()
  for (const [name, place] of columns) {
    if (!name.startsWith(prefix)) continue
    const from = ownPlace(columns, folded, name.slice(prefix.length))
    if (from !== undefined) found.set(place, from)
  }
  return found
}

function ownPlace(
  columns: ReadonlyMap<string, number>,
  folded: ReadonlyMap<string, number>,
  name: string,
): number | undefined {
  const exact = columns.get(name)
  if (exact !== undefined) return exact
  const short = foldName(name)
  const others = [...identifying].flatMap(([own, same]) => (same === short ? [own] : []))
  return [short, ...others].map((one) => folded.get(one)).find((place) => place !== undefined)
}

/**
 * What names a product names it as a variant, though no other has such a column.
 * @param own columns of products without variants
 * @returns the columns that variants lack for it
 */
export function lackingColumns(columns: ReadonlyMap<string, number>, own: Iterable<string>, key: string): string[] {
  const prefix = `${key}.`
  const known = new Set<string>()
  for (const name of columns.keys()) if (name.startsWith(prefix)) known.add(foldName(name.slice(prefix.length)))
  const same = new Set([...own].flatMap((name) => identifying.get(foldName(name)) ?? []))
  return [...same].filter((name) => !known.has(name)).map((name) => prefix + name)
}
