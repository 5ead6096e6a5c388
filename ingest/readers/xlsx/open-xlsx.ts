/** Opens an Excel workbook as a table: its first visible sheet, whose first row with values names the columns. */
import { TableError } from '../../table-error.ts'
import { alignedRows, type RawRow } from '../aligned-rows.ts'
import { isBlank } from '../blank.ts'
import { foldHeader, type Header, isRemark } from '../header.ts'
import type { Table } from '../table.ts'
import { sheetRows } from './sheet-rows.ts'
import { openWorkbook } from './workbook.ts'
import { openZip, type ZipEntries } from './zip-entries.ts'

/** @param isList see `foldHeader` */
export async function openXlsx(
  path: string,
  isList: (name: string) => boolean,
): Promise<Pick<Table, 'notes' | 'header' | 'rows'>> {
  return inZip(path, async (zip) => {
    const workbook = await openWorkbook(zip)
    const found = await findHeader(sheetRows(zip.read(workbook.part), workbook), isList)
    return {
      notes: [`sheet ${JSON.stringify(workbook.sheet)} of a workbook`],
      header: found.header.names,
      async *rows() {
        const again = await openZip(path)
        try {
          yield* alignedRows(found.header, sheetRows(again.read(workbook.part), workbook), found.line)
        } finally {
          again.close()
        }
      },
    }
  })
}

async function inZip<T>(path: string, work: (zip: ZipEntries) => Promise<T>): Promise<T> {
  const zip = await openZip(path)
  try {
    return await work(zip)
  } finally {
    zip.close()
  }
}

async function findHeader(batches: AsyncIterable<RawRow[]>, isList: (name: string) => boolean) {
  let found: { header: Header; line: number } | undefined
  for await (const batch of batches) {
    for (const { line, cells } of batch) {
      if (cells.every(isBlank)) continue
      if (found) return found
      const names = cells.map((cell) => (typeof cell === 'string' ? cell : ''))
      if (!isRemark(names)) found = { header: foldHeader(names, isList), line }
    }
  }
  if (found) throw new TableError('empty_file', 'The sheet has a header and no rows; give one row for each product')
  throw new TableError('empty_file', 'The first sheet is empty; give it a header and one row for each product')
}
