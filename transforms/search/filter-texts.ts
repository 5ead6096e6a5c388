/** Reads filters as people write them: a category as `Shoes > Boots`, an attribute as `color:red`. */
import { attributeName } from './attribute-values.ts'

export const categoryOf = (text: string): string[] => text.split('>').map((level) => level.trim())

const pair = /^\s*([^:]+?)\s*:\s*(.+?)\s*$/

/** @returns null for what is no name, a colon and a value: signs alone name nothing */
export function attributeOf(text: string): { readonly name: string; readonly value: string } | null {
  const [, name, value] = pair.exec(text) ?? []
  const read = attributeName(name ?? '')
  return read === '' || value === undefined ? null : { name: read, value }
}

/** Of each name its values. */
export function attributesOf(texts: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const attributes = new Map<string, string[]>()
  for (const text of texts) {
    const found = attributeOf(text)
    if (found) attributes.set(found.name, [...(attributes.get(found.name) ?? []), found.value])
  }
  return attributes
}
