/** Refuses rows in which bytes are no text, each with its place, and none of their neighbours. */
import type { CellValue } from '../../schemas/pipeline.ts'
import { damageIn } from '../encoding/damage.ts'
import type { EncodingName } from '../encoding/names.ts'
import { TableError } from '../table-error.ts'
import type { Table, TableRow } from './table.ts'

const whatToDo = 'save the file as UTF-8, or say what it is written in with encoding='

/** @throws TableError where a column's name is damaged: no row could be read by it */
export function refusingDamage<T extends Pick<Table, 'header' | 'rows'>>(table: T, encoding: EncodingName): T {
  for (const [i, name] of table.header.entries()) {
    const damage = damageIn(name, encoding)
    if (damage) throw new TableError('not_text', `In the header, column ${i + 1}, ${damage}; ${whatToDo}`)
  }
  const judged = (row: TableRow): TableRow => {
    const column = row.cells.findIndex((cell) => !isWhole(cell))
    if (column < 0) return row
    const cell = [row.cells[column] ?? ''].flat().join()
    const place = `Line ${row.line}, column ${JSON.stringify(table.header[column] ?? '')}`
    const says = row.fault?.says.toWellFormed() ?? `${place}: ${damageIn(cell, encoding)}; ${whatToDo}`
    const cells = row.cells.map((one) => (isWhole(one) ? one : ''))
    return { ...row, cells, fault: { code: row.fault?.code ?? 'not_text', says } }
  }
  return {
    ...table,
    async *rows() {
      for await (const batch of table.rows()) yield batch.map(judged)
    },
  }
}

const isWhole = (cell: CellValue): boolean =>
  typeof cell === 'string' ? cell.isWellFormed() : cell.every((one) => one.isWellFormed())
