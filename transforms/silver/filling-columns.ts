/** Finds the columns that may fill another's blanks: they mean the same by a name of their own, and their values bear it out. */
import type { Field } from '../../schemas/product.ts'

/**
 * What names or tells a product is the same in whichever column it stands. Not identifiers by which rows are told apart, amounts
 * and counts (a net price is no gross one), addresses, nor texts, whose columns may be of two languages.
 */
const fillable: ReadonlySet<Field> = new Set<Field>([
  'gtin',
  'mpn',
  'brand',
  'condition',
  'google_product_category',
  'gender',
  'age_group',
  'color',
  'size',
  'material',
  'pattern',
])

/** @param means whether a column means a field surely enough */
export function fillingColumns(
  passedOver: ReadonlyMap<string, Field>,
  means: (column: string, field: Field) => boolean,
): ReadonlyMap<string, Field> {
  return new Map([...passedOver].filter(([column, field]) => fillable.has(field) && means(column, field)))
}
