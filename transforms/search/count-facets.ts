/** Counts what the documents that are found have, by brand, category, price, availability, condition and attribute. */
import { levelsOf } from './category-levels.ts'
import type { OpenSegment } from './open-segment.ts'
import { availabilityOf, type CodedColumn, type ColumnGroup, conditionOf } from './segment-columns.ts'
import type { Tally } from './tally.ts'

/** `attributes` are all of them; `attributes.color` one. */
export type FacetName =
  | 'brand'
  | 'category'
  | 'price'
  | 'availability'
  | 'condition'
  | 'attributes'
  | `attributes.${string}`

export interface ValueCount {
  readonly value: string | readonly string[]
  readonly count: number
}

export interface PriceRange {
  readonly currency: string
  readonly min: number
  readonly max: number
  readonly count: number
}

export interface Facets {
  readonly brand?: readonly ValueCount[]
  readonly category?: readonly ValueCount[]
  readonly availability?: readonly ValueCount[]
  readonly condition?: readonly ValueCount[]
  readonly price?: readonly PriceRange[]
  readonly attributes?: Readonly<Record<string, readonly ValueCount[]>>
}

const [mostValues, mostAttributes] = [50, 30]

export function facetGroups(facets: readonly FacetName[]): ColumnGroup[] {
  const groups = new Set<ColumnGroup>()
  for (const facet of facets) {
    if (facet === 'brand' || facet === 'category') groups.add(facet)
    if (facet === 'price') groups.add('offer')
    if (facet.startsWith('attributes')) groups.add('attributes')
  }
  return [...groups]
}

/** @param tally whose arrays are used */
export function openFacets(names: readonly FacetName[], tally: Tally) {
  const has = (name: FacetName) => names.includes(name)
  const attributesAsked = names.flatMap((name) => (name.startsWith('attributes.') ? [name.slice(11)] : []))
  const isAsked = (name: string) => has('attributes') || attributesAsked.includes(name)
  const states = new Float64Array(256)
  const brands = new Map<string, number>()
  const categories = new Map<string, number>()
  const attributes = new Map<string, number>()
  const prices = new Map<string, { min: number; max: number; count: number }>()

  /** @param documents of which `n` are found @param paid what a buyer pays for each */
  function count(segment: OpenSegment, documents: Uint16Array, n: number, paid: Float64Array | null): void {
    const { base, offer, brand, category, attributes: listed } = segment.columns
    if (has('availability') || has('condition'))
      for (let i = 0; i < n; i++) {
        const state = base.states[documents[i] as number] as number
        states[state] = (states[state] as number) + 1
      }
    if (has('brand') && brand) {
      countCodes(brand, documents, n, (code, times) => add(brands, brand.values[code] as string, times))
    }
    if (has('category') && category)
      countCodes(category, documents, n, (code, times) => {
        for (const level of levelsOf(category.values, code)) add(categories, level, times)
      })
    if (has('price') && offer && paid)
      for (let i = 0; i < n; i++) {
        const document = documents[i] as number
        const price = paid[document] as number
        if (Number.isNaN(price)) continue
        const currency = offer.currencyCodes[offer.currencies[document] as number] ?? ''
        const range = prices.get(currency) ?? { min: price, max: price, count: 0 }
        if (range.count++ === 0) prices.set(currency, range)
        if (price < range.min) range.min = price
        if (price > range.max) range.max = price
      }
    if (listed && (has('attributes') || attributesAsked.length > 0)) {
      tally.begin(listed.values.length)
      for (let i = 0; i < n; i++) {
        const document = documents[i] as number
        const end = listed.offsets[document + 1] as number
        for (let at = listed.offsets[document] as number; at < end; at++) tally.add(listed.codes[at] as number)
      }
      tally.drain((code, times) => {
        const value = listed.values[code] as string
        if (isAsked(value.slice(0, value.indexOf('=')))) add(attributes, value, times)
      })
    }
  }

  /** 0 is no value. */
  function countCodes(
    { codes, values }: CodedColumn,
    documents: Uint16Array,
    n: number,
    each: (code: number, times: number) => void,
  ): void {
    tally.begin(values.length)
    for (let i = 0; i < n; i++) tally.add(codes[documents[i] as number] as number)
    tally.drain((code, times) => {
      if (code > 0) each(code, times)
    })
  }

  function result(): Facets {
    return {
      ...(has('brand') && { brand: ordered(brands) }),
      ...(has('category') && {
        category: ordered(categories).map(({ value, count }) => ({
          value: JSON.parse(value as string) as string[],
          count,
        })),
      }),
      ...(has('availability') && { availability: byState(states, availabilityOf) }),
      ...(has('condition') && { condition: byState(states, conditionOf) }),
      ...(has('price') && {
        price: [...prices]
          .map(([currency, range]) => ({ currency, ...range }))
          .sort((a, b) => b.count - a.count || (a.currency < b.currency ? -1 : 1)),
      }),
      ...((has('attributes') || attributesAsked.length > 0) && { attributes: byName(attributes) }),
    }
  }
  return { count, result }
}

const add = (into: Map<string, number>, value: string, times: number) => into.set(value, (into.get(value) ?? 0) + times)

/** The most frequent; of a catalog's thousands of brands a few are shown, and only these are sorted. */
function ordered(counts: ReadonlyMap<string, number>): { value: string; count: number }[] {
  const times = Float64Array.from(counts.values()).sort()
  const least = times[times.length - mostValues] ?? 0
  return [...counts]
    .filter(([, count]) => count >= least)
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
    .slice(0, mostValues)
}

function byState(states: Float64Array, nameOf: (state: number) => string | null): ValueCount[] {
  const counts = new Map<string, number>()
  states.forEach((n, state) => {
    const name = nameOf(state)
    if (n > 0 && name !== null) counts.set(name, (counts.get(name) ?? 0) + n)
  })
  return ordered(counts)
}

/** The names that most products have. */
function byName(pairs: ReadonlyMap<string, number>): Record<string, ValueCount[]> {
  const names = new Map<string, Map<string, number>>()
  for (const [pair, n] of pairs) {
    const at = pair.indexOf('=')
    const name = pair.slice(0, at)
    const values = names.get(name) ?? new Map<string, number>()
    if (values.size === 0) names.set(name, values)
    values.set(pair.slice(at + 1), n)
  }
  const sum = (values: ReadonlyMap<string, number>) => [...values.values()].reduce((a, b) => a + b, 0)
  const most = [...names].sort(([a, x], [b, y]) => sum(y) - sum(x) || (a < b ? -1 : 1)).slice(0, mostAttributes)
  return Object.fromEntries(most.map(([name, values]) => [name, ordered(values)]))
}
