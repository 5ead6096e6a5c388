/** A thing of schema.org as a page tells it, whichever way it is written in. */

export type ItemValue = string | number | Item

export interface Item {
  /** Without the address of the vocabulary. */
  readonly types: readonly string[]
  readonly id: string | null
  readonly properties: ReadonlyMap<string, readonly ItemValue[]>
}

const vocabulary = /^(?:https?:\/\/(?:www\.)?schema\.org\/|schema:)/i

/** `http://schema.org/Product`, `schema:Product` and `Product` are one name. */
export const plainName = (name: string): string => name.trim().replace(vocabulary, '')

export const isItem = (value: ItemValue | undefined): value is Item => typeof value === 'object'

export const valuesOf = (item: Item, ...names: readonly string[]): readonly ItemValue[] =>
  names.flatMap((name) => item.properties.get(name) ?? [])

/** The things themselves; where only their ids stand, what the page says elsewhere of these. */
export function itemsOf(item: Item, page: Things, ...names: readonly string[]): readonly Item[] {
  return valuesOf(item, ...names).flatMap((value) => {
    const one = isItem(value) ? value : page.byId.get(value as string)
    if (!one) return []
    return [one.properties.size === 0 && one.id !== null ? (page.byId.get(one.id) ?? one) : one]
  })
}

/** The first text of a property; of a thing its name. */
export function textIn(item: Item, ...names: readonly string[]): string | null {
  for (const value of valuesOf(item, ...names)) {
    const text = isItem(value) ? textIn(value, 'name', '@value') : String(value).trim()
    if (text !== null && text !== '') return text
  }
  return null
}

/** What one way of writing says of a page. */
export interface Things {
  /** Things that are no part of another. */
  readonly items: readonly Item[]
  readonly byId: ReadonlyMap<string, Item>
}

export function thingsOf(items: readonly Item[]): Things {
  const byId = new Map<string, Item>()
  const left = [...items]
  for (let item = left.pop(); item; item = left.pop()) {
    if (item.id !== null && item.properties.size > (byId.get(item.id)?.properties.size ?? 0)) byId.set(item.id, item)
    for (const values of item.properties.values()) for (const value of values) if (isItem(value)) left.push(value)
  }
  return { items, byId }
}
