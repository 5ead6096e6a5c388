/** What the place of a record is called: text has lines, and sheets and typed tables have rows alone. */
import type { Table } from './table.ts'

const withoutLines: ReadonlySet<Table['kind']> = new Set(['xlsx', 'parquet', 'arrow'])

export const placeWord = (kind: Table['kind']): 'Line' | 'Row' => (withoutLines.has(kind) ? 'Row' : 'Line')
