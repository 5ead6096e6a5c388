/** What of a product others are compared with: the terms of its title and its attributes, its category, brand and price. */
import type { RefinedProduct } from '../../schemas/product.ts'
import { fieldBits, isFunctionWord, productTerms, wordTerms } from '../search/product-terms.ts'
import { type LanguageCounts, textLanguages } from '../search/text-languages.ts'
import { minorUnits } from '../silver/currency.ts'

export interface Subject {
  readonly id: string
  /** By their stems, so that other forms of a word are the same. */
  readonly terms: readonly string[]
  readonly category: readonly string[]
  readonly brand: string | null
  /** Minor units, NaN where there is none. */
  readonly price: number
  readonly currency: string | null
}

/** A title has a dozen; what follows is attributes. */
const mostTerms = 24

/** @param others products of its catalogs, by language */
export function subjectOf(id: string, product: RefinedProduct, others: LanguageCounts = {}): Subject {
  const terms = new Set<string>()
  const add = (term: string, bit: number) => {
    if ((bit === fieldBits.title || bit === fieldBits.attributes) && terms.size < mostTerms) terms.add(term)
  }
  const languages = textLanguages([product], others)[0] ?? []
  productTerms(product, id, languages, {
    term: add,
    word(word, bit, _place, stems) {
      if (!isFunctionWord(word.raw, languages)) add([...wordTerms(word, stems)].at(-1) ?? word.text, bit)
    },
  })
  const price = product.price === null ? null : minorUnits(product.price, product.currency)
  return {
    ...{ id, terms: [...terms], category: product.categoryPath, brand: product.brand },
    ...{ price: price === null ? Number.NaN : Number(price), currency: product.currency },
  }
}
