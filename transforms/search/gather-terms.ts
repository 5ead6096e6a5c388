/** Gathers the terms of the products of a segment, each with its postings, and the words that may be mistyped. */
import { bitsOf, documentOf, type GrowingList, placeOf, posting } from './postings.ts'
import { isTyped, type TermSink, wordTerms } from './product-terms.ts'
import type { StemLanguage } from './stem.ts'

export interface TypedWord {
  /** As it is written where it was first seen. */
  readonly shown: string
  /** Products that have it. */
  n: number
  last: number
}

/** A word's postings and those of its stems, so that a word is looked up once wherever it stands again. */
interface KnownWord {
  readonly lists: readonly GrowingList[]
  readonly typed: TypedWord
}

/** What is longer nobody types. */
const longestTyped = 40

export function openTerms() {
  const terms = new Map<string, GrowingList>()
  const words = new Map<string, TypedWord>()
  const known = new Map<string, Map<string, KnownWord>>()
  const listOf = (term: string): GrowingList => {
    const found = terms.get(term)
    if (found) return found
    const made = { n: 0, list: new Uint32Array(1) }
    terms.set(term, made)
    return made
  }
  let document = 0
  const sink: TermSink = {
    term: (term, bit, place) => note(listOf(term), document, bit, place),
    word(part, bit, place, languages) {
      const of = knownIn(known, languages)
      let word = of.get(part.raw)
      if (!word) {
        const typed = words.get(part.text) ?? { shown: part.raw, n: 0, last: -1 }
        word = { lists: [...wordTerms(part, languages)].map(listOf), typed }
        of.set(part.raw, word)
      }
      for (const list of word.lists) note(list, document, bit, place)
      const { typed } = word
      if (typed.last === document || part.text.length < 2 || part.text.length > longestTyped || !isTyped(bit)) return
      if (typed.n++ === 0) words.set(part.text, typed)
      typed.last = document
    },
  }
  return {
    terms: terms as ReadonlyMap<string, GrowingList>,
    words: words as ReadonlyMap<string, TypedWord>,
    sinkOf(of: number): TermSink {
      document = of
      return sink
    },
  }
}

function knownIn(
  known: Map<string, Map<string, KnownWord>>,
  languages: readonly StemLanguage[],
): Map<string, KnownWord> {
  const key = languages.length === 1 ? (languages[0] as string) : languages.join(' ')
  const found = known.get(key)
  if (found) return found
  const made = new Map<string, KnownWord>()
  known.set(key, made)
  return made
}

function note(known: GrowingList, document: number, bits: number, place: number): void {
  const { n, list } = known
  const last = n === 0 ? 0 : (list[n - 1] as number)
  if (n > 0 && documentOf(last) === document) {
    list[n - 1] = posting(document, bitsOf(last) | bits, Math.min(placeOf(last), place))
    return
  }
  if (n === list.length) {
    const larger = new Uint32Array(n * 2)
    larger.set(list)
    known.list = larger
  }
  known.list[n] = posting(document, bits, place)
  known.n = n + 1
}
