/** For what Google refuses prices of which it keeps two decimals, where their currency has more. */
import { aboveZero } from './above-zero.ts'
import { compareAmounts } from './compare-amounts.ts'
import { decimalsIn, decimalsOf } from './decimals.ts'
import { formerly } from './formerly.ts'
import { googleAnswer, googleSpecification } from './platform-pages.ts'
import type { PlatformRule } from './profile.ts'
import { roundedTo } from './rounded-to.ts'

const kept = 2
/** What is finer than its own currency is told so already. */
const isFiner = (currency: string | null) => currency !== null && decimalsOf(currency) > kept
const isCut = (amount: string) => decimalsIn(amount) > kept
const vanishes = (amount: string) => aboveZero(amount) && !aboveZero(roundedTo(amount, kept))

/** 12.345 KWD stays as it is in the feed, and Google's 12.35 is its own (KF-14); what it makes of these is no price. */
export const googleRounding: readonly PlatformRule[] = [
  {
    field: 'price',
    asks: 'above zero at two decimals too, which is what Google keeps',
    source: googleAnswer(12471842),
    broken: ({ product: { price, currency } }) =>
      isFiner(currency) && price !== null && vanishes(price)
        ? `Google keeps two decimals and makes nothing of the price "${price}"; send that of a quantity which costs 0.01 or more`
        : null,
  },
  {
    field: 'sale_price',
    asks: 'above zero and below the price at two decimals too',
    source: googleSpecification,
    broken({ product }) {
      if (!isFiner(product.currency)) return null
      const [full, sale] = formerly(product)
        ? [product.originalPrice, product.price]
        : [product.price, product.salePrice]
      if (full === null || sale === null || !(isCut(full) || isCut(sale)) || !(compareAmounts(sale, full) < 0))
        return null
      if (vanishes(sale))
        return `Google keeps two decimals and makes nothing of the sale price "${sale}"; send one of 0.01 or more`
      if (compareAmounts(roundedTo(sale, kept), roundedTo(full, kept)) < 0) return null
      return `Google keeps two decimals, and "${sale}" is then no lower than "${full}"; lower the sale price or leave it out`
    },
  },
]
