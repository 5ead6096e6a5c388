/** Filters of a search, made for one segment: codes instead of texts, so that a document is judged by a few numbers. */
import type { Availability, Condition } from '../../schemas/product.ts'
import { feedReadyFrom } from '../../schemas/score.ts'
import { attributeName } from './attribute-values.ts'
import { foldLetters } from './fold-letters.ts'
import { foldedPairs, foldedPaths, foldedTexts } from './folded-values.ts'
import type { OpenSegment } from './open-segment.ts'
import {
  availabilityOf,
  type CodedColumn,
  type ColumnGroup,
  conditionOf,
  type ListColumn,
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

/** Leaves of the first `n` documents those that pass, in their order, at the beginning. @returns how many */
export type Keep = (documents: Uint16Array, n: number) => number

/** @param prices as a buyer pays them now @returns null where nothing is asked */
export function filterOf(segment: OpenSegment, filter: SearchFilter, prices: Float64Array | null): Keep | null {
  const { base, offer, brand, category, attributes } = segment.columns
  const tests: Keep[] = []
  if (filter.availability.length > 0)
    tests.push(
      keepCodes(
        base.states,
        statesWith((state) => filter.availability.includes(availabilityOf(state) as Availability)),
      ),
    )
  if (filter.condition.length > 0)
    tests.push(
      keepCodes(
        base.states,
        statesWith((state) => filter.condition.includes(conditionOf(state) as Condition)),
      ),
    )
  if (brand && filter.brands.length > 0) {
    const names = new Set(filter.brands.map(foldLetters))
    const folded = foldedTexts(brand.values)
    tests.push(
      keepCodes(
        brand.codes,
        flagsOf(brand, (code) => names.has(folded[code] as string)),
      ),
    )
  }
  if (category && filter.categories.length > 0) {
    const asked = filter.categories.map((path) => path.map(foldLetters))
    const paths = foldedPaths(category.values)
    tests.push(
      keepCodes(
        category.codes,
        flagsOf(category, (code) => isUnder(paths[code] as readonly string[], asked)),
      ),
    )
  }
  if (offer && prices) tests.push(...offerTests(segment, offer, filter, prices))
  if (attributes) for (const [name, values] of filter.attributes) tests.push(keepListed(attributes, name, values))
  return keepAll(tests)
}

/** @returns null where nothing is asked */
export function keepAll(tests: readonly (Keep | null)[]): Keep | null {
  const asked = tests.filter((keep) => keep !== null)
  const [only] = asked
  if (asked.length < 2) return only ?? null
  return (documents, n) => asked.reduce((left, keep) => (left === 0 ? 0 : keep(documents, left)), n)
}

/** Of the first `n` documents those that are something. @returns how many stand at the beginning */
export function keepWhere(documents: Uint16Array, n: number, is: (document: number) => boolean): number {
  let kept = 0
  for (let i = 0; i < n; i++) {
    const document = documents[i] as number
    if (is(document)) documents[kept++] = document
  }
  return kept
}

// Each walks by itself: one walk that calls a test for each document takes three times as long over half a million.

function keepCodes(codes: Uint8Array | Uint16Array, flags: Uint8Array): Keep {
  return (documents, n) => {
    let kept = 0
    for (let i = 0; i < n; i++) {
      const document = documents[i] as number
      if (flags[codes[document] as number] === 1) documents[kept++] = document
    }
    return kept
  }
}

function keepPrices(prices: Float64Array, from: number, to: number): Keep {
  return (documents, n) => {
    let kept = 0
    for (let i = 0; i < n; i++) {
      const document = documents[i] as number
      const price = prices[document] as number
      // Of no price NaN, which is neither above nor below anything.
      if (price >= from && price <= to) documents[kept++] = document
    }
    return kept
  }
}

function keepListed({ offsets, codes, values: known }: ListColumn, name: string, values: readonly string[]): Keep {
  const wanted = new Set(values.map((value) => `${attributeName(name)}=${foldLetters(value)}`))
  const flags = Uint8Array.from(foldedPairs(known), (value) => Number(wanted.has(value)))
  return (documents, n) => {
    let kept = 0
    for (let i = 0; i < n; i++) {
      const document = documents[i] as number
      const end = offsets[document + 1] as number
      for (let at = offsets[document] as number; at < end; at++)
        if (flags[codes[at] as number] === 1) {
          documents[kept++] = document
          break
        }
    }
    return kept
  }
}

function keepReady(scores: Uint8Array, valid: Int32Array, required: number, is: boolean): Keep {
  return (documents, n) => {
    let kept = 0
    for (let i = 0; i < n; i++) {
      const document = documents[i] as number
      const score = scores[document] as number
      const bits = score !== noScore && score >= feedReadyFrom ? (valid[document] as number) : 0
      if ((required !== 0 && (bits & required) === required) === is) documents[kept++] = document
    }
    return kept
  }
}

const statesWith = (is: (state: number) => boolean) => Uint8Array.from({ length: 256 }, (_, state) => Number(is(state)))

const flagsOf = ({ values }: CodedColumn, is: (code: number) => boolean): Uint8Array =>
  Uint8Array.from(values, (_, code) => Number(code > 0 && is(code)))

export const isUnder = (path: readonly string[], asked: readonly (readonly string[])[]) =>
  asked.some((levels) =>
    levels.length === 1 ? path.includes(levels[0] as string) : levels.every((level, i) => path[i] === level),
  )

/** The same of a single product. */
export const isInCategory = (path: readonly string[], asked: readonly (readonly string[])[]): boolean =>
  isUnder(
    path.map(foldLetters),
    asked.map((levels) => levels.map(foldLetters)),
  )

function offerTests(segment: OpenSegment, offer: OfferColumns, filter: SearchFilter, prices: Float64Array): Keep[] {
  const { priceMin, priceMax, currency, feedReady } = filter
  const tests: Keep[] = []
  if (priceMin !== null || priceMax !== null)
    tests.push(keepPrices(prices, priceMin ?? Number.NEGATIVE_INFINITY, priceMax ?? Number.POSITIVE_INFINITY))
  if (currency !== null) {
    const flags = Uint8Array.from(offer.currencyCodes, (code, i) => Number(i > 0 && code === currency))
    tests.push(keepCodes(offer.currencies, flags))
  }
  if (feedReady !== null)
    tests.push(keepReady(segment.columns.base.scores, offer.valid, feedReady.required, feedReady.is))
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
