/** Makes column names comparable: folded, with every mark between words as one space, and camel case taken apart; what cannot be seen is not there. */
import { foldText } from './fold-text.ts'

export function foldName(name: string): string {
  const words = name
    .replace(/\p{Default_Ignorable_Code_Point}+/gu, '')
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
  return foldText(words)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}
