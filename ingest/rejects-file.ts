/** A file of rejected rows in their source's own columns, with the reasons beside them: written for people, and read back as it was sent. */
import type { CellValue } from '../schemas/pipeline.ts'
import { unguardFormula } from './formula-guard.ts'
import { type OpenOptions, openTable, type Table, type TableRow } from './readers/table.ts'
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

const isOwn = (column: string) => column === numbersColumn || (ownColumns as readonly string[]).includes(column)

/** A spreadsheet may have saved it as its own kind. */
const isRejectsFile = ({ kind, header }: Table) =>
  (kind === 'delimited' || kind === 'xlsx') && ownColumns.every((column) => header.includes(column))

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
  const lists = table.header.indexOf(listsColumn)
  const numbers = table.header.indexOf(numbersColumn)
  const places = table.header.flatMap((column, i) => (isOwn(column) ? [] : [i]))
  const header = places.map((place) => unguardFormula(table.header[place] ?? ''))
  const restore = ({ cells, ...row }: TableRow): TableRow => {
    const listed = listsOf(cells[lists])
    const typed = listsOf(cells[numbers])
    const pointed = header.flatMap((name, i) => (typed.has(name) || row.pointed?.includes(places[i] ?? -1) ? [i] : []))
    return {
      ...row,
      ...(pointed.length > 0 ? { pointed } : {}),
      cells: places.map((place, i) => cellOf(cells[place] ?? '', listed.has(header[i] ?? ''))),
    }
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

function rejectedLine(
  { header, hasNumbers }: Pick<ProductTable, 'header' | 'hasNumbers'>,
  { row, cells, pointed = [] }: TableRow,
  reasons: readonly string[],
): string {
  const lists = header.filter((_, i) => typeof cells[i] !== 'string' && cells[i] !== undefined)
  const texts = header.map((_, i) => {
    const cell = cells[i] ?? ''
    return typeof cell === 'string' ? cell : JSON.stringify(cell)
  })
  const namesOf = (columns: readonly string[]) => (columns.length === 0 ? '' : JSON.stringify(columns))
  const numbers = pointed.map((i) => header[i] ?? '').filter((name) => name !== '')
  const own = [String(row), reasons.join('; '), namesOf(lists), ...(hasNumbers ? [namesOf(numbers)] : [])]
  return csvLine([...own, ...texts])
}

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
