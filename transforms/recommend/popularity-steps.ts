/** How popular a product is, as the search index keeps it: in steps, each a thousandth of a doubling, so that 16 bits hold any number of events. */
import { packColumns } from '../search/pack-columns.ts'

const stepsOfDoubling = 1_000

export const popularitySteps = (value: number): number =>
  value > 0 ? Math.min(65_535, Math.max(1, Math.round(stepsOfDoubling * Math.log2(1 + value)))) : 0

export interface PopularDocument {
  readonly document: number
  readonly points: number
  readonly trend: number
}

/** The column of a segment. @param documents that the segment has; those that are not among `popular` are at 0 */
export function popularityColumn(documents: number, popular: readonly PopularDocument[]): Uint8Array {
  const [points, trends] = [new Uint16Array(documents), new Uint16Array(documents)]
  for (const { document, points: n, trend } of popular) {
    points[document] = popularitySteps(n)
    trends[document] = popularitySteps(trend)
  }
  return packColumns([points, trends])
}
