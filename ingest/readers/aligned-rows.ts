/** Lays rows under a header whose columns stand: of sheets and typed tables, where no delimiter can have been lost. */
import type { CellValue } from '../../schemas/pipeline.ts'
import { isBlank } from './blank.ts'
import type { Header } from './header.ts'
import type { CellDoubt, TableRow } from './table.ts'

export interface RawRow {
  /** Place in the file, from 1. */
  readonly line: number
  /** Shorter than the header where the last cells are empty. */
  readonly cells: readonly CellValue[]
  /** Places of numbers; see `TableRow`. */
  readonly pointed?: readonly number[]
  /** Cells that are read as blank, by place, and what the sheet has there. */
  readonly failed?: readonly (readonly [place: number, shown: string, code: keyof typeof failures])[]
  /** The first value that stands too far to the right to be a cell. */
  readonly unkept?: readonly [place: number, value: string]
}

/** @param after rows up to this line are no records: the header, and what stands above it */
export async function* alignedRows(
  header: Header,
  batches: AsyncIterable<readonly RawRow[]>,
  after: number,
): AsyncGenerator<TableRow[]> {
  let row = 0
  const align = pointedIn(header)
  for await (const batch of batches) {
    const out: TableRow[] = []
    for (const raw of batch) {
      if (raw.line <= after || saysNothing(raw)) continue
      out.push(toRow(header, raw, align(raw.pointed), ++row))
    }
    if (out.length > 0) yield out
  }
}

/** A formula that failed says as little as a blank cell; a lost text said something, and so may a formula without its result. */
const saysNothing = ({ cells, failed, unkept }: RawRow) =>
  unkept === undefined && cells.every(isBlank) && !failed?.some(([, , code]) => code !== 'spreadsheet_error')

/** Columns of places. Typed files give one array for all their rows. */
function pointedIn({ places }: Header) {
  const columns = new Map(places.flatMap((own, column) => own.map((place) => [place, column] as const)))
  let last: RawRow['pointed']
  let aligned: TableRow['pointed']
  return (pointed: RawRow['pointed']) => {
    if (pointed === last) return aligned
    last = pointed
    aligned = pointed?.flatMap((place) => columns.get(place) ?? [])
    return aligned
  }
}

function toRow(header: Header, raw: RawRow, pointed: TableRow['pointed'], row: number): TableRow {
  const { line, cells: found, failed, unkept } = raw
  const { places, width } = header
  const cells = places.map((own) => (own.length === 1 ? (found[own[0] ?? 0] ?? '') : listOf(own, found)))
  const numbers = pointed && pointed.length > 0 ? { pointed } : undefined
  const within = found.findIndex((cell, i) => i >= width && !isBlank(cell))
  const beyond = within < 0 ? (unkept?.[0] ?? -1) : within
  if (beyond >= 0) {
    const says = `Row ${line} has a value in column ${beyond + 1}, and the header has ${width}; give that column a name`
    const surplus = [...found.slice(width), ...(unkept ? [unkept[1]] : [])]
    return { row, line, cells, ...numbers, fault: { code: 'ragged', says }, beyond: surplus }
  }
  if (!failed) return { row, line, cells, ...numbers }
  if (!found.every(isBlank)) return { row, line, cells, ...numbers, doubts: doubtsOf(header, failed) }
  const what = failed.some(([, , code]) => code === 'missing_text')
    ? 'texts that the workbook does not have; save the workbook again'
    : `formulas without stored results; ${calculate}`
  const says = `Row ${line} has nothing but ${what}`
  return { row, line, cells, fault: { code: 'unreadable', says } }
}

const calculate = 'open the workbook in a spreadsheet program, and save it'

const failures = {
  spreadsheet_error: 'a failed formula, read as a blank cell; correct it and export again',
  missing_text: 'the number of a text that the workbook does not have, read as a blank cell; save the workbook again',
  no_result: `a formula without a stored result, read as a blank cell; ${calculate}`,
} as const

const doubtsOf = ({ names, places }: Header, failed: NonNullable<RawRow['failed']>): CellDoubt[] =>
  failed.flatMap(([place, raw, code]): CellDoubt[] => {
    const column = names[places.findIndex((own) => own.includes(place))]
    if (column === undefined) return []
    return [{ code, column, raw, says: `${JSON.stringify(raw)} is ${failures[code]}` }]
  })

function listOf(own: readonly number[], found: readonly CellValue[]): CellValue {
  const list = own.flatMap((place) => found[place] ?? '').filter((cell) => !isBlank(cell))
  return list.length > 0 ? list : ''
}
