/** Pricing: does the product say what it costs? */
import { aboveZero } from '../../../schemas/feeds/above-zero.ts'
import { compareAmounts } from '../../../schemas/feeds/compare-amounts.ts'
import { googleAnswer, googleSpecification } from '../../../schemas/feeds/platform-pages.ts'
import { percent } from '../percent.ts'
import type { RuleOfDimension } from '../rule.ts'

const currencyCode = /^[A-Z]{3}$/

export const pricingRules: readonly RuleOfDimension[] = [
  {
    id: 'price',
    field: 'price',
    points: 40,
    why: 'Nobody can buy what has no price',
    sources: [googleAnswer(12471842)],
    presence: true,
    check: ({ price }) => percent.filled(price),
  },
  {
    id: 'price.positive',
    field: 'price',
    points: 20,
    why: 'Platforms refuse a price that is not above zero',
    sources: [googleAnswer(12471842)],
    check: ({ price }) => percent.when(price !== null && aboveZero(price)),
  },
  {
    id: 'currency',
    field: 'currency',
    points: 30,
    why: 'An amount means nothing without its currency',
    sources: [googleAnswer(12471842)],
    presence: true,
    check: ({ currency }) => percent.when(currency !== null && currencyCode.test(currency)),
  },
  {
    id: 'sale_price',
    field: 'sale_price',
    points: 5,
    why: 'A sale price must be below the price, in the same currency: any other is in no feed',
    sources: [googleSpecification],
    check: ({ price, salePrice, refusedSale }) =>
      refusedSale !== undefined
        ? percent.when(false)
        : salePrice === null || price === null
          ? null
          : percent.when(compareAmounts(salePrice, price) < 0),
  },
  {
    id: 'original_price',
    field: 'original_price',
    points: 5,
    why: 'A former price below the present one is a mistake that shoppers see',
    sources: ['Assay: a sale without the word must be one, or shoppers see a rise'],
    check: ({ price, originalPrice }) =>
      originalPrice === null || price === null ? null : percent.when(compareAmounts(originalPrice, price) >= 0),
  },
]
