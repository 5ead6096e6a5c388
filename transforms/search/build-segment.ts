/** Makes a segment of the index from published products: its terms with their postings, its columns, and the words that queries may mean. */
import type { ProductKind, RefinedProduct } from '../../schemas/product.ts'
import { minorUnits } from '../silver/currency.ts'
import { attributeValues } from './attribute-values.ts'
import { openTerms, type TypedWord } from './gather-terms.ts'
import { packColumns } from './pack-columns.ts'
import { bucketCount, type PostingRow, postingRows } from './postings.ts'
import { productTerms } from './product-terms.ts'
import { saleWindow } from './sale-window.ts'
import { idWords, mostDocuments, noScore, type OwnGroup, stateOf } from './segment-columns.ts'
import { type LanguageCounts, textLanguages } from './text-languages.ts'

export interface IndexedProduct {
  readonly id: string
  readonly kind: ProductKind
  /** ISO 8601. */
  readonly createdAt: string
  readonly product: RefinedProduct
  readonly score: number | null
  /** Platforms that would take it, as bits. */
  readonly valid: number
}

export interface BuiltSegment {
  readonly documents: number
  /** Rows that short lists of postings share. */
  readonly buckets: number
  /** Products in each language. */
  readonly languages: LanguageCounts
  readonly columns: Readonly<Record<OwnGroup, Uint8Array>>
  readonly postings: Iterable<PostingRow>
  readonly words: ReadonlyMap<string, TypedWord>
}

export interface SegmentBuilder {
  /** In the order of their documents: the best first. */
  add(products: readonly IndexedProduct[]): void
  finish(): BuiltSegment
}

/** @param size products that come, `mostDocuments` at most @param others products of the catalog that are indexed already, by language */
export function openSegmentBuilder(size: number, others: LanguageCounts = {}): SegmentBuilder {
  if (size > mostDocuments) throw new RangeError(`a segment has at most ${mostDocuments} documents`)
  const index = openTerms()
  const columns = openColumns(size)
  const languages: Record<string, number> = {}
  const spoken: Record<string, number> = { ...others }
  let documents = 0
  return {
    add(products) {
      const languagesOf = textLanguages(
        products.map(({ product }) => product),
        spoken,
      )
      products.forEach((one, i) => {
        const own = languagesOf[i] ?? []
        for (const language of own) {
          languages[language] = (languages[language] ?? 0) + 1
          spoken[language] = (spoken[language] ?? 0) + 1
        }
        columns.add(documents, one, productTerms(one.product, one.id, own, index.sinkOf(documents)))
        documents++
      })
    },
    finish() {
      const { terms, words } = index
      const buckets = bucketCount(terms.size)
      return { documents, buckets, languages, words, columns: columns.pack(), postings: postingRows(terms, buckets) }
    },
  }
}

/** Places in a list of texts, 0 for none. */
function coder() {
  const values: string[] = ['']
  const places = new Map<string, number>()
  const codeOf = (value: string): number => {
    const known = places.get(value)
    if (known !== undefined) return known
    places.set(value, values.length)
    return values.push(value) - 1
  }
  return { values, codeOf: (value: string | null) => (value === null || value === '' ? 0 : codeOf(value)) }
}

function openColumns(n: number) {
  const [ids, scores, states, titleWords] = [
    new Uint32Array(n * 4),
    new Uint8Array(n),
    new Uint8Array(n),
    new Uint8Array(n),
  ]
  const [prices, currencies, valid] = [new Float64Array(n), new Uint8Array(n), new Int32Array(n)]
  const [created, brands, categories] = [new Uint32Array(n), new Uint16Array(n), new Uint16Array(n)]
  const [offsets, listed, sales] = [new Uint32Array(n + 1), [] as number[], [] as number[]]
  const [ofCurrency, ofBrand, ofCategory, ofAttribute] = [coder(), coder(), coder(), coder()]
  return {
    add(i: number, { id, createdAt, product, score, valid: bits }: IndexedProduct, words: number): void {
      ids.set(idWords(id), i * 4)
      scores[i] = score ?? noScore
      states[i] = stateOf(product.availability, product.condition)
      titleWords[i] = words
      prices[i] = minor(product.price, product.currency)
      // More than 255 currencies there are not.
      currencies[i] = ofCurrency.codeOf(product.currency)
      valid[i] = bits
      created[i] = Math.max(0, Math.floor(Date.parse(createdAt) / 1_000)) || 0
      const sale = minor(product.salePrice, product.currency)
      if (!Number.isNaN(sale)) sales.push(i, sale, ...saleWindow(product.salePriceEffectiveDate))
      brands[i] = ofBrand.codeOf(product.brand)
      categories[i] = ofCategory.codeOf(product.categoryPath.length === 0 ? null : JSON.stringify(product.categoryPath))
      for (const value of attributeValues(product)) listed.push(ofAttribute.codeOf(value))
      offsets[i + 1] = listed.length
    },
    pack: (): BuiltSegment['columns'] => ({
      base: packColumns([ids, scores, states, titleWords]),
      offer: packColumns([prices, currencies, valid, created, Float64Array.from(sales), ofCurrency.values]),
      brand: packColumns([brands, ofBrand.values]),
      category: packColumns([categories, ofCategory.values]),
      attributes: packColumns([offsets, Uint32Array.from(listed), ofAttribute.values]),
    }),
  }
}

function minor(amount: string | null, currency: string | null): number {
  const units = amount === null ? null : minorUnits(amount, currency)
  const value = units === null ? Number.NaN : Number(units)
  return Number.isSafeInteger(value) ? value : Number.NaN
}
