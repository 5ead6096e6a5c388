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
  /** Formulas that gave an error: by place, and what the sheet shows there. */
  readonly failed?: readonly (readonly [place: number, shown: string])[]
}

/** @param after rows up to this line are no records: the header, and what stands above it */
export async function* alignedRows(
  header: Header,
  batches: AsyncIterable<readonly RawRow[]>,
  after: number,
): AsyncGenerator<TableRow[]> {
  let row = 0
  for await (const batch of batches) {
    const out: TableRow[] = []
    for (const raw of batch) {
      if (raw.line <= after || raw.cells.every(isBlank)) continue
      out.push(toRow(header, raw, ++row))
    }
    if (out.length > 0) yield out
  }
}

function toRow(header: Header, { line, cells: found, failed }: RawRow, row: number): TableRow {
  const { places, width } = header
  const cells = places.map((own) => (own.length === 1 ? (found[own[0] ?? 0] ?? '') : listOf(own, found)))
  const beyond = found.findIndex((cell, i) => i >= width && !isBlank(cell))
  if (beyond < 0) return failed ? { row, line, cells, doubts: doubtsOf(header, failed) } : { row, line, cells }
  const says = `Row ${line} has a value in column ${beyond + 1}, and the header has ${width}; give that column a name`
  return { row, line, cells, fault: { code: 'ragged', says }, beyond: found.slice(width) }
}

const doubtsOf = ({ names, places }: Header, failed: NonNullable<RawRow['failed']>): CellDoubt[] =>
  failed.flatMap(([place, raw]): CellDoubt[] => {
    const column = names[places.findIndex((own) => own.includes(place))]
    if (column === undefined) return []
    const says = `${JSON.stringify(raw)} is a failed formula, read as a blank cell; correct it and export again`
    return [{ code: 'spreadsheet_error', column, raw, says }]
  })

function listOf(own: readonly number[], found: readonly CellValue[]): CellValue {
  const list = own.flatMap((place) => found[place] ?? '').filter((cell) => !isBlank(cell))
  return list.length > 0 ? list : ''
}
