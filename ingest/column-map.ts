/** Reads what callers say of columns: `COLUMN=field`, one for each. */
import { type Field, isField } from '../schemas/product.ts'
import { TableError } from './table-error.ts'

/** @throws TableError `bad_mapping` */
export function parseMap(pairs: readonly string[]): Record<string, Field> {
  const map: Record<string, Field> = {}
  for (const pair of pairs) {
    const at = pair.lastIndexOf('=')
    const [column, field] = [pair.slice(0, at).trim(), pair.slice(at + 1).trim()]
    if (at < 1 || !isField(field))
      throw new TableError(
        'bad_mapping',
        `"${pair}" maps nothing; write COLUMN=field, with a field such as sku, title or price.`,
      )
    map[column] = field
  }
  return map
}
