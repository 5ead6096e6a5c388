/** Takes capitals from a text that is written in them: names of several capitals that the product has elsewhere stay. */
import { isShouted } from '../../schemas/feeds/is-shouted.ts'

const word = /[\p{L}\p{M}]+/gu
const firstLetter = /\p{L}/u

/** @param names written as they are to be written, such as the brand */
export function withoutShouting(text: string, names: readonly string[]): string {
  if (!isShouted(text)) return text
  const known = new Map(names.flatMap((name) => name.match(word) ?? []).map((one) => [one.toUpperCase(), one]))
  // A code such as A4 or 18V is no word that shouts.
  const calm = text.replace(/\S+/g, (token) =>
    /\p{N}/u.test(token) ? token : token.replace(word, (one) => known.get(one) ?? one.toLowerCase()),
  )
  return calm.replace(firstLetter, (one) => one.toUpperCase())
}
