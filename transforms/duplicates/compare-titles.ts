/** The scored comparison of two titles with their brands and prices, of products that contradict each other in nothing else. */
import { sameBrand } from './brand-words.ts'
import { spelledAlike } from './spelled-alike.ts'
import type { Traits } from './traits.ts'

const most = 95
const least = 78
/** Costs of doubts, in hundredths. */
const doubts = {
  /** Of the letters that only one title has, each hundredth. */
  letters: 1,
  /** One names a color that the other leaves out. */
  color: 12,
  price: 5,
  fartherPrice: 12,
  noPrice: 6,
  brandInTitle: 3,
  oneBrand: 12,
  noBrand: 8,
} as const
/** Lower prices by the higher: below the last they are two things, such as one and a case of twelve. */
const nearPrice = 0.9
const fartherPrice = 0.75
const farthestPrice = 0.6
/** So few letters in common say nothing by themselves. */
const leastLetters = 8

/** @returns in hundredths how sure it is that they are one; null where they are not near */
export function compareTitles(a: Traits, b: Traits): number | null {
  // Without its number or amount a title may be of any of a series.
  if (isSaidByOne(a.codes, b.codes) || isSaidByOne(a.measures, b.measures)) return null
  const price = priceDoubt(a, b)
  const brand = price === null ? null : brandDoubt(a, b)
  if (price === null || brand === null) return null
  const { onlyA, onlyB, letters } = wordsApart(withoutBrand(a, b), withoutBrand(b, a))
  // A word in another's place is another scent, wood or taste, and a table of words that mean the same is never whole.
  if (onlyA !== '' && onlyB !== '' && onlyA !== onlyB) return null
  if (letters + a.codes.join('').length + a.measures.join('').length < leastLetters) return null
  const more = onlyA === onlyB ? 0 : onlyA.length + onlyB.length
  const color = isSaidByOne(a.colors, b.colors) ? doubts.color : 0
  const sure = most - brand - price - color - (100 * doubts.letters * more) / (letters + more)
  return sure >= least ? Math.round(sure) : null
}

/** They have a word, number or amount in common, so that one page can be about both. */
export const titlesShare = (a: Traits, b: Traits): boolean =>
  isSaidByBoth(a.codes, b.codes) ||
  isSaidByBoth(a.measures, b.measures) ||
  wordsApart(withoutBrand(a, b), withoutBrand(b, a)).letters > 0

const isSaidByBoth = (a: readonly string[], b: readonly string[]) => a.length > 0 && b.length > 0
const isSaidByOne = (a: readonly string[], b: readonly string[]) => (a.length === 0) !== (b.length === 0)

/** Titles name the brand or leave it out, whoever fills its field. */
const withoutBrand = (one: Traits, other: Traits) =>
  one.brand.length > 0 ? one.words : one.words.filter((word) => !isOneOf(word, other.brand))

const isOneOf = (word: string, words: readonly string[]) => words.some((other) => spelledAlike(word, other))

/** @returns the words that only one has, in its order and as one text, and how many letters the others have */
function wordsApart(a: readonly string[], b: readonly string[]) {
  const left = new Set(b)
  const apart: string[] = []
  let letters = 0
  for (const word of a) {
    const twin = left.has(word) ? word : undefined
    if (twin === undefined) apart.push(word)
    else {
      left.delete(twin)
      letters += word.length
    }
  }
  const onlyA = apart.filter((word) => {
    for (const other of left) {
      if (!spelledAlike(word, other)) continue
      left.delete(other)
      letters += word.length
      return false
    }
    return true
  })
  return { onlyA: onlyA.join(''), onlyB: [...left].join(''), letters }
}

/** @returns null where they are of two makers */
function brandDoubt(a: Traits, b: Traits): number | null {
  if (a.brand.length > 0 && b.brand.length > 0) return sameBrand(a.brand, b.brand) ? 0 : null
  if (a.brand.length === 0 && b.brand.length === 0) return doubts.noBrand
  const [named, other] = a.brand.length > 0 ? [a, b] : [b, a]
  return named.brand.every((word) => isOneOf(word, other.words)) ? doubts.brandInTitle : doubts.oneBrand
}

/** @returns null where they are too far apart */
function priceDoubt(a: Traits, b: Traits): number | null {
  if (a.price === null || b.price === null || a.currency !== b.currency) return doubts.noPrice
  const high = Math.max(a.price, b.price)
  const ratio = high === 0 ? 1 : Math.min(a.price, b.price) / high
  if (ratio < farthestPrice) return null
  return ratio >= nearPrice ? 0 : ratio >= fartherPrice ? doubts.price : doubts.fartherPrice
}
