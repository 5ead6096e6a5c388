/** What rules of all platforms complain of in the same words, in the name of one: too long, no address, an amount that is none. */
import type { RefinedProduct } from '../product.ts'
import { aboveZero } from './above-zero.ts'
import { asciiAddress } from './ascii-address.ts'
import { blank } from './blank.ts'
import { codePoints } from './code-points.ts'
import { compareAmounts } from './compare-amounts.ts'
import { decimalsIn, decimalsOf, mostDecimals } from './decimals.ts'
import { quoteValue } from './quote-value.ts'

/** What is finer than its currency is rounded without a word: then the shop and the platform would name two prices (KF-14). */
function tooFine(what: string, amount: string, currency: string | null): string | null {
  const most = currency === null ? mostDecimals : decimalsOf(currency)
  if (decimalsIn(amount) <= most) return null
  const has =
    currency === null
      ? `no currency has more than ${most} decimals`
      : `${currency} has ${most === 0 ? 'no' : most} decimals`
  return `The ${what} ${quoteValue(amount)} would be rounded, since ${has}; send one without finer parts`
}

/** @param name as people write the platform's */
export function complaintsOf(name: string) {
  const tooLong = (what: string, text: string | null, limit: number) =>
    text !== null && text.length > limit && codePoints(text) > limit
      ? `The ${what} has ${codePoints(text)} characters; ${name} takes at most ${limit}`
      : null

  const noAddress = (what: string, text: string) =>
    `${quoteValue(text)} is no web address; the ${what} must start with http:// or https:// and a host`

  function badAddress(what: string, text: string, limit: number): string | null {
    const address = asciiAddress(text)
    return address === null ? noAddress(what, text) : tooLong(what, address, limit)
  }

  /** What stands in its place and is none is not missing. */
  function badLink({ link, refusedLink }: RefinedProduct, limit: number): string | null {
    if (link !== null && !blank(link)) return badAddress('link', link, limit)
    if (refusedLink !== undefined) return noAddress('link', refusedLink)
    return 'The link is missing; send the address of the product page'
  }

  /** Of the first image. @param encodesCommas as `%2C`, which counts */
  function badImage({ images, refusedImage }: RefinedProduct, limit: number, encodesCommas: boolean): string | null {
    const [first] = images
    if (first !== undefined && !blank(first))
      return badAddress('image address', encodesCommas ? first.replaceAll(',', '%2C') : first, limit)
    if (refusedImage !== undefined) return noAddress('image address', refusedImage)
    return 'The image is missing; send the address of at least one image'
  }

  function badPrice(price: string | null, currency: string | null): string | null {
    if (price === null) return 'The price is missing; send an amount with its currency, as in 9.50 EUR'
    if (!aboveZero(price))
      return `The price ${quoteValue(price)} is not above zero; send what the product costs, as in 9.50 EUR`
    return tooFine('price', price, currency)
  }

  /** Asked for itself, so that neither price nor currency is said to be enough where both are missing. */
  function badCurrency(price: string | null, currency: string | null): string | null {
    if (currency !== null) return null
    return `The price${price === null ? '' : ` ${quoteValue(price)}`} has no currency; send one, as in 9.50 EUR`
  }

  function badSale(salePrice: string | null, price: string | null, currency: string | null): string | null {
    if (salePrice === null || price === null) return null
    if (aboveZero(salePrice) && compareAmounts(salePrice, price) < 0) return tooFine('sale price', salePrice, currency)
    return `The sale price ${quoteValue(salePrice)} is not between zero and the price ${quoteValue(price)}; lower it or leave it out`
  }

  return { tooLong, badLink, badImage, badPrice, badCurrency, badSale, tooFine }
}
