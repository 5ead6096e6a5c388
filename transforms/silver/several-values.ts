/** Says of a cell that it holds different values for a field that takes one: XML repeats elements, and JSON and Parquet have lists (KF-05). */
import type { FieldCell } from '../../schemas/pipeline.ts'
import { type Field, fieldNames, fields } from '../../schemas/product.ts'
import { quote } from './quote.ts'
import type { Finding } from './reading.ts'

/** Read as lists although one column is mapped to each. */
const lists: ReadonlySet<Field> = new Set(['image', 'tags'])

/** What a buyer pays is not guessed: of two amounts, or of one in two currencies, none is read. */
const never: ReadonlySet<Field> = new Set(['price', 'sale_price', 'original_price', 'currency'])

export const singleFields: readonly Field[] = fieldNames.filter((name) => fields[name] === 'scalar' && !lists.has(name))

const mostShown = 3

/** @returns null for one value, however often it is said */
export function severalValues({ field, value }: FieldCell): Finding | null {
  if (typeof value === 'string') return null
  const said = [...new Set(value.map((text) => text.trim()).filter((text) => text !== ''))]
  if (said.length < 2) return null
  const shown = said.slice(0, mostShown).map(quote).join(', ')
  const more = said.length > mostShown ? ` and ${said.length - mostShown} more` : ''
  const read = never.has(field) ? 'none of them is read' : 'the first is read'
  return {
    code: 'several_values',
    says: `${shown}${more} stand for ${field}, which takes one value; ${read}, give one`,
    raw: said.join(' | '),
  }
}
