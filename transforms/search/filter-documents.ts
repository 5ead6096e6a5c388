/** Filters of a search, made for one segment: codes instead of texts, so that a document is judged by a few numbers. */
import type { Availability, Condition } from '../../schemas/product.ts'
import { feedReadyFrom } from '../../schemas/score.ts'
import { attributeName } from './attribute-values.ts'
import { foldLetters } from './fold-letters.ts'
import { foldedPaths, foldedTexts } from './folded-values.ts'
import type { OpenSegment } from './open-segment.ts'
import {
  availabilityOf,
  type CodedColumn,
  type ColumnGroup,
  conditionOf,
  noScore,
  type OfferColumns,
} from './segment-columns.ts'

export interface SearchFilter {
  /** Any of them; each a path of levels that the product's path begins with, or one level anywhere in it. */
  readonly categories: readonly (readonly string[])[]
  readonly brands: readonly string[]
  /** Integer minor units of the product's own currency. */
  readonly priceMin: number | null
  readonly priceMax: number | null
  readonly currency: string | null
  readonly availability: readonly Availability[]
  readonly condition: readonly Condition[]
  /** Of each name any of the values. */
  readonly attributes: ReadonlyMap<string, readonly string[]>
  /** With the bits of the platforms that make a product ready. */
  readonly feedReady: { readonly is: boolean; readonly required: number } | null
}

export const noFilter: SearchFilter = {
  ...{ categories: [], brands: [], priceMin: null, priceMax: null, currency: null },
  ...{ availability: [], condition: [], attributes: new Map(), feedReady: null },
}

/** Groups of columns that a filter reads beside the base. */
export function groupsOf(filter: SearchFilter): ColumnGroup[] {
  const { priceMin, priceMax, currency, feedReady } = filter
  const groups: ColumnGroup[] = []
  if (priceMin !== null || priceMax !== null || currency !== null || feedReady !== null) groups.push('offer')
  if (filter.brands.length > 0) groups.push('brand')
  if (filter.categories.length > 0) groups.push('category')
  if (filter.attributes.size > 0) groups.push('attributes')
  return groups
}

type Test = (document: number) => boolean

/** @param prices as a buyer pays them now @returns null where nothing is asked */
export function filterOf(segment: OpenSegment, filter: SearchFilter, prices: Float64Array | null): Test | null {
  const { base, offer, brand, category, attributes } = segment.columns
  const tests: Test[] = []
  if (filter.availability.length > 0) {
    const wanted = statesWith((state) => filter.availability.includes(availabilityOf(state) as Availability))
    tests.push((document) => wanted[base.states[document] as number] === 1)
  }
  if (filter.condition.length > 0) {
    const wanted = statesWith((state) => filter.condition.includes(conditionOf(state) as Condition))
    tests.push((document) => wanted[base.states[document] as number] === 1)
  }
  if (brand && filter.brands.length > 0) {
    const names = new Set(filter.brands.map(foldLetters))
    tests.push(codeTest(brand, foldedTexts(brand.values), (name) => names.has(name)))
  }
  if (category && filter.categories.length > 0) {
    const asked = filter.categories.map((path) => path.map(foldLetters))
    tests.push(codeTest(category, foldedPaths(category.values), (path) => isUnder(path, asked)))
  }
  if (offer && prices) tests.push(...offerTests(segment, offer, filter, prices))
  if (attributes)
    for (const [name, values] of filter.attributes) {
      const wanted = new Set(values.map((value) => `${attributeName(name)}=${foldLetters(value)}`))
      const flags = Uint8Array.from(attributes.values, (value) => Number(wanted.has(foldedValue(value))))
      tests.push((document) => {
        const end = attributes.offsets[document + 1] as number
        for (let at = attributes.offsets[document] as number; at < end; at++)
          if (flags[attributes.codes[at] as number] === 1) return true
        return false
      })
    }
  const [only] = tests
  if (!only) return null
  return tests.length === 1 ? only : (document) => tests.every((test) => test(document))
}

/** The name is folded already. */
function foldedValue(pair: string): string {
  const at = pair.indexOf('=')
  return pair.slice(0, at + 1) + foldLetters(pair.slice(at + 1))
}

const statesWith = (is: (state: number) => boolean) => Uint8Array.from({ length: 256 }, (_, state) => Number(is(state)))

/** @param folded values of the column */
function codeTest<T>({ codes }: CodedColumn, folded: readonly T[], is: (value: T) => boolean): Test {
  const flags = new Uint8Array(folded.length)
  for (let code = 1; code < folded.length; code++) flags[code] = Number(is(folded[code] as T))
  return (document) => flags[codes[document] as number] === 1
}

const isUnder = (path: readonly string[], asked: readonly (readonly string[])[]) =>
  asked.some((levels) =>
    levels.length === 1 ? path.includes(levels[0] as string) : levels.every((level, i) => path[i] === level),
  )

/** The same of a single product. */
export const isInCategory = (path: readonly string[], asked: readonly (readonly string[])[]): boolean =>
  isUnder(
    path.map(foldLetters),
    asked.map((levels) => levels.map(foldLetters)),
  )

function offerTests(segment: OpenSegment, offer: OfferColumns, filter: SearchFilter, prices: Float64Array): Test[] {
  const { priceMin, priceMax, currency, feedReady } = filter
  const tests: Test[] = []
  // Of no price NaN, which is neither above nor below anything.
  if (priceMin !== null) tests.push((document) => (prices[document] as number) >= priceMin)
  if (priceMax !== null) tests.push((document) => (prices[document] as number) <= priceMax)
  if (currency !== null) {
    const code = offer.currencyCodes.indexOf(currency)
    tests.push((document) => code > 0 && offer.currencies[document] === code)
  }
  if (feedReady !== null) {
    const { scores } = segment.columns.base
    const { is, required } = feedReady
    tests.push((document) => {
      const score = scores[document] as number
      const valid = score !== noScore && score >= feedReadyFrom ? (offer.valid[document] as number) : 0
      return (required !== 0 && (valid & required) === required) === is
    })
  }
  return tests
}

/** What a buyer pays at that moment: the price, or the sale's while it holds. */
export function pricesAt({ prices, sales }: OfferColumns, atMs: number): Float64Array {
  if (sales.length === 0) return prices
  const now = prices.slice()
  for (let at = 0; at < sales.length; at += 4) {
    const [document, sale, from, to] = sales.subarray(at, at + 4) as unknown as [number, number, number, number]
    if (from <= atMs && atMs < to) now[document] = sale
  }
  return now
}
