/** Finds two columns that are mapped to one field which takes one column (KF-05). */
import { type Field, fields } from '../../schemas/product.ts'

export interface ColumnConflict {
  readonly columns: readonly [string, string]
  readonly says: string
}

export function columnConflict(mapping: Readonly<Record<string, string>>): ColumnConflict | null {
  const taken = new Map<string, string>()
  for (const [column, field] of Object.entries(mapping)) {
    if (fields[field as Field] !== 'scalar') continue
    const other = taken.get(field)
    if (other === undefined) taken.set(field, column)
    else
      return {
        columns: [other, column],
        says: `"${other}" and "${column}" are both mapped to ${field}, which takes one column`,
      }
  }
  return null
}
