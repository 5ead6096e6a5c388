/** Which field of a product a filter, an argument or a word means. */
import { type Field, unrefined } from '../../schemas/product.ts'
import { proposalsFor } from '../silver/known-names.ts'

export interface AskedField {
  /** As people call it: a field of ours, else as it was asked for. */
  readonly name: string
  /** Of the refined product; null where only an attribute or option may have it. */
  readonly path: string | null
  readonly field: Field | null
}

/** A range asks for the same thing as a value. */
const bounds = /^(?:min|max|from|to)_|_(?:min|max|from|to|gte?|lte?|eq|in)$/g

/** Fields that silver makes another of. */
const madeInto: Readonly<Partial<Record<Field, string>>> = {
  category: 'categoryPath',
  image: 'images',
  short_description: 'description',
  dimensions: 'length',
  dimensions_unit: 'length',
  weight_unit: 'weight',
}

const none: ReadonlySet<string> = new Set()

function fieldOf(name: string): Field | null {
  const [best] = proposalsFor(name, none, null).sort((a, b) => a.rank - b.rank)
  return best?.field ?? null
}

function pathOf(field: Field): string | null {
  const path = madeInto[field] ?? field.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
  return Object.hasOwn(unrefined, path) ? path : null
}

export function askedField(said: string): AskedField {
  const name = said.toLowerCase().replace(bounds, '')
  const field = fieldOf(name)
  const path = field && pathOf(field)
  return path === null ? { name, path: null, field: null } : { name: field ?? name, path, field }
}

/** Of an order that was cancelled: what a buyer can be wrong about, and words for it that name no column. */
const regretted: readonly Field[] = [
  ...(['color', 'size', 'material', 'pattern', 'gender', 'age_group', 'weight', 'length', 'width', 'height'] as const),
  ...(['dimensions', 'description', 'images', 'brand', 'condition', 'availability', 'price'] as const),
]
const regretWords: Readonly<Record<string, Field>> = {
  described: 'description',
  expected: 'description',
  small: 'size',
  large: 'size',
  big: 'size',
  fit: 'size',
  heavy: 'weight',
  looks: 'images',
  look: 'images',
}

export function regretField(word: string): AskedField | null {
  const field = regretWords[word] ?? fieldOf(word)
  return field !== null && regretted.includes(field) ? askedField(field) : null
}
