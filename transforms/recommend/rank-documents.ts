/** The documents of an index that come first by what is known of each alone: how popular they are, how that rises, or how good their score is. */
import { filterOf, noFilter, type SearchFilter } from '../search/filter-documents.ts'
import type { OpenSegment } from '../search/open-segment.ts'
import { availabilityOf, mostDocuments, noScore } from '../search/segment-columns.ts'
import { openTop, type Place, type TopRow } from '../search/top-rows.ts'

export type RankedBy = 'trending' | 'popular' | 'best'

/** Above whatever else decides: what can be had comes before what cannot. */
export const buyableRank = 2 ** 40
export const isBuyable = (state: number): boolean => availabilityOf(state) !== 'out_of_stock'

const documents = new Uint16Array(mostDocuments)

/** What nobody has met is neither popular nor trending; what has no score is not among the best. @param after where they go on from */
export function rankDocuments(
  segments: readonly OpenSegment[],
  by: RankedBy,
  filter: Pick<SearchFilter, 'categories'>,
  most: number,
  after: Place | null = null,
): TopRow[] {
  const top = openTop(most, after)
  segments.forEach((segment, i) => {
    const { base, popularity } = segment.columns
    const n = liveDocuments(segment, filter, documents)
    const known = by === 'trending' ? popularity?.trends : popularity?.points
    for (let at = 0; at < n; at++) {
      const document = documents[at] as number
      const score = base.scores[document] as number
      const value = by === 'best' ? (score === noScore ? 0 : score + 1) : (known?.[document] ?? 0)
      if (value === 0) continue
      const rank = value * 256 + (score === noScore ? 0 : score)
      top.add((isBuyable(base.states[document] as number) ? buyableRank : 0) + rank, i, document, base.ids)
    }
  })
  return top.rows()
}

/** Those of the version that pass. @returns how many stand in `into` */
export function liveDocuments(
  segment: OpenSegment,
  filter: Pick<SearchFilter, 'categories'>,
  into: Uint16Array,
): number {
  let n = 0
  for (let document = 0; document < segment.documents; document++)
    if (segment.gone?.[document] !== 1) into[n++] = document
  const keep = filterOf(segment, { ...noFilter, ...filter }, null)
  return keep ? keep(into, n) : n
}
