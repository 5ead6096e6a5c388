/** Refuses rows in which bytes are no text, each with its place, and none of their neighbours. */
import type { CellValue } from '../../schemas/pipeline.ts'
import { damageIn } from '../encoding/damage.ts'
import type { EncodingName } from '../encoding/names.ts'
import { TableError } from '../table-error.ts'
import type { Table, TableRow } from './table.ts'

const whatToDo = {
  Line: 'save the file as UTF-8, or say what it is written in with encoding=',
  Row: 'write its column as text in UTF-8, or leave that out',
} as const

/** @throws TableError where a column's name is damaged: no row could be read by it */
export function refusingDamage<T extends Pick<Table, 'header' | 'rows'>>(
  table: T,
  encoding: EncodingName,
  place: keyof typeof whatToDo = 'Line',
): T {
  for (const [i, name] of table.header.entries()) {
    const damage = damageIn(name, encoding)
    if (damage) throw new TableError('not_text', `In the header, column ${i + 1}, ${damage}; ${whatToDo[place]}`)
  }
  const judged = (row: TableRow): TableRow => {
    const at = firstDamaged(row.cells)
    if (at < 0 && (!row.beyond || firstDamaged(row.beyond) < 0)) return row
    const cells = row.cells.map((one) => (isWhole(one) ? one : ''))
    const shown = row.cells.map(whole)
    const beyond = row.beyond ? { beyond: row.beyond.map(whole) } : {}
    if (row.fault)
      return { ...row, cells, shown, ...beyond, fault: { ...row.fault, says: row.fault.says.toWellFormed() } }
    const cell = [row.cells[at] ?? ''].flat().join()
    const column = table.header[at] ?? ''
    const says = `${place} ${row.line}, column ${JSON.stringify(column)}: ${damageIn(cell, encoding)}; ${whatToDo[place]}`
    return { ...row, cells, shown, fault: { code: 'not_text', says, column } }
  }
  return {
    ...table,
    async *rows() {
      for await (const batch of table.rows()) yield batch.map(judged)
    },
  }
}

/** Every cell of a file is looked at: a loop takes a third of what a callback does. */
function firstDamaged(cells: readonly CellValue[]): number {
  for (let i = 0; i < cells.length; i++) {
    const cell = cells[i] ?? ''
    if (!isWhole(cell)) return i
  }
  return -1
}

const isWhole = (cell: CellValue): boolean =>
  typeof cell === 'string' ? cell.isWellFormed() : cell.every((one) => one.isWellFormed())
const whole = (cell: CellValue): CellValue =>
  typeof cell === 'string' ? cell.toWellFormed() : cell.map((one) => one.toWellFormed())
