/** Measures as Google takes them: in its units, within its limits, and never rounded. G-dig */
import type { RefinedProduct } from '../product.ts'

interface Measure {
  readonly amount: string
  readonly unit: string
}

const shape = /^(\d{1,8}(?:\.\d{1,8})?)\s*([a-z]+)$/i

function measureOf(text: string | null | undefined): Measure | null {
  const [, amount, unit] = shape.exec(text ?? '') ?? []
  return amount !== undefined && unit !== undefined ? { amount, unit: unit.toLowerCase() } : null
}

/** Moves the decimal point: exact, as between metric units. */
function moved(amount: string, places: number): string {
  const [whole = '', fraction = ''] = amount.split('.')
  const digits = (places < 0 ? '0'.repeat(-places) : '') + whole + fraction + '0'.repeat(Math.max(places, 0))
  const point = (places < 0 ? -places : 0) + whole.length + places
  const text = `${digits.slice(0, point)}.${digits.slice(point)}`
  return text.replace(/^0+(?=\d)/, '').replace(/\.0*$|(\.\d*?)0+$/, '$1')
}

type Metric = Readonly<Record<string, readonly [unit: string, places: number]>>

/** What Google has no name for, in the nearest unit that it has. */
const metric: Metric = { mg: ['g', -3], t: ['kg', 3], mm: ['cm', -1], m: ['cm', 2] }
const ofPricing: Metric = { mm: ['cm', -1], dl: ['cl', 1], t: ['kg', 3] }

function converted(measure: Measure | null, table: Metric): Measure | null {
  const [unit, places] = (measure && table[measure.unit]) ?? []
  return measure && unit !== undefined && places !== undefined
    ? { amount: moved(measure.amount, places), unit }
    : measure
}

const within = ({ amount }: Measure, least: number, most: number) => Number(amount) >= least && Number(amount) <= most

/** Above 0 to 2000, in one of four units. */
export function productWeight(text: string | null | undefined): string | null {
  const measure = converted(measureOf(text), metric)
  if (measure === null || !['lb', 'oz', 'g', 'kg'].includes(measure.unit)) return null
  return Number(measure.amount) > 0 && within(measure, 0, 2000) ? `${measure.amount} ${measure.unit}` : null
}

type Side = 'length' | 'width' | 'height'
const sides: readonly Side[] = ['length', 'width', 'height']

/** 1-3000 cm or in, all sides in the same unit: where they are not, none is sent. */
export function productSide(product: RefinedProduct, side: Side): string | null {
  if (!product[side]) return null
  const sent = sides.flatMap((one) => {
    const measure = converted(measureOf(product[one]), metric)
    const fits = measure !== null && ['cm', 'in'].includes(measure.unit) && within(measure, 1, 3000)
    return fits ? [{ side: one, measure }] : []
  })
  if (new Set(sent.map(({ measure }) => measure.unit)).size > 1) return null
  const own = sent.find((one) => one.side === side)?.measure
  return own ? `${own.amount} ${own.unit}` : null
}

const pricingUnits = new Set('oz lb mg g kg floz pt qt gal ml cl l cbm in ft yd cm m sqft sqm ct sheet item'.split(' '))

export function pricingMeasure(text: string | null | undefined): string | null {
  const measure = converted(measureOf(text), ofPricing)
  return measure && pricingUnits.has(measure.unit) && Number(measure.amount) > 0 ? measure.amount + measure.unit : null
}

const baseAmounts = new Set(['1', '2', '4', '8', '10', '100'])
const otherBases = new Set(['75cl', '750ml', '50kg', '1000kg'])

/** Only some amounts, and only beside the measure that is sold. */
export function pricingBase({ unitPricingMeasure, unitPricingBaseMeasure }: RefinedProduct): string | null {
  const measure = converted(measureOf(unitPricingBaseMeasure), ofPricing)
  if (measure === null || !pricingUnits.has(measure.unit) || pricingMeasure(unitPricingMeasure) === null) return null
  const text = measure.amount + measure.unit
  return baseAmounts.has(measure.amount) || otherBases.has(text) ? text : null
}
