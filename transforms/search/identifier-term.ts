/** Identifiers as terms of their own: a SKU, GTIN or MPN is found as a whole, however its dashes, blanks and leading zeros are written. */
import { foldLetters } from './fold-letters.ts'

const longest = 80
const notSigns = /[^\p{L}\p{N}]+/gu
/** GTINs of 8 to 14 digits are one number with zeros before it. */
const numeric = /^0*(\d{8,14})$/

/** @returns null for what is no identifier */
export function identifierTerm(text: string): string | null {
  if (text.length > longest * 2) return null
  const signs = foldLetters(text).replace(notSigns, '')
  if (signs.length < 2 || signs.length > longest) return null
  return `#${numeric.test(signs) ? signs.replace(/^0+(?=\d)/, '') : signs}`
}
