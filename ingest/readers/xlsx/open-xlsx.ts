/** Opens an Excel workbook as a table: one of its sheets, whose first row with values names the columns. */
import { openZip, type ZipEntries } from '../../packing/zip-entries.ts'
import { TableError } from '../../table-error.ts'
import { alignedRows, type RawRow } from '../aligned-rows.ts'
import { isBlank } from '../blank.ts'
import { aboveNote, fieldsIn, headerIndex, headerWithin } from '../find-header.ts'
import { foldHeader } from '../header.ts'
import type { BinaryOptions, Table } from '../table.ts'
import { askedSheet, sheetNote } from './choose-sheet.ts'
import { sheetRows } from './sheet-rows.ts'
import { openWorkbook, type Sheet, type Workbook } from './workbook.ts'

export async function openXlsx(
  path: string,
  { isList, sheet: asked, bounds }: BinaryOptions,
): Promise<Pick<Table, 'notes' | 'header' | 'rows'>> {
  const rowsOf = (zip: ZipEntries, workbook: Workbook, sheet: Sheet) =>
    sheetRows(zip.read(sheet.part, bounds), workbook, sheet)
  return inZip(path, async (zip) => {
    // Archives of files were told from workbooks before; what is here was in one.
    if (!zip.has('xl/workbook.xml'))
      throw new TableError('not_a_table', 'The archive holds another archive; unpack it once, and send what is inside')
    const workbook = await openWorkbook(zip)
    const look = async (sheet: Sheet) => ({ sheet, ...(await headOf(rowsOf(zip, workbook, sheet))) })
    const { sheet, names, line, above } =
      asked === undefined ? await likeliest(workbook.sheets, look) : await look(askedSheet(workbook.sheets, asked))
    const header = foldHeader(names, isList)
    return {
      notes: [sheetNote(workbook.sheets, sheet, asked !== undefined), ...above],
      header: header.names,
      async *rows() {
        const again = await openZip(path)
        try {
          yield* alignedRows(header, rowsOf(again, workbook, sheet), line)
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

interface Head {
  readonly names: readonly string[]
  readonly line: number
  readonly above: readonly string[]
}

/** Of the fields that the richest header names, what makes an earlier sheet as good: working copies have a column more or less. */
const asGood = 2 / 3

/** The first sheet that looks like products; sheets without rows are passed over. */
async function likeliest<T extends Head>(sheets: readonly Sheet[], look: (sheet: Sheet) => Promise<T>): Promise<T> {
  const found: { head: T; fields: number }[] = []
  let fault: unknown
  for (const sheet of sheets.filter(({ visible }) => visible)) {
    try {
      const head = await look(sheet)
      found.push({ head, fields: fieldsIn(head.names) })
    } catch (error) {
      if (!(error instanceof TableError) || error.code !== 'empty_file') throw error
      fault ??= error
    }
  }
  const most = Math.max(...found.map(({ fields }) => fields))
  const first = found.find(({ fields }) => fields >= most * asGood)
  if (first) return first.head
  if (fault) throw fault
  throw new TableError(
    'empty_file',
    'The workbook has no visible sheet; put the products on one, or choose with sheet=',
  )
}

/** Batches without a row, a few thousand empty rows each, after which no more of the sheet is looked at for its header. */
const emptyBatches = 20

async function headOf(batches: AsyncIterable<RawRow[]>): Promise<Head> {
  let empty = 0
  const first: { line: number; names: string[] }[] = []
  for await (const batch of batches) {
    for (const { line, cells } of batch)
      if (!cells.every(isBlank))
        first.push({ line, names: cells.map((cell) => (typeof cell === 'string' ? cell : '')) })
    empty = batch.length === 0 ? empty + 1 : 0
    if (first.length > headerWithin || (first.length > 1 && empty > emptyBatches)) break
  }
  const at = headerIndex(first.map(({ names }) => names))
  const header = first[at]
  if (!header) throw new TableError('empty_file', 'The sheet is empty; give it a header and one row for each product')
  if (at + 1 === first.length)
    throw new TableError('empty_file', 'The sheet has a header and no rows; give one row for each product')
  return { ...header, above: aboveNote(first.slice(0, at).map(({ names }) => names)) }
}
