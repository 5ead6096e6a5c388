/** Counts what the documents that are found have, by brand, category, price, availability, condition and attribute. */
import type { OpenSegment } from './open-segment.ts'
import { availabilityOf, type ColumnGroup, conditionOf } from './segment-columns.ts'

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

export function openFacets(names: readonly FacetName[]) {
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
    for (const [column, into] of [
      [has('brand') ? brand : undefined, brands],
      [has('category') ? category : undefined, categories],
    ] as const) {
      if (!column) continue
      const counted = new Uint32Array(column.values.length)
      for (let i = 0; i < n; i++) {
        const code = column.codes[documents[i] as number] as number
        counted[code] = (counted[code] as number) + 1
      }
      merge(counted, column.values, into)
    }
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
      const counted = new Uint32Array(listed.values.length)
      for (let i = 0; i < n; i++) {
        const document = documents[i] as number
        const end = listed.offsets[document + 1] as number
        for (let at = listed.offsets[document] as number; at < end; at++) {
          const code = listed.codes[at] as number
          counted[code] = (counted[code] as number) + 1
        }
      }
      merge(counted, listed.values, attributes, (value) => isAsked(value.slice(0, value.indexOf('='))))
    }
  }

  function result(): Facets {
    return {
      ...(has('brand') && { brand: ordered(brands) }),
      ...(has('category') && {
        category: ordered(levelsOf(categories)).map(({ value, count }) => ({
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

function merge(
  counted: Uint32Array,
  values: readonly string[],
  into: Map<string, number>,
  is: (value: string) => boolean = () => true,
): void {
  // 0 is no value.
  for (let code = 1; code < counted.length; code++) {
    const n = counted[code] as number
    const value = values[code] as string
    if (n > 0 && is(value)) into.set(value, (into.get(value) ?? 0) + n)
  }
}

const ordered = (counts: ReadonlyMap<string, number>): { value: string; count: number }[] =>
  [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
    .slice(0, mostValues)

/** A product counts for each level of its path. */
function levelsOf(paths: ReadonlyMap<string, number>): Map<string, number> {
  const levels = new Map<string, number>()
  for (const [path, n] of paths) for (const level of levelsIn(path)) levels.set(level, (levels.get(level) ?? 0) + n)
  return levels
}

const known = new Map<string, readonly string[]>()
const mostKnown = 20_000

/** A catalog has the same paths in each answer. */
function levelsIn(path: string): readonly string[] {
  const found = known.get(path)
  if (found) return found
  const names = JSON.parse(path) as string[]
  const levels = names.map((_, i) => JSON.stringify(names.slice(0, i + 1)))
  if (known.size >= mostKnown) known.clear()
  known.set(path, levels)
  return levels
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
