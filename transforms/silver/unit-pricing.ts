/** Reads by what measure a product is sold, and for how much of it its unit price is given: `750 ml`, `100 ml`. */
import { readMeasure } from './measure.ts'
import type { Mark, NumberRule } from './number-format.ts'
import { quote } from './quote.ts'
import { doubts, type Reading, reads } from './reading.ts'
import { readTitle } from './text.ts'
import { type Quantity, quantityOf, unitOf, unitOfColumn } from './units.ts'

const any: readonly Quantity[] = ['weight', 'volume', 'length', 'area', 'count']
/** What stands before the amount that a unit price is for. */
const per = /^(?:(?:per|pro|je|par|por|al|à|a|za|na|за)\s+|1\s*\/(?!\s*\d)\s*|\/\s*)+/iu

export function readPricingMeasure(column: string, raw: string, how: Mark | null | NumberRule): Reading<string> {
  return readMeasure(raw, any, how, unitOfColumn(column, 'volume') ?? unitOfColumn(column, 'weight'))
}

/** A unit alone is one of it. */
export function readBaseMeasure(raw: string, how: Mark | null | NumberRule): Reading<string> {
  const text = (readTitle(raw) ?? '').replace(per, '')
  const alone = unitOf(text, any)
  return alone === null ? readMeasure(text, any, how, null) : reads(`1 ${alone}`)
}

const what: Readonly<Record<Quantity, string>> = {
  weight: 'a weight',
  volume: 'a volume',
  length: 'a length',
  area: 'an area',
  count: 'a count',
}

/** A price per 100 g says nothing of what is sold by the litre. */
export function agreed(base: Reading<string>, measure: string | null): Reading<string> {
  const quantity = (text: string | null) => quantityOf(/^[\d.]+ (\S+)$/.exec(text ?? '')?.[1] ?? '')
  const [of, sold] = [quantity(base.value), quantity(measure)]
  if (of === undefined || sold === undefined || of === sold) return base
  const says = `${quote(base.value ?? '')} is ${what[of]} and ${quote(measure ?? '')} ${what[sold]}; give both in one`
  return doubts('unit_pricing_mismatch', says)
}
