/** A file of rejected rows in their source's own columns, with the reasons beside them: written for people, and read back as it was sent. */
import type { CellValue } from '../schemas/pipeline.ts'
import { isForPeople, unguardFormula } from './formula-guard.ts'
import { isBlank } from './readers/blank.ts'
import { cellCount } from './readers/cell-count.ts'
import { placeWord } from './readers/place-word.ts'
import { type CellFault, type OpenOptions, openTable, type Table, type TableRow } from './readers/table.ts'
import { shownText } from './shown-text.ts'
import { csvLine } from './writers/csv.ts'

export interface Rejected {
  /** Data record, from 1. */
  readonly row: number
  readonly says: string | null
}

/** Row of the file it was rejected from, why, and which of the cells are lists (a JSON array of columns). */
const rowColumn = 'assay_row'
const reasonColumn = 'assay_reason'
const listsColumn = 'assay_lists'
const ownColumns = [rowColumn, reasonColumn, listsColumn] as const

/** Which of the cells are numbers and no texts, likewise; files of texts have no such column. */
const numbersColumn = 'assay_numbers'

/** Stands for bytes that are no text, and behind the last column for what else could not be read: it is seen, and is no data. */
const lost = '\ufffd'

const isOwn = (column: string) => column === numbersColumn || (ownColumns as readonly string[]).includes(column)

/** A spreadsheet may have saved it as its own kind. */
const isRejectsFile = ({ kind, header }: Table) =>
  isForPeople(kind) && ownColumns.every((column) => header.includes(column))

export interface ProductTable extends Table {
  /** It is a file of rejects, and shown here as its rows stood in the file they come from. */
  readonly ofRejects: boolean
  /** Its file tells numbers from texts, or is of rejects of such a file. */
  readonly hasNumbers: boolean
}

const textKinds: ReadonlySet<Table['kind']> = new Set(['delimited', 'xml'])

/** @throws TableError as `openTable` */
export async function openProductTable(path: string, options: OpenOptions = {}): Promise<ProductTable> {
  const table = await openTable(path, options)
  return isRejectsFile(table) ? asItWas(table) : { ...table, ofRejects: false, hasNumbers: !textKinds.has(table.kind) }
}

function asItWas(table: Table): ProductTable {
  const [lists, reasons] = [table.header.indexOf(listsColumn), table.header.indexOf(reasonColumn)]
  const numbers = table.header.indexOf(numbersColumn)
  const places = table.header.flatMap((column, i) => (isOwn(column) ? [] : [i]))
  const header = places.map((place) => unguardFormula(table.header[place] ?? ''))
  const restore = (sent: TableRow): TableRow => {
    const listed = listsOf(sent.cells[lists])
    const typed = listsOf(sent.cells[numbers])
    const pointed = header.flatMap((name, i) => (typed.has(name) || sent.pointed?.includes(places[i] ?? -1) ? [i] : []))
    const row = {
      ...sent,
      pointed,
      cells: places.map((place, i) => cellOf(sent.cells[place] ?? '', listed.has(header[i] ?? ''))),
      ...(sent.beyond ? { beyond: sent.beyond.map((cell) => cellOf(cell, false)) } : {}),
    }
    const fault = stillAtFault(row, header, placeWord(table.kind)) ?? row.fault
    return fault ? { ...row, fault } : stillLacking(row, header, sent.cells[reasons])
  }
  const own = table.header.filter(isOwn)
  const note = `a file of rejects: ${own.join(', ')} are left out`
  return {
    ...table,
    notes: [...table.notes, note],
    header,
    ofRejects: true,
    hasNumbers: numbers >= 0 || !textKinds.has(table.kind),
    async *rows() {
      for await (const rows of table.rows()) yield rows.map(restore)
    },
  }
}

/** What made a row no product when it was first sent does so again, until somebody has repaired it. */
function stillAtFault(
  { line, cells, beyond = [] }: TableRow,
  header: readonly string[],
  word: string,
): CellFault | null {
  const at = cells.findIndex(isLost)
  if (at >= 0 || beyond.some(isLost)) {
    const column = at < 0 ? null : (header[at] ?? '')
    const place = column === null ? 'behind its last column' : `in column ${JSON.stringify(column)}`
    const says = `${word} ${line} still has ${lost} ${place}, which stands for what could not be read; write what was meant, and remove it`
    return { code: 'unreadable', says, ...(column === null ? {} : { column }) }
  }
  const [surplus] = beyond.flat().filter((cell) => !isBlank(cell))
  if (surplus !== undefined) {
    const says = `${word} ${line} still has ${JSON.stringify(shownText(surplus))} behind its last column; put it where it belongs, or remove it`
    return { code: 'ragged', says }
  }
  if (header.length > 1 && cells.every((cell, i) => typeof cell === 'string' && cell.trim() === header[i]))
    return { code: 'header_again', says: `${word} ${line} still repeats the header; it was left out` }
  return null
}

/** A row that had too few cells has blank ones in their place: it is taken as it stands, and nobody can say it was not told. */
function stillLacking(row: TableRow, header: readonly string[], reasons: CellValue | undefined): TableRow {
  const lacks = typeof reasons === 'string' ? cellCount.lacking(reasons) : null
  const column = lacks && header[Math.min(lacks.found, header.length - 1)]
  if (!lacks || column == null || !row.cells.slice(header.indexOf(column)).every(isBlank)) return row
  const says = `the row had ${lacks.found} cells of ${lacks.width} when it was first sent, and is read as if only its last ones were missing: see that each value stands in its own column`
  return { ...row, doubts: [...(row.doubts ?? []), { code: 'cells_missing', column, raw: '', says }] }
}

function cellOf(cell: CellValue, isList: boolean): CellValue {
  if (typeof cell !== 'string') return cell
  const text = unguardFormula(cell)
  return (isList ? textsOf(text) : null) ?? text
}

const listsOf = (cell: CellValue | undefined) => new Set(typeof cell === 'string' ? textsOf(cell) : null)

/** @returns null where somebody wrote something else into it */
function textsOf(json: string): readonly string[] | null {
  try {
    const found: unknown = JSON.parse(json)
    return Array.isArray(found) && found.every((one) => typeof one === 'string') ? found : null
  } catch {
    return null
  }
}

/** @param rejected in order of the file; several of one row stand together */
export async function* writeRejects(
  table: Pick<ProductTable, 'header' | 'rows' | 'hasNumbers'>,
  rejected: AsyncIterable<readonly Rejected[]>,
): AsyncGenerator<string> {
  yield csvLine([...ownColumns, ...(table.hasNumbers ? [numbersColumn] : []), ...table.header])
  const wanted = byRow(rejected)
  let next = await wanted.next()
  for await (const rows of table.rows()) {
    let text = ''
    for (const row of rows) {
      while (!next.done && next.value.row < row.row) next = await wanted.next()
      if (next.done) break
      if (next.value.row === row.row) text += rejectedLine(table, row, next.value.reasons)
    }
    if (text !== '') yield text
    if (next.done) return
  }
}

/** Cells behind the last column have no name: so the row is as ragged as it was, in a spreadsheet too, until they are put in place. */
function rejectedLine(
  { header, hasNumbers }: Pick<ProductTable, 'header' | 'hasNumbers'>,
  { row, cells: given, shown: cells = given, pointed = [], beyond = [], fault }: TableRow,
  reasons: readonly string[],
): string {
  const isUnread = fault?.code === 'unreadable' && ![...cells, ...beyond].some(isLost)
  const surplus = isUnread ? [...beyond, lost] : beyond
  const lists = header.filter((_, i) => typeof cells[i] !== 'string' && cells[i] !== undefined)
  const texts = [...header.map((_, i) => cells[i] ?? ''), ...surplus].map((cell) =>
    typeof cell === 'string' ? cell : JSON.stringify(cell),
  )
  const namesOf = (columns: readonly string[]) => (columns.length === 0 ? '' : JSON.stringify(columns))
  const numbers = pointed.map((i) => header[i] ?? '').filter((name) => name !== '')
  const own = [String(row), reasons.join('; '), namesOf(lists), ...(hasNumbers ? [namesOf(numbers)] : [])]
  return csvLine([...own, ...texts])
}

const isLost = (cell: CellValue) => [cell].flat().some((text) => text.includes(lost))

async function* byRow(pages: AsyncIterable<readonly Rejected[]>): AsyncGenerator<Reasons> {
  let open: Reasons | undefined
  for await (const page of pages) {
    for (const { row, says } of page) {
      if (open?.row !== row) {
        if (open) yield open
        open = { row, reasons: [] }
      }
      if (says !== null) open.reasons.push(says)
    }
  }
  if (open) yield open
}

interface Reasons {
  readonly row: number
  readonly reasons: string[]
}
