/** Which of a product's columns says that several rows are variants of it: the first that it has stands on each of them. */
import { foldName } from '../../../transforms/silver/fold-name.ts'

/** As names are folded; an attribute `@id` is an `id`. */
const familyKeys: readonly string[] = [
  'product id',
  'id',
  'item id',
  'guid',
  'handle',
  'sku',
  'code',
  'product code',
  'slug',
  'url',
  'link',
  'title',
  'name',
]

const ranks = new Map(familyKeys.map((name, rank) => [name, rank]))

/** Folding takes a microsecond or two, and products have the same columns over and over. */
const known = new Map<string, number | undefined>()
const mostKnown = 10_000
/** No key has such a name, and it would be held. */
const longestName = 64

function rankOf(column: string): number | undefined {
  if (column.length > longestName) return undefined
  const rank = known.get(column)
  if (rank !== undefined || known.has(column)) return rank
  // What is nested says nothing of the family.
  const found = column.includes('.') ? undefined : ranks.get(foldName(column))
  if (known.size >= mostKnown) known.clear()
  known.set(column, found)
  return found
}

/** @returns those of the columns that may be one, the best first */
export function keyColumns(columns: Iterable<string>): string[] {
  const found: (readonly [rank: number, column: string])[] = []
  for (const column of columns) {
    const rank = rankOf(column)
    if (rank !== undefined) found.push([rank, column])
  }
  return found.sort(([a], [b]) => a - b).map(([, column]) => column)
}
