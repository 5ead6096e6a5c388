/** Writes the table of an answer: as CSV that no spreadsheet would run, Parquet, or a stream of Arrow IPC. */
import type { Table } from '../../schemas/table.ts'
import { openScratch } from '../scratch.ts'
import { csvCell, csvLine } from './csv.ts'

/** Nothing is an empty cell, and an empty text is one in quotes, as databases write and read them. */
export function tableCsv({ columns, rows }: Table): string {
  const cell = (value: string | number | null) => {
    if (value === null) return ''
    // A number is inert, however it is written.
    if (typeof value === 'number') return String(value)
    return value === '' ? '""' : csvCell(value)
  }
  return csvLine(columns.map(({ name }) => name)) + rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('')
}

/** @param path where the file goes; what is needed beside it is gone when this returns */
export async function writeTableParquet({ columns, rows }: Table, path: string): Promise<void> {
  const scratch = openScratch(`${path}.duckdb`)
  try {
    const table = await scratch.table(
      'answer',
      columns.map(({ name, kind }) => ({ name, type: kind })),
    )
    for (const row of rows) table.add(row)
    table.flush()
    await scratch.run(`copy answer to '${path.replaceAll("'", "''")}' (format parquet, compression zstd)`)
  } finally {
    await scratch.close()
  }
}
