/** The documents of an index that are most like a product: by category, by the words that few others have, by brand and by price. */
import type { SearchFilter } from '../search/filter-documents.ts'
import { foldLetters } from '../search/fold-letters.ts'
import { foldedPaths, foldedTexts } from '../search/folded-values.ts'
import type { OpenSegment } from '../search/open-segment.ts'
import { bitsOf, documentOf } from '../search/postings.ts'
import { fieldBits } from '../search/product-terms.ts'
import { type CodedColumn, mostDocuments, noScore } from '../search/segment-columns.ts'
import { openTop, type Place, type TopRow } from '../search/top-rows.ts'
import { buyableRank, isBuyable, liveDocuments } from './rank-documents.ts'
import type { Subject } from './subject-of.ts'

/** What each likeness is worth; 1 in sum. */
const worth = { words: 0.4, category: 0.35, price: 0.15, brand: 0.1 } as const
/** A word of the title that stands elsewhere in another product says less of it. */
const elsewhere = 0.5
/** By words and category together, without which brand and price say nothing: less is no likeness. */
const least = 0.15
const steps = 1_000
/** Of a few documents any word is in many. */
const [tooManyShare, tooManyFrom] = [0.25, 1_000]

/** Groups of columns that are read. */
export const similarGroups = ['base', 'category', 'brand', 'offer'] as const

interface WeighedTerm {
  readonly term: string
  readonly share: number
}

/** One product is compared after another with the same arrays. */
export function openSimilar() {
  const words = new Float32Array(mostDocuments)
  const documents = new Uint16Array(mostDocuments)

  function addWords(segment: OpenSegment, terms: readonly WeighedTerm[]): void {
    words.fill(0, 0, segment.documents)
    for (const { term, share } of terms) {
      const list = segment.postings(term)
      for (let i = 0; list && i < list.length; i++) {
        const one = list[i] as number
        const bits = bitsOf(one)
        if (bits === fieldBits.description) continue
        const document = documentOf(one)
        words[document] = (words[document] as number) + share * (bits & fieldBits.title ? 1 : elsewhere)
      }
    }
  }

  /** The best first, the product itself mostly before all of them. @param after where they go on from */
  return (
    segments: readonly OpenSegment[],
    subject: Subject,
    filter: Pick<SearchFilter, 'categories'>,
    most: number,
    after: Place | null = null,
  ): TopRow[] => {
    const terms = weighed(segments, subject.terms)
    const top = openTop(most, after)
    const levels = subject.category.map(foldLetters)
    const name = foldLetters(subject.brand ?? '')
    segments.forEach((segment, i) => {
      const { base, offer } = segment.columns
      const n = liveDocuments(segment, filter, documents)
      const ofCategory = likeCategory(segment.columns.category, levels)
      const sameBrand = brandCode(segment.columns.brand, name)
      const currency = offer?.currencyCodes.indexOf(subject.currency ?? '') ?? 0
      addWords(segment, terms)
      for (let at = 0; at < n; at++) {
        const document = documents[at] as number
        const category = ofCategory[segment.columns.category?.codes[document] ?? 0] as number
        const likeness = worth.words * (words[document] as number) + worth.category * category
        if (likeness < least) continue
        const brand = Number(segment.columns.brand?.codes[document] === sameBrand)
        const sameCurrency = offer && currency > 0 && offer.currencies[document] === currency
        const price = sameCurrency ? near(subject.price, offer.prices[document] as number) : 0
        const whole = Math.round((likeness + worth.brand * brand + worth.price * price) * steps)
        const score = base.scores[document] as number
        const rank = whole * 256 + (score === noScore ? 0 : score)
        top.add((isBuyable(base.states[document] as number) ? buyableRank : 0) + rank, i, document, base.ids)
      }
    })
    return top.rows()
  }
}

export type FindSimilar = ReturnType<typeof openSimilar>

/** The rarer a term the more it says; what no other document has says nothing, nor does what so many have. */
function weighed(segments: readonly OpenSegment[], terms: readonly string[]): WeighedTerm[] {
  const live = segments.reduce((sum, { documents }) => sum + documents, 0)
  const found = terms.flatMap((term) => {
    const n = segments.reduce((sum, segment) => sum + (segment.postings(term)?.length ?? 0), 0)
    return n < 2 || n > Math.max(tooManyFrom, live * tooManyShare) ? [] : [{ term, rarity: Math.log(1 + live / n) }]
  })
  const sum = found.reduce((total, { rarity }) => total + rarity, 0)
  return found.map(({ term, rarity }) => ({ term, share: rarity / sum }))
}

/** Of each path, the share of its and the subject's levels that are the same from the first on. */
function likeCategory(column: CodedColumn | undefined, own: readonly string[]): Float32Array {
  const paths = column ? foldedPaths(column.values) : [[]]
  const alike = new Float32Array(paths.length)
  for (let code = 1; code < paths.length; code++) {
    const path = paths[code] as readonly string[]
    let same = 0
    while (same < own.length && path[same] === own[same]) same++
    if (same > 0) alike[code] = same / Math.max(own.length, path.length)
  }
  return alike
}

/** The brand's place among those of the segment; -1 where it is none of them. */
const brandCode = (column: CodedColumn | undefined, own: string): number =>
  column && own !== '' ? foldedTexts(column.values).indexOf(own) : -1

/** 1 for the same price, none for four times or a quarter of it. */
const near = (a: number, b: number): number =>
  a > 0 && b > 0 ? Math.max(0, 1 - Math.abs(Math.log2(b / a)) / 2) : Number(a === b)
