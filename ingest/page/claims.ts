/** What one part of a page says of its product, before it is known which part is right. */
import type { Field } from '../../schemas/product.ts'

/** Ways in which a page says things, the most trusted first. */
export const pageSources = ['json-ld', 'microdata', 'rdfa', 'opengraph', 'page'] as const
export type PageSource = (typeof pageSources)[number]

/** Fields that a page gives as one text. */
export const textFields = [
  'title',
  'description',
  'sku',
  'mpn',
  'gtin',
  'brand',
  'availability',
  'condition',
  'category',
  'color',
  'size',
  'material',
  'pattern',
  'item_group_id',
] as const satisfies readonly Field[]
export type TextField = (typeof textFields)[number]

export interface Money {
  /** Plain decimal text. */
  readonly amount: string
  readonly currency: string | null
}

/** What holds of a field, and where on the page it stands. */
export interface PageField {
  readonly value: string | readonly string[]
  readonly source: PageSource
}

/** A thing that a person should know about a page. */
export interface PageNote {
  readonly code: string
  readonly says: string
}

export interface Claims {
  readonly source: PageSource
  readonly texts: Readonly<Partial<Record<TextField, string>>>
  /** Absolute addresses. */
  readonly images: readonly string[]
  readonly price: Money | null
  /** A former or list price beside it. */
  readonly original: Money | null
  readonly sale: Money | null
  readonly notes: readonly PageNote[]
}
