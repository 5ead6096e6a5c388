/** Says of a row that its reader rejects what it is, as the ledger tells it: why, the column where one is at fault, and the raw text. */
import type { CellValue } from '../schemas/pipeline.ts'
import type { RowFault } from './candidate.ts'
import type { CellFault, Table, TableRow } from './readers/table.ts'
import { shownText } from './shown-text.ts'

type Rejected = Omit<RowFault, 'seq'>

export function rowFault(
  { row, cells: given, shown: cells = given, beyond = [] }: TableRow,
  { code, says, column, raw }: CellFault,
  { header, delimiter = '\t' }: Pick<Table, 'header' | 'delimiter'>,
): Rejected {
  if (column !== undefined) {
    const cell = cells[header.indexOf(column)] ?? ''
    return { row, code, says, column, raw: shownText(raw ?? (typeof cell === 'string' ? cell : JSON.stringify(cell))) }
  }
  const text = raw ?? rowText([...cells, ...beyond], delimiter)
  return { row, code, says, column: null, raw: text === '' ? null : shownText(text) }
}

/** Near to how the row stands in its file: of the quotes only those without which no one could tell where a cell ends. */
function rowText(cells: readonly CellValue[], delimiter: string): string {
  const texts = cells.map((cell) => {
    const text = shownText(typeof cell === 'string' ? cell : JSON.stringify(cell))
    return text.includes(delimiter) || /[\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
  })
  return texts.slice(0, texts.findLastIndex((text) => text !== '') + 1).join(delimiter)
}
