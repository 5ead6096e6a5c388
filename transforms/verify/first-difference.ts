/** Where what is stored of a product first parts from what its log gives: the step, the place in it, and both values. */
import { isSame } from '../versions/is-same.ts'
import type { ProductValues } from './product-values.ts'

export const verifySteps = ['merge', 'silver', 'gold'] as const
export type VerifyStep = (typeof verifySteps)[number]

export interface Difference {
  readonly step: VerifyStep
  /** A JSON pointer (RFC 6901) into the merged state; a field of silver; a rule, a dimension or `valid` of gold. */
  readonly at: string
  readonly stored: unknown
  readonly computed: unknown
}

type Values = Readonly<Record<string, unknown>>

/** Steps that were not computed are not compared. */
export function firstDifference(stored: ProductValues, computed: ProductValues): Difference | null {
  const merge = deepest('', stored.merged, computed.merged)
  if (merge) return { step: 'merge', ...merge }
  if (computed.silver === null) return null
  const silver = firstOf(stored.silver ?? {}, computed.silver)
  if (silver) return { step: 'silver', ...silver }
  const gold = firstOf(stored.gold ?? {}, computed.gold ?? {})
  return gold && { step: 'gold', ...gold }
}

interface Place {
  readonly at: string
  readonly stored: unknown
  readonly computed: unknown
}

/** In the order of the steps that make them; nothing and an absent name are one. */
function firstOf(stored: Values, computed: Values): Place | null {
  for (const at of namesOf(stored, computed)) {
    const place = { at, stored: own(stored, at), computed: own(computed, at) }
    if (!isSame(place.stored, place.computed)) return place
  }
  return null
}

/** As deep as both have lists or objects. */
function deepest(at: string, stored: unknown, computed: unknown): Place | null {
  if (isSame(stored, computed)) return null
  if (!isObject(stored) || !isObject(computed) || Array.isArray(stored) !== Array.isArray(computed))
    return { at, stored, computed }
  for (const name of namesOf(stored, computed)) {
    const inside = deepest(`${at}/${escaped(name)}`, own(stored, name), own(computed, name))
    if (inside) return inside
  }
  return null
}

const isObject = (value: unknown): value is Values => typeof value === 'object' && value !== null
const own = (values: Values, name: string) => (Object.hasOwn(values, name) ? (values[name] ?? null) : null)
const namesOf = (stored: Values, computed: Values) => new Set([...Object.keys(computed), ...Object.keys(stored)])
const escaped = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1')
