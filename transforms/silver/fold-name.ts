/** Makes column names comparable: folded, with every mark between words as one space, and camel case taken apart; what cannot be seen is not there. */
import { foldText } from './fold-text.ts'

export function foldName(name: string): string {
  if (ascii.test(name)) return foldAscii(name)
  const words = name
    .replace(/\p{Default_Ignorable_Code_Point}+/gu, '')
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
  return foldText(words)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

const ascii = /^[ -~]*$/

/** The same by what these letters can be. */
const foldAscii = (name: string): string =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .replace(/[^a-z\d]+/g, ' ')
    .trim()
