/** Answers a question over the segments of an index: what is found, how many, in which order, and what it has. */
import { type FacetName, type Facets, facetGroups, openFacets } from './count-facets.ts'
import { filterOf, groupsOf, pricesAt, type SearchFilter } from './filter-documents.ts'
import { type Matches, type MatchLimits, matches, openMatcher, type SettledWord, settleWords } from './match-query.ts'
import type { OpenSegment } from './open-segment.ts'
import { orderDocuments } from './order-documents.ts'
import type { ReadQuery } from './read-query.ts'
import { type ColumnGroup, noScore } from './segment-columns.ts'
import { openTally, type Tally } from './tally.ts'
import { openTop, type Place, type TopRow } from './top-rows.ts'

export const sorts = ['relevance', 'price_asc', 'price_desc', 'newest', 'score'] as const
export type SearchSort = (typeof sorts)[number]

export interface Question {
  readonly query: ReadQuery
  readonly filter: SearchFilter
  readonly sort: SearchSort
  readonly facets: readonly FacetName[]
  readonly limit: number
  readonly after: Place | null
  /** When it is asked: sales hold or not. */
  readonly atMs: number
}

export interface Answer {
  /** One more than asked for where more follow. */
  readonly rows: readonly TopRow[]
  readonly total: number
  readonly facets: Facets
  /** Products that facets are counted over. */
  readonly facetsOver: number
  readonly words: readonly SettledWord[]
  /** How many of the words a product must have had; null: all. */
  readonly relaxed: { readonly least: number; readonly of: number } | null
}

/** Groups of columns that the question needs. */
export const columnsFor = ({ filter, sort, facets }: Pick<Question, 'filter' | 'sort' | 'facets'>): ColumnGroup[] => [
  ...new Set<ColumnGroup>([
    'base',
    ...groupsOf(filter),
    ...facetGroups(facets),
    ...(sort === 'relevance' ? (['popularity'] as const) : []),
    ...(sort === 'price_asc' || sort === 'price_desc' || sort === 'newest' ? (['offer'] as const) : []),
  ]),
]

/** Products that are looked at closely, and those that facets are counted over. */
const [rankedInAll, countedInAll] = [10_000, 10_000]

export type Searcher = (segments: readonly OpenSegment[], question: Question) => Answer

/**
 * Questions are answered one after another with the same arrays: some of them for each word of the longest one.
 * @param ranked products that are ranked by how well they fit, of all segments together
 */
export function openSearcher(ranked = rankedInAll): Searcher {
  const matcher = openMatcher()
  const found = matches()
  const tally = openTally()
  return (segments, question) => {
    const { query, limit, after } = question
    const live = segments.reduce((sum, segment) => sum + liveOf(segment), 0)
    const words = settleWords(segments, query, live)
    const top = openTop(limit + 1, after)
    const mostRanked = Math.max(limit + 1, Math.ceil(ranked / Math.max(1, segments.length)))
    const rows = rankedFor(question)
    const counted: Counted[] = []
    const run = (least: number | null) => {
      let [matched, total] = [0, 0]
      segments.forEach((segment, i) => {
        const { offer } = segment.columns
        const prices = offer ? pricesAt(offer, question.atMs) : null
        const keep = filterOf(segment, question.filter, prices)
        matcher.match(segment, query, words, { least, keep, mostRanked, ranked: rows }, found)
        matched += found.matched
        total += found.total
        take(segment, i, question, found, prices, top, counted)
      })
      return { matched, total }
    }
    const answer = (total: number, relaxed: Answer['relaxed']): Answer => ({
      ...{ rows: top.rows(), total, words, relaxed },
      ...countFacets(question.facets, counted, total, tally),
    })
    const strict = run(null)
    if (strict.matched > 0 || words.length === 0) return answer(strict.total, null)
    const of = words.filter(({ word }) => !word.optional).length
    const known = words.some(({ found, word }) => found > 0 && !word.optional) ? 1 : 0
    // Of two words that are never together a product has one.
    const most =
      of <= 2 ? known : segments.reduce((best, segment) => Math.max(best, matcher.mostWords(segment, words)), 0)
    if (most === 0) return answer(0, null)
    const least = most > 2 ? most - 1 : most
    return answer(run(least).total, { least, of })
  }
}

/** Of one segment, what is found there. */
interface Counted {
  readonly segment: OpenSegment
  readonly documents: Uint16Array
  readonly prices: Float64Array | null
}

/** Where more is found than is counted, of each segment those with the best scores. */
function countFacets(names: readonly FacetName[], found: readonly Counted[], total: number, tally: Tally) {
  const facets = openFacets(names, tally)
  let over = 0
  for (const { segment, documents, prices } of found) {
    const n = total <= countedInAll ? documents.length : Math.ceil((documents.length / total) * countedInAll)
    facets.count(segment, documents, Math.min(n, documents.length), prices)
    over += Math.min(n, documents.length)
  }
  return { facets: facets.result(), facetsOver: over }
}

function liveOf({ documents, gone }: OpenSegment): number {
  if (gone === null) return documents
  let n = 0
  for (let i = 0; i < documents; i++) if (gone[i] !== 1) n++
  return n
}

/** A first page by relevance needs none of those that are not looked at closely, as each of these comes before them. */
const rankedFor = ({ sort, facets, after }: Question): MatchLimits['ranked'] =>
  sort !== 'relevance' ? 'none' : facets.length > 0 || after !== null ? 'all' : 'top'

function take(
  segment: OpenSegment,
  place: number,
  { sort, facets }: Question,
  { documents, ranks, n }: Matches,
  prices: Float64Array | null,
  top: ReturnType<typeof openTop>,
  counted: Counted[],
): void {
  if (n === 0) return
  const { ids } = segment.columns.base
  for (let i = 0; i < n; i++) {
    const document = documents[i] as number
    top.add(rankBy(sort, segment, document, ranks[i] as number, prices), place, document, ids)
  }
  if (facets.length === 0) return
  const own = documents.slice(0, n)
  orderDocuments(own)
  counted.push({ segment, documents: own, prices })
}

/** What has no price or no score comes last in either direction. */
function rankBy(
  sort: SearchSort,
  { columns }: OpenSegment,
  document: number,
  relevance: number,
  prices: Float64Array | null,
): number {
  if (sort === 'relevance') return relevance
  if (sort === 'newest') return columns.offer?.created[document] ?? 0
  if (sort === 'score') {
    const score = columns.base.scores[document] as number
    return score === noScore ? -1 : score
  }
  const price = prices?.[document] ?? Number.NaN
  if (Number.isNaN(price)) return -Number.MAX_SAFE_INTEGER
  return sort === 'price_asc' ? -price : price
}
