/** What a product costs in full, and what it costs instead for now where that is less. */
import type { RefinedProduct } from '../product.ts'
import { decimalsIn, decimalsOf } from './decimals.ts'
import { formerly } from './formerly.ts'
import { googleInterval } from './google-moment.ts'

export interface AskedPrices {
  readonly full: string | null
  readonly sale: string | null
}

/**
 * @param tellsDates whether the platform is told when a sale holds: a sale for a time goes out with that time or not at all, since
 * without it, it would hold always
 */
export function askedPrices(p: RefinedProduct, tellsDates: boolean): AskedPrices {
  const { price, salePrice, originalPrice, currency } = p
  if (originalPrice !== null && currency !== null && formerly(p) && decimalsIn(originalPrice) <= decimalsOf(currency))
    return { full: originalPrice, sale: price }
  const { salePriceEffectiveDate: dates } = p
  return { full: price, sale: dates === null || (tellsDates && googleInterval(dates) !== null) ? salePrice : null }
}
