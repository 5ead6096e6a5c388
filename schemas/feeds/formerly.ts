/** A former price shown beside the price is a sale without the word: the former is the full price. */
import type { RefinedProduct } from '../product.ts'
import { compareAmounts } from './compare-amounts.ts'

export const formerly = ({ price, salePrice, originalPrice }: RefinedProduct): boolean =>
  price !== null && salePrice === null && originalPrice !== null && compareAmounts(originalPrice, price) > 0
