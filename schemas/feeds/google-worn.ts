/** What Google asks to know of something to wear, as it takes it: null where there is nothing that it would. */
import type { RefinedProduct } from '../product.ts'
import { codePoints } from './code-points.ts'

const oneOf = (text: string | null, words: readonly string[]) => {
  const word = text?.trim().toLowerCase()
  return word !== undefined && words.includes(word) ? word : null
}

/** A code or a number: no hex values, no digits. G-ans:12471922 */
export const isColourCode = (text: string): boolean => /[\d#]/.test(text)

/** Up to 3 joined by a slash, each <=40. G-ans:12471922 */
function colour(text: string | null): string | null {
  if (text === null || isColourCode(text)) return null
  const names = text
    .split(/[,;/]/)
    .map((name) => name.trim())
    .filter((name) => name !== '' && codePoints(name) <= 40)
  const joined = names.slice(0, 3).join('/')
  return names.length > 0 && codePoints(joined) <= 100 ? joined : null
}

const genders = ['male', 'female', 'unisex']
const ageGroups = ['newborn', 'infant', 'toddler', 'kids', 'adult']

export const googleWorn = {
  color: ({ color }: RefinedProduct) => colour(color),
  size: ({ size }: RefinedProduct) => (size !== null && codePoints(size) <= 100 && size.trim() !== '' ? size : null),
  gender: ({ gender }: RefinedProduct) => oneOf(gender, genders),
  ageGroup: ({ ageGroup }: RefinedProduct) => oneOf(ageGroup, ageGroups),
}
