/** Until when a judgement holds: rules look at a product's dates, each of which may turn it on its day, a day later, or a year before. */
import type { RefinedProduct } from '../../schemas/product.ts'

const dayMs = 86_400_000

/** All that rules of platforms read beside the time. */
const dates = ['expirationDate', 'availabilityDate'] as const satisfies readonly (keyof RefinedProduct)[]

function yearBefore(ms: number): number {
  const date = new Date(ms)
  date.setUTCFullYear(date.getUTCFullYear() - 1)
  return date.getTime()
}

/** @param at when it was judged @returns ISO 8601; null where no date of the product lies ahead. What turns nothing is judged once more in vain. */
export function holdsUntil(product: RefinedProduct, at: string): string | null {
  let first = Number.POSITIVE_INFINITY
  const atMs = Date.parse(at)
  for (const name of dates) {
    const text = product[name]
    if (text === null) continue
    const ms = Date.parse(text)
    if (Number.isNaN(ms)) continue
    const year = yearBefore(ms)
    // The day after the 28th of February has no such day a year on.
    for (const turn of [ms, ms + dayMs, year, year - dayMs, year - (year % dayMs)])
      if (turn > atMs && turn < first) first = turn
  }
  return Number.isFinite(first) ? new Date(first).toISOString() : null
}
