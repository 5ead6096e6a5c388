/** Answers a question over the segments of an index: what is found, how many, in which order, and what it has. */
import { mostSteps, type SearchRule } from '../../schemas/search-rule.ts'
import { type FacetName, type Facets, facetGroups, openFacets } from './count-facets.ts'
import { filterOf, groupsOf, type Keep, keepAll, pricesAt, type SearchFilter } from './filter-documents.ts'
import {
  type Matches,
  type MatchLimits,
  matches,
  openMatcher,
  type RankScale,
  rankScale,
  type SettledWord,
  settleWords,
} from './match-query.ts'
import type { OpenSegment } from './open-segment.ts'
import { orderDocuments } from './order-documents.ts'
import { type PlacedRow, placePins, type Resume } from './place-pins.ts'
import type { ReadQuery } from './read-query.ts'
import { type ColumnGroup, noScore } from './segment-columns.ts'
import { openRules, type SegmentRules } from './segment-rules.ts'
import { openTally, type Tally } from './tally.ts'
import { openTop, type TopRow } from './top-rows.ts'

export const sorts = ['relevance', 'price_asc', 'price_desc', 'newest', 'score'] as const
export type SearchSort = (typeof sorts)[number]

export interface Question {
  readonly query: ReadQuery
  readonly filter: SearchFilter
  readonly sort: SearchSort
  readonly facets: readonly FacetName[]
  readonly limit: number
  readonly after: Resume | null
  /** When it is asked: sales hold or not. */
  readonly atMs: number
  /** The first counts most. */
  readonly rules: readonly SearchRule[]
}

export interface Answer {
  readonly rows: readonly TopRow[]
  readonly next: Resume | null
  readonly total: number
  readonly facets: Facets
  /** Products that facets are counted over. */
  readonly facetsOver: number
  readonly words: readonly SettledWord[]
  /** How many of the words a product must have had; null: all. */
  readonly relaxed: { readonly least: number; readonly of: number } | null
}

/** Groups of columns that the question needs. */
export const columnsFor = ({
  filter,
  sort,
  facets,
  rules,
}: Pick<Question, 'filter' | 'sort' | 'facets' | 'rules'>): ColumnGroup[] => [
  ...new Set<ColumnGroup>([
    'base',
    ...groupsOf(filter),
    ...facetGroups(facets),
    ...(openRules(rules, sort === 'relevance')?.columns ?? []),
    ...(sort === 'relevance' ? (['popularity'] as const) : []),
    ...(sort === 'price_asc' || sort === 'price_desc' || sort === 'newest' ? (['offer'] as const) : []),
  ]),
]

/** Products that are looked at closely, and those that facets are counted over. */
const [rankedInAll, countedInAll] = [5_000, 10_000]

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
    const { query, limit, after, sort, filter } = question
    const rules = openRules(question.rules, sort === 'relevance')
    const ofSegments = segments.map((segment) => rules?.ofSegment(segment) ?? null)
    const live = segments.reduce((sum, segment) => sum + liveOf(segment), 0)
    const words = settleWords(segments, query, live)
    const top = openTop(limit + 1, after?.place ?? null)
    const mostRanked = Math.max(limit + 1, Math.ceil(ranked / Math.max(1, segments.length)))
    const rows = rules?.moves && sort === 'relevance' ? 'all' : rankedFor(question)
    const counted: Counted[] = []
    const pinned: FoundPin[] = []
    const run = (least: number | null) => {
      counted.length = 0
      pinned.length = 0
      const scale = rankScale(words, least)
      let [matched, total] = [0, 0]
      segments.forEach((segment, i) => {
        const { offer } = segment.columns
        const prices = offer ? pricesAt(offer, question.atMs) : null
        const own = ofSegments[i] ?? null
        const passes = keepAll([filterOf(segment, filter, prices), own?.leaveOut ?? null])
        const keep = own?.leavePinned ? keepAll([passes, own.leavePinned]) : passes
        matcher.match(segment, query, words, { least, keep, mostRanked, ranked: rows }, found)
        const pins = own?.leavePinned ? pinsOf(own, passes) : none
        matched += found.matched
        total += found.total + pins.length
        take(segment, i, question, found, { prices, rules: own, scale, pins, top, counted, pinned })
      })
      return { matched, total }
    }
    const answer = (total: number, relaxed: Answer['relaxed']): Answer => {
      const { page, next } = placePins(top.rows(), inOrder(pinned), limit, after)
      return { rows: page, next, total, words, relaxed, ...countFacets(question.facets, counted, total, tally) }
    }
    const strict = run(null)
    if (strict.matched > 0 || words.length === 0) return answer(strict.total, null)
    const of = words.filter(({ word }) => !word.optional).length
    const known = words.some(({ found, word }) => found > 0 && !word.optional) ? 1 : 0
    // Of two words that are never together a product has one.
    const most =
      of <= 2 ? known : segments.reduce((best, segment) => Math.max(best, matcher.mostWords(segment, words)), 0)
    if (most === 0) return answer(strict.total, null)
    const least = most > 2 ? most - 1 : most
    return answer(run(least).total, { least, of })
  }
}

/** A product that has a place of its own, and is there. */
interface FoundPin extends PlacedRow {
  readonly nth: number
}

const inOrder = (pins: readonly FoundPin[]): FoundPin[] =>
  [...pins].sort((a, b) => a.position - b.position || a.nth - b.nth)

const none = new Uint16Array()

/** Whether or not they have the words. */
function pinsOf({ pinned }: SegmentRules, passes: Keep | null): Uint16Array {
  const documents = Uint16Array.from(pinned.keys())
  return documents.subarray(0, passes ? passes(documents, documents.length) : documents.length)
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

interface Taking {
  readonly prices: Float64Array | null
  readonly rules: SegmentRules | null
  readonly scale: RankScale
  /** Documents that have a place of their own. */
  readonly pins: Uint16Array
  readonly top: ReturnType<typeof openTop>
  readonly counted: Counted[]
  readonly pinned: FoundPin[]
}

function take(
  segment: OpenSegment,
  place: number,
  { sort, facets }: Question,
  { documents, ranks, n }: Matches,
  { prices, rules, scale, pins, top, counted, pinned }: Taking,
): void {
  const { ids } = segment.columns.base
  const steps = rules?.stepsOf?.(documents, n) ?? null
  for (let i = 0; i < n; i++) {
    const document = documents[i] as number
    const rank = rankBy(sort, segment, document, ranks[i] as number, prices)
    top.add(steps ? moved(rank, steps[i] as number, scale) : rank, place, document, ids)
  }
  for (const document of pins) {
    const pin = rules?.pinned.get(document)
    if (!pin) continue
    const { product: id, position, nth } = pin
    pinned.push({ row: { rank: 0, segment: place, id }, position, nth })
  }
  if (facets.length === 0 || n + pins.length === 0) return
  const own = new Uint16Array(n + pins.length)
  own.set(documents.subarray(0, n))
  own.set(pins, n)
  orderDocuments(own)
  counted.push({ segment, documents: own, prices })
}

/** Whoever typed an identifier whole means it, and not what is to come sooner. */
const moved = (rank: number, steps: number, { span, identifierFrom }: RankScale) =>
  rank + (span * steps) / mostSteps + (rank >= identifierFrom ? span : 0)

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
