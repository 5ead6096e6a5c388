/** Attributes of a product as they are filtered and counted by: a name in small letters, an equals sign, and the value. */
import type { RefinedProduct } from '../../schemas/product.ts'
import { foldLetters } from './fold-letters.ts'

const [mostValues, longestValue] = [60, 120]

export const attributeName = (name: string): string =>
  foldLetters(name)
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_+|_+$/g, '')

/** Each once. */
export function attributeValues(p: RefinedProduct): ReadonlySet<string> {
  const found = new Set<string>()
  const add = (name: string, value: unknown) => {
    const said = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    const text = said ? String(value).trim() : ''
    const key = attributeName(name)
    if (text !== '' && text.length <= longestValue && key !== '' && found.size < mostValues) found.add(`${key}=${text}`)
  }
  add('color', p.color)
  add('size', p.size)
  add('material', p.material)
  add('pattern', p.pattern)
  add('gender', p.gender)
  add('age_group', p.ageGroup)
  for (const tag of p.tags) add('tag', tag)
  for (const [name, value] of Object.entries(p.options)) add(name, value)
  for (const [name, value] of Object.entries(p.attributes))
    for (const one of Array.isArray(value) ? value : [value]) add(name, one)
  return found
}
