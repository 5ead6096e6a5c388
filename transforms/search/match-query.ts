/** Finds the documents that have the words of a query, all of them or as many as any has, and says how well each fits. */
import type { OpenSegment } from './open-segment.ts'
import { fieldBits, noPlace } from './product-terms.ts'
import type { QueryWord, ReadQuery, Way } from './read-query.ts'
import { mostDocuments, noScore } from './segment-columns.ts'
import { countLive, exactBit, fillHits, lookUpHits, sizeOf, type WordHits, wordHits } from './word-hits.ts'

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
}

export const matches = (): Matches => ({
  documents: new Uint16Array(mostDocuments),
  ranks: new Float64Array(mostDocuments),
  n: 0,
})

/** What of a rank each step is worth; below these stand the score, the availability and the popularity. */
const [fineSteps, scoreSteps, stateSteps, popularSteps] = [41, 128, 8, 65_536]
const belowFine = scoreSteps * stateSteps * popularSteps
const belowClass = fineSteps * belowFine
/** Classes: all words somewhere, all in the title, an identifier; of relaxed queries by the share of words that are found. */
const [anywhere, inTitle, identifier] = [1, 2, 3]
const relaxedClasses = 16

const weightOf = { words: 0.6, coverage: 0.25, together: 0.15 }

/** Its arrays are used for one query after another. */
export function openMatcher() {
  const hits: WordHits[] = []
  const whole = wordHits()
  const hitsOf = (i: number): WordHits => (hits[i] ??= wordHits())
  const candidates = new Uint16Array(mostDocuments)
  const counts = new Uint8Array(mostDocuments)

  /** @returns how many documents stand in `candidates`, all of which have every word that is required */
  function findAll(segment: OpenSegment, words: readonly SettledWord[]): number {
    const order = words
      .map((one, i) => ({ ...one, i, size: sizeOf(segment, one.ways) }))
      .sort((a, b) => Number(a.word.optional) - Number(b.word.optional) || a.size - b.size)
    let n = -1
    for (const { i, ways, size, word } of order) {
      const own = hitsOf(i)
      if (n < 0) {
        fillHits(own, segment, ways)
        n = copyLive(segment, own, candidates)
      } else if (size <= 16 * n) fillHits(own, segment, ways)
      else lookUpHits(own, segment, ways, candidates, n)
      if (word.optional) continue
      let kept = 0
      for (let c = 0; c < n; c++) {
        const document = candidates[c] as number
        if (own.stamps[document] === own.stamp) candidates[kept++] = document
      }
      n = kept
      if (n === 0) return 0
    }
    return Math.max(0, n)
  }

  /**
   * Beyond a bound only the documents that may come first are looked at closely: those with all words in the title, and then
   * those with the best scores, in whose order they stand. The others follow by their scores alone.
   */
  function rankSome(segment: OpenSegment, n: number, words: readonly SettledWord[], most: number, into: Matches): void {
    candidates.subarray(0, n).sort()
    for (let c = 0; c < n; c++) into.ranks[c] = staticRank(segment, candidates[c] as number)
    let left = most
    for (const wanted of [true, false])
      for (let c = 0; c < n && left > 0; c++) {
        const document = candidates[c] as number
        if (isTitled(document, words) !== wanted) continue
        into.ranks[c] = rankOf(segment, document, words, false)
        left--
      }
  }

  function isTitled(document: number, words: readonly SettledWord[]): boolean {
    for (let i = 0; i < words.length; i++) {
      const own = hits[i] as WordHits
      if (!((own.bits[document] as number) & fieldBits.title) && !words[i]?.word.optional) return false
    }
    return true
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

  function addExact(segment: OpenSegment, { identifier: term }: ReadQuery, into: Matches): void {
    if (term === null) return
    fillHits(whole, segment, [{ terms: [term], weight: 1 }])
    if (whole.n === 0) return
    const rankFrom = (relaxedClasses + identifier) * belowClass
    const known = new Map(Array.from(into.documents.subarray(0, into.n), (document, at) => [document, at]))
    for (let i = 0; i < whole.n; i++) {
      const document = whole.list[i] as number
      if (segment.gone?.[document] === 1) continue
      const rank = rankFrom + staticRank(segment, document)
      const at = known.get(document) ?? into.n
      into.documents[at] = document
      into.ranks[at] = rank
      if (at === into.n) into.n++
    }
  }

  return {
    /** @param least words that a document must have; null: all @param mostRanked documents that are looked at closely */
    match(
      segment: OpenSegment,
      query: ReadQuery,
      words: readonly SettledWord[],
      least: number | null,
      mostRanked: number,
      into: Matches,
    ): void {
      into.n = 0
      if (words.length === 0) {
        every(segment, into)
        return
      }
      const n = least === null ? findAll(segment, words) : findSome(segment, words, least).n
      if (n > mostRanked && least === null) {
        rankSome(segment, n, words, mostRanked, into)
      } else for (let c = 0; c < n; c++) into.ranks[c] = rankOf(segment, candidates[c] as number, words, least !== null)
      into.documents.set(candidates.subarray(0, n))
      into.n = n
      addExact(segment, query, into)
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

function every(segment: OpenSegment, into: Matches): void {
  for (let document = 0; document < segment.documents; document++) {
    if (segment.gone?.[document] === 1) continue
    into.documents[into.n] = document
    into.ranks[into.n++] = staticRank(segment, document)
  }
}

function copyLive({ gone }: OpenSegment, { list, n }: WordHits, into: Uint16Array): number {
  let kept = 0
  for (let i = 0; i < n; i++) {
    const document = list[i] as number
    if (gone?.[document] !== 1) into[kept++] = document
  }
  return kept
}
