/** Finds the documents that have the words of a query, all of them or as many as any has, and says how well each fits. */
import { type Keep, keepWhere } from './filter-documents.ts'
import type { OpenSegment } from './open-segment.ts'
import { orderDocuments } from './order-documents.ts'
import { fieldBits, noPlace } from './product-terms.ts'
import type { QueryWord, ReadQuery, Way } from './read-query.ts'
import { mostDocuments, noScore } from './segment-columns.ts'
import {
  countLive,
  documentBits,
  documentsOf,
  exactBit,
  fillBits,
  fillHits,
  hasBit,
  lookUpHits,
  sizeOf,
  type WordHits,
  wordHits,
} from './word-hits.ts'

/** A word with the ways that find something, and what it counts for. */
export interface SettledWord {
  readonly word: QueryWord
  readonly ways: readonly Way[]
  /** Documents of the version that have it, by the way that finds most. */
  readonly found: number
  /** The rarer the more; 1 in sum over all words. */
  readonly share: number
}

/** @param live documents of the version */
export function settleWords(segments: readonly OpenSegment[], { words }: ReadQuery, live: number): SettledWord[] {
  const settled = words.map((word) => {
    const first = word.ways.filter((way) => !way.otherwise)
    const usual = mostFound(segments, first)
    const ways = usual > 0 ? first : word.ways
    const found = usual > 0 ? usual : mostFound(segments, word.ways)
    const rarity = Math.log(1 + (live + 1) / (found + 0.5)) * (word.optional ? 0.2 : 1)
    return { word, ways, found, rarity }
  })
  const sum = settled.reduce((total, { rarity }) => total + rarity, 0)
  return settled.map(({ word, ways, found, rarity }) => ({ word, ways, found, share: sum === 0 ? 0 : rarity / sum }))
}

function mostFound(segments: readonly OpenSegment[], ways: readonly Way[]): number {
  let most = 0
  for (const way of ways) {
    const found = segments.reduce((sum, segment) => sum + countLive(segment, way), 0)
    if (found > most) most = found
  }
  return most
}

/** Documents of one segment, each with a rank: the greater the better. */
export interface Matches {
  readonly documents: Uint16Array
  readonly ranks: Float64Array
  n: number
  /** Documents that have the words, whether they pass the filter or not. */
  matched: number
  /** Those that pass; more than `n` where only those are given that may come first. */
  total: number
}

export interface MatchLimits {
  /** Words that a document must have; null: all. */
  readonly least: number | null
  readonly keep: Keep | null
  /** Documents that are looked at closely. */
  readonly mostRanked: number
  /** `none`: they are ordered by something else; `top`: where more are found than are looked at, the others are only counted. */
  readonly ranked: 'all' | 'top' | 'none'
}

export const matches = (): Matches => ({
  documents: new Uint16Array(mostDocuments),
  ranks: new Float64Array(mostDocuments),
  ...{ n: 0, matched: 0, total: 0 },
})

/** What of a rank each step is worth; below these stand the score, the availability and the popularity. */
const [fineSteps, scoreSteps, stateSteps, popularSteps] = [41, 128, 8, 65_536]
const belowFine = scoreSteps * stateSteps * popularSteps
const belowClass = fineSteps * belowFine
/** Classes: all words somewhere, all in the title, an identifier; of relaxed queries by the share of words that are found. */
const [anywhere, inTitle, identifier] = [1, 2, 3]
const relaxedClasses = 16

/** What ranks of a query lie between, and from where on one is an identifier's. */
export interface RankScale {
  readonly span: number
  readonly identifierFrom: number
}
const ofAll: RankScale = { span: belowFine, identifierFrom: Number.POSITIVE_INFINITY }
const ofWords: RankScale = { span: 2 * belowClass, identifierFrom: identifier * belowClass }
const ofSome: RankScale = {
  span: (relaxedClasses + 1) * belowClass,
  identifierFrom: (relaxedClasses + identifier) * belowClass,
}

/** @param least see `MatchLimits` */
export const rankScale = (words: readonly SettledWord[], least: number | null): RankScale =>
  words.length === 0 ? ofAll : least === null ? ofWords : ofSome

const weightOf = { words: 0.6, coverage: 0.25, together: 0.15 }

/** Its arrays are used for one query after another. */
export function openMatcher() {
  const hits: WordHits[] = []
  const whole = wordHits()
  const hitsOf = (i: number): WordHits => (hits[i] ??= wordHits())
  const candidates = new Uint16Array(mostDocuments)
  const close = new Uint16Array(mostDocuments)
  const [having, own, titled, ownTitled] = [documentBits(), documentBits(), documentBits(), documentBits()]
  const counts = new Uint8Array(mostDocuments)

  /** @returns how many documents stand in `candidates`, in order, all of which have every word that is required */
  function findAll(segment: OpenSegment, words: readonly SettledWord[]): number {
    const order = words
      .filter(({ word }) => !word.optional)
      .map(({ ways }) => ({ ways, size: sizeOf(segment, ways) }))
      .sort((a, b) => a.size - b.size)
    if (order.length === 0) return everyOne(segment)
    let n = -1
    for (const { ways, size } of order) {
      if (size === 0) return 0
      if (n < 0) {
        fillBits(segment, ways, having, titled)
        n = documentsOf(having, segment.gone, candidates)
      } else if (size <= 16 * n) {
        fillBits(segment, ways, own, ownTitled)
        for (let at = 0; at < having.length; at++) {
          having[at] = (having[at] as number) & (own[at] as number)
          titled[at] = (titled[at] as number) & (ownTitled[at] as number)
        }
        n = documentsOf(having, segment.gone, candidates)
      } else {
        lookUpHits(whole, segment, ways, candidates, n)
        n = keepWhere(candidates, n, (document) => {
          if (whole.stamps[document] !== whole.stamp) return false
          if (!((whole.bits[document] as number) & fieldBits.title)) clearBit(titled, document)
          return true
        })
      }
    }
    return n
  }

  function everyOne({ documents, gone }: OpenSegment): number {
    let n = 0
    for (let document = 0; document < documents; document++) if (gone?.[document] !== 1) candidates[n++] = document
    return n
  }

  /**
   * Beyond a bound only the documents that may come first are looked at closely: those with all words in the title, and then
   * those with the best scores, in whose order they stand. The others follow by their scores alone.
   */
  function rankAll(
    segment: OpenSegment,
    n: number,
    words: readonly SettledWord[],
    { mostRanked, ranked }: MatchLimits,
    into: Matches,
  ): void {
    const chosen = n <= mostRanked ? n : choose(n, mostRanked)
    if (chosen === n) close.set(candidates.subarray(0, n))
    words.forEach(({ ways }, i) => {
      lookUpHits(hitsOf(i), segment, ways, close, chosen)
    })
    into.n = ranked === 'top' ? chosen : n
    into.documents.set((ranked === 'top' ? close : candidates).subarray(0, into.n))
    for (let c = 0, k = 0; c < into.n; c++) {
      const document = into.documents[c] as number
      const isClose = k < chosen && document === close[k]
      if (isClose) k++
      into.ranks[c] = isClose ? rankOf(segment, document, words, false) : staticRank(segment, document)
    }
  }

  /** Of a relaxed query, whose hits are at hand, or of none. */
  function rankEach(segment: OpenSegment, words: readonly SettledWord[], into: Matches): void {
    for (let i = 0; i < into.n; i++) {
      const document = into.documents[i] as number
      into.ranks[i] = words.length === 0 ? staticRank(segment, document) : rankOf(segment, document, words, true)
    }
  }

  /** @returns how many stand in `close`, in order */
  function choose(n: number, most: number): number {
    let chosen = 0
    for (const wanted of [true, false])
      for (let c = 0; c < n && chosen < most; c++) {
        const document = candidates[c] as number
        if (hasBit(titled, document) === wanted) close[chosen++] = document
      }
    orderDocuments(close.subarray(0, chosen))
    return chosen
  }

  /** @returns how many documents stand in `candidates`: those that have at least `least` of the required words */
  function findSome(segment: OpenSegment, words: readonly SettledWord[], least: number): { n: number; most: number } {
    counts.fill(0)
    let all = 0
    words.forEach(({ ways, word }, i) => {
      const own = hitsOf(i)
      fillHits(own, segment, ways)
      if (word.optional) return
      for (let k = 0; k < own.n; k++) {
        const document = own.list[k] as number
        if (counts[document] === 0 && segment.gone?.[document] !== 1) candidates[all++] = document
        counts[document] = (counts[document] as number) + 1
      }
    })
    let [n, most] = [0, 0]
    for (let c = 0; c < all; c++) {
      const document = candidates[c] as number
      const count = counts[document] as number
      if (count > most) most = count
      if (count >= least) candidates[n++] = document
    }
    return { n, most }
  }

  function rankOf(segment: OpenSegment, document: number, words: readonly SettledWord[], relaxed: boolean): number {
    let [weight, shareFound, titled, required, pairs, together, exact] = [0, 0, 0, 0, 0, 0, false]
    let before = noPlace
    for (let i = 0; i < words.length; i++) {
      const { share, word } = words[i] as SettledWord
      const own = hits[i] as WordHits
      const has = own.stamps[document] === own.stamp
      if (!word.optional) required++
      const place = has ? (own.places[document] as number) : noPlace
      if (has) {
        weight += share * (own.weights[document] as number)
        shareFound += share
        const bits = own.bits[document] as number
        if (bits & fieldBits.title && !word.optional) titled++
        if (bits & exactBit) exact = true
      }
      if (i > 0) {
        pairs++
        if (place !== noPlace && before !== noPlace && place >= before && place - before <= 2) together++
      }
      before = place
    }
    const { titleWords } = segment.columns.base
    const covered = titled === 0 ? 0 : Math.min(1, titled / Math.max(1, titleWords[document] as number))
    const near = pairs === 0 ? (before === 0 ? 1 : 0) : together / pairs
    const fine = weightOf.words * weight + weightOf.coverage * covered + weightOf.together * near
    const of = relaxed
      ? Math.floor(shareFound * relaxedClasses)
      : exact
        ? identifier
        : titled === required
          ? inTitle
          : anywhere
    return (of * fineSteps + Math.round(fine * (fineSteps - 1))) * belowFine + staticRank(segment, document)
  }

  function addExact(segment: OpenSegment, { identifier: term }: ReadQuery, keep: Keep | null, into: Matches): void {
    if (term === null) return
    fillHits(whole, segment, [{ terms: [term], weight: 1 }])
    const live = whole.list.subarray(0, whole.n).filter((document) => segment.gone?.[document] !== 1)
    const n = keep ? keep(live, live.length) : live.length
    if (live.length === 0) return
    into.matched = Math.max(into.matched, live.length)
    const rankFrom = (relaxedClasses + identifier) * belowClass
    const known = new Map(Array.from(into.documents.subarray(0, into.n), (document, at) => [document, at]))
    for (const document of live.subarray(0, n)) {
      const at = known.get(document) ?? into.n
      into.documents[at] = document
      into.ranks[at] = rankFrom + staticRank(segment, document)
      if (at < into.n) continue
      // It may be one of those that are only counted.
      if (into.total === into.n || !candidates.subarray(0, into.total).includes(document)) into.total++
      into.n++
    }
  }

  return {
    match(
      segment: OpenSegment,
      query: ReadQuery,
      words: readonly SettledWord[],
      limits: MatchLimits,
      into: Matches,
    ): void {
      const { least, keep } = limits
      const found = least === null ? findAll(segment, words) : findSome(segment, words, least).n
      const n = keep ? keep(candidates, found) : found
      into.matched = found
      into.total = n
      if (words.length > 0 && least === null && limits.ranked !== 'none') rankAll(segment, n, words, limits, into)
      else {
        into.n = n
        into.documents.set(candidates.subarray(0, n))
        if (limits.ranked !== 'none') rankEach(segment, words, into)
      }
      addExact(segment, query, keep, into)
    },
    /** @returns of the required words, how many the document that has most of them has */
    mostWords: (segment: OpenSegment, words: readonly SettledWord[]): number => findSome(segment, words, 255).most,
  }
}

function staticRank({ columns: { base, popularity } }: OpenSegment, document: number): number {
  const score = base.scores[document] as number
  const known = (score === noScore ? 0 : score) * stateSteps + ((base.states[document] as number) & 7)
  return known * popularSteps + (popularity?.points[document] ?? 0)
}

function clearBit(bits: Uint32Array, document: number): void {
  const at = document >>> 5
  bits[at] = (bits[at] as number) & ~(1 << (document & 31))
}
