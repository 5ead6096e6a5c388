/** Opens delimited text as a table: its first record names the columns, and a record that does not fit them is said to be ragged. */
import type { CellValue } from '../../schemas/pipeline.ts'
import { TableError } from '../table-error.ts'
import { isBlank } from './blank.ts'
import { cellCount } from './cell-count.ts'
import { readDelimited } from './delimited.ts'
import { type Dialect, delimiters } from './dialect.ts'
import { aboveNote, headerIndex } from './find-header.ts'
import type { Header } from './header.ts'
import { foldHeader } from './header.ts'
import type { RawRow } from './record-scan.ts'
import type { CellDoubt, Table, TableRow } from './table.ts'
import { isTextFormula, textFormulaNote, withTextsShown } from './text-formula.ts'

/**
 * @param open starts reading the file's text from its beginning
 * @param isList see `foldHeader`
 */
export async function openDelimited(
  open: () => AsyncIterable<string>,
  dialect: Dialect,
  isList: (name: string) => boolean,
): Promise<Pick<Table, 'notes' | 'header' | 'rows'>> {
  const { header, headerLine, missing, above, textFormulas } = await survey(readDelimited(open(), dialect), isList)
  const notes = [`delimiter ${dialect.reason}`, ...aboveNote(above)]
  for (const [i, name] of header.names.entries()) {
    const columns = header.places[i]?.map((place) => place + 1) ?? []
    if (columns.length > 1) notes.push(`columns ${columns.join(', ')} are one list, ${JSON.stringify(name)}`)
  }
  if (textFormulas) notes.push(textFormulaNote)
  if (missing > 0) notes.push(`every record lacks the last ${missing} cells of the header; they are read as blank`)

  async function* rows(): AsyncGenerator<TableRow[]> {
    let number = 0
    for await (const batch of readDelimited(open(), dialect)) {
      const out: TableRow[] = []
      for (const raw of batch) {
        if (raw.line > headerLine && !isEmpty(raw)) out.push(toRow(raw, ++number, header, missing))
      }
      if (out.length > 0) yield out
    }
  }

  return { notes, header: header.names, rows }
}

const isEmpty = ({ cells, fault }: RawRow) => fault === undefined && cells.every(isBlank)

function toRow({ line, cells, fault, raw, misquoted }: RawRow, row: number, header: Header, missing: number): TableRow {
  const aligned = withTextsShown(align(cells, header))
  const surplus = cells.slice(header.width)
  const beyond = surplus.every(isBlank) ? {} : { beyond: surplus }
  if (fault !== undefined) {
    const because = { code: 'unreadable', says: fault, ...(raw === undefined ? {} : { raw }) } as const
    return { row, line, cells: aligned, fault: because, ...beyond }
  }
  const found = cells.length
  if (isHeaderAgain(aligned, header)) {
    const says = `Line ${line} repeats the header; it was left out`
    return { row, line, cells: aligned, fault: { code: 'header_again', says } }
  }
  if (found === header.width - missing || (found > header.width && surplus.every(isBlank)))
    return { row, line, cells: aligned, ...(misquoted ? { doubts: doubtsOf(misquoted, header) } : {}) }
  const says = `Line ${line} ${cellCount.say(found, header.width)}; put a cell that holds the delimiter in quotes, and keep the delimiter of an empty cell`
  return { row, line, cells: aligned, fault: { code: 'ragged', says }, ...beyond }
}

/** Of a quote that closes before its cell ends RFC 4180 says nothing: it is read as spreadsheets read it, without the quotes, and told. */
const doubtsOf = (misquoted: NonNullable<RawRow['misquoted']>, { names, places }: Header): CellDoubt[] =>
  misquoted.flatMap(([place, given]): CellDoubt[] => {
    const column = names[places.findIndex((own) => own.includes(place))]
    if (column === undefined) return []
    const raw = given.slice(0, mostShown)
    const says = `the quote that opens ${JSON.stringify(raw)} closes before the cell ends, so the quotes around its beginning are left out; write a quote inside a cell twice and put the cell in quotes`
    return [{ code: 'quote_inside', column, raw, says }]
  })

/** Characters of a cell. */
const mostShown = 200

/** Files that were pasted together carry their header more than once; a lone column's name may be a value. */
const isHeaderAgain = (cells: readonly CellValue[], { names }: Header) =>
  names.length > 1 && cells.every((cell, i) => typeof cell === 'string' && cell.trim() === names[i])

function align(cells: readonly string[], { names, places, width }: Header): readonly CellValue[] {
  if (cells.length === width && names.length === width) return cells
  return places.map((own) => {
    if (own.length === 1) return cells[own[0] ?? 0] ?? ''
    const list = own.map((place) => cells[place] ?? '').filter((cell) => !isBlank(cell))
    return list.length > 0 ? list : ''
  })
}

/**
 * Reads as far as the first data record, and on only where that one is short: a file all of whose records lack the same last cells has a
 * header that promises too much, while a single short record has lost a cell nobody knows where.
 */
async function survey(batches: AsyncIterable<RawRow[]>, isList: (name: string) => boolean) {
  let header: Header | undefined
  let headerLine = 0
  let above: string[][] = []
  let records = 0
  let missing: number | undefined
  let textFormulas = false
  for await (const batch of batches) {
    let rows = batch.filter((row) => !isEmpty(row))
    if (!header) {
      const at = headerIndex(rows.map(({ cells }) => cells))
      const row = rows[at] ?? rows.find(({ fault }) => fault !== undefined)
      if (!row) continue
      if (row.fault !== undefined) throw new TableError('unreadable_header', `The header cannot be read. ${row.fault}`)
      header = foldHeader(withTextsShown(row.cells), isList)
      headerLine = row.line
      above = rows.slice(0, at).map(({ cells }) => cells)
      rows = rows.slice(at + 1)
    }
    for (const row of rows) {
      records++
      textFormulas ||= row.cells.some(isTextFormula)
      // With all its cells it shows that not all records lack some: those after it are then rather its own torn lines.
      if (row.fault !== undefined && row.cells.length !== header.width) continue
      const lacks = lackingCells(row, header)
      missing ??= lacks
      if (missing === 0 || missing !== lacks) return { header, headerLine, above, missing: 0, textFormulas }
    }
  }
  if (!header) throw new TableError('empty_file', 'The file is empty; send a header and one record for each product')
  if (records === 0)
    throw new TableError('empty_file', 'The file has a header and no records; send one record for each product')
  return { header, headerLine, above, missing: missing ?? 0, textFormulas }
}

/** A lone cell that holds a delimiter was written with another one than the header: nothing is known of its columns. */
function lackingCells({ cells }: RawRow, { width }: Header): number {
  if (cells.length === 1 && delimiters.some((delimiter) => cells[0]?.includes(delimiter))) return 0
  return Math.max(0, width - cells.length)
}
