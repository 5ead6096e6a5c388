/** Tells of a value whether it can be what a field is for, as far as a value alone can tell. */
import type { Field } from '../../schemas/product.ts'
import { readAvailability } from './availability.ts'
import { readCondition } from './condition.ts'
import { currencyOf } from './currency.ts'
import { readAgeGroup, readGender } from './gender-age.ts'
import { gtin14, isRestricted, readGtin } from './gtin.ts'
import { parseAmount } from './number-format.ts'

const address = /^\s*(?:https?:)?\/\/\S/i
const imageName = /\.(?:jpe?g|png|gif|webp|avif|bmp|tiff?)(?:$|[?#\s,;|&])/i

/** An address, or several, that names a kind of picture: others may be pictures too, and nobody knows by the address alone (KF-19). */
export const isImageAddress = (text: string): boolean => address.test(text) && imageName.test(text)

/** A number that the world knows a product by. */
export const isWorldGtin = (text: string): boolean => {
  const full = gtin14(text)
  return full !== null && !isRestricted(full)
}

/** One that is none by chance: of eight digits every tenth number is. */
export const isLongGtin = (text: string): boolean => text.length >= 12 && isWorldGtin(text)

/** An address anywhere, since cells hold lists in many ways, or the name of a file. */
const isImage = (text: string) => /(?:https?:)?\/\/\S/i.test(text) || imageName.test(text)

const isAmount = (text: string) => parseAmount(text.trim(), '.').text !== null

/** Of a field that is not here every text can be a value. */
export const fitting: Readonly<Partial<Record<Field, (text: string) => boolean>>> = {
  gtin: (text) => {
    const { value, findings } = readGtin(text)
    return value !== null || findings.length === 0
  },
  mpn: (text) => !isLongGtin(text),
  link: (text) => (address.test(text) || /^\s*www\./i.test(text)) && !isImageAddress(text),
  image: isImage,
  images: isImage,
  price: isAmount,
  sale_price: isAmount,
  original_price: isAmount,
  currency: (text) => currencyOf(text) !== null,
  // The column's name, as if it asked: a yes is an answer then, and the columns that do ask are those that it stands in.
  availability: (text) => readAvailability('in stock', text).value !== null,
  quantity: (text) => /^\s*[<>≥~+-]?\s*\d/.test(text) || readAvailability('', text).value !== null,
  condition: (text) => readCondition(text).value !== null,
  gender: (text) => readGender(text).value !== null,
  age_group: (text) => readAgeGroup(text).value !== null,
  dimensions: (text) => /\d.*?(?:[x×✕*х/]|\bby\b).*?\d/iu.test(text),
  weight: (text) => /^\D{0,4}\d/.test(text),
  attributes: (text) => /^\s*\{/.test(text),
}
