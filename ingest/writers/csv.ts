/** Writes an export as CSV: RFC 4180, UTF-8, a header, and no cell that a spreadsheet would run. */
import { exportColumns } from '../../transforms/versions/export-row.ts'
import { guardFormula } from '../formula-guard.ts'
import type { ExportPages } from './pages.ts'

const special = /[",\r\n]|^\s|\s$/

export async function* writeCsv(pages: ExportPages): AsyncGenerator<string> {
  yield csvLine(exportColumns)
  for await (const rows of pages) {
    let text = ''
    for (const row of rows) text += csvLine(row)
    if (text !== '') yield text
  }
}

export const csvLine = (cells: readonly string[]) => `${cells.map(csvCell).join(',')}\r\n`

export function csvCell(value: string): string {
  const text = guardFormula(value)
  return special.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
