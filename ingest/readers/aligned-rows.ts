/** Lays rows under a header whose columns stand: of sheets and typed tables, where no delimiter can have been lost. */
import type { CellValue } from '../../schemas/pipeline.ts'
import { isBlank } from './blank.ts'
import type { Header } from './header.ts'
import type { TableRow } from './table.ts'

export interface RawRow {
  /** Place in the file, from 1. */
  readonly line: number
  /** Shorter than the header where the last cells are empty. */
  readonly cells: readonly CellValue[]
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
    for (const { line, cells } of batch) {
      if (line <= after || cells.every(isBlank)) continue
      out.push(toRow(header, cells, line, ++row))
    }
    if (out.length > 0) yield out
  }
}

function toRow({ places, width }: Header, found: readonly CellValue[], line: number, row: number): TableRow {
  const cells = places.map((own) => (own.length === 1 ? (found[own[0] ?? 0] ?? '') : listOf(own, found)))
  const beyond = found.findIndex((cell, i) => i >= width && !isBlank(cell))
  if (beyond < 0) return { row, line, cells }
  const says = `Row ${line} has a value in column ${beyond + 1}, and the header has ${width}; give that column a name`
  return { row, line, cells, fault: { code: 'ragged', says } }
}

function listOf(own: readonly number[], found: readonly CellValue[]): CellValue {
  const list = own.flatMap((place) => found[place] ?? '').filter((cell) => !isBlank(cell))
  return list.length > 0 ? list : ''
}
