/** Opens a JSON array of arrays as a table: the first names the columns. */
import type { CellValue } from '../../../schemas/pipeline.ts'
import { TableError } from '../../table-error.ts'
import { beginning } from '../beginning.ts'
import { isBlank } from '../blank.ts'
import { foldHeader, type Header, isListName } from '../header.ts'
import { halfCharacter, placeOf } from '../json-line.ts'
import { cellOf, isPointed, itemsOf, skipSpace, tooMuch } from '../json-members.ts'
import type { Table, TableRow } from '../table.ts'
import type { Cut } from './walk.ts'

export async function openRows(
  cuts: () => AsyncIterable<Cut[]>,
  notes: readonly string[],
): Promise<Pick<Table, 'notes' | 'header' | 'rows'>> {
  let header: Header | undefined
  let records = 0
  for await (const batch of cuts()) {
    for (const cut of batch) {
      if (header) records++
      else header = headerOf(cut)
    }
  }
  if (!header || records === 0)
    throw new TableError('empty_file', 'The JSON array has a header and no records; give one array for each product')
  const found = header

  async function* rows(): AsyncGenerator<TableRow[]> {
    let number = 0
    let first = true
    for await (const batch of cuts()) {
      const out: TableRow[] = []
      for (const cut of batch) {
        const row = first ? null : toRow(cut, found, number + 1)
        first = false
        if (!row) continue
        number++
        out.push(row)
      }
      if (out.length > 0) yield out
    }
  }

  return { notes, header: header.names, rows }
}

function headerOf(cut: Cut): Header {
  const found = cellsOf(cut)
  const cells = typeof found === 'string' ? found : found.map(({ cell }) => cell)
  if (typeof cells === 'string' || !cells.every((cell) => typeof cell === 'string')) {
    const why = typeof cells === 'string' ? cells : `Line ${cut.line} has a list where a name should be`
    throw new TableError('unreadable_header', `The first array of the document should name the columns. ${why}`)
  }
  return foldHeader(cells, isListName)
}

function toRow(cut: Cut, { places, width }: Header, row: number): TableRow | null {
  const read = cellsOf(cut)
  const { line } = cut
  if (typeof read === 'string')
    return {
      row,
      line,
      cells: places.map(() => ''),
      fault: { code: 'unreadable', says: read, raw: beginning(cut.text) },
    }
  const found = read.map(({ cell }) => cell)
  if (found.every(isBlank)) return null
  const cells = places.map((own): CellValue => {
    if (own.length === 1) return found[own[0] ?? 0] ?? ''
    const list = own.flatMap((place) => found[place] ?? '').filter((cell) => !isBlank(cell))
    return list.length > 0 ? list : ''
  })
  const pointed = places.flatMap((own, i) => (own.some((place) => read[place]?.pointed) ? [i] : []))
  const numbers = pointed.length > 0 ? { pointed } : undefined
  if (!found.some((cell, i) => i >= width && !isBlank(cell))) return { row, line, cells, ...numbers }
  const says = `Line ${line} has ${found.length} values where the header has ${width}; give each column a name`
  return { row, line, cells, ...numbers, fault: { code: 'ragged', says }, beyond: found.slice(width) }
}

/** @returns a sentence where the array cannot be read */
function cellsOf({ line, text, fault }: Cut): { cell: CellValue; pointed: boolean }[] | string {
  if (fault !== undefined) return fault
  const open = skipSpace(text, 0)
  try {
    JSON.parse(text)
  } catch (error) {
    return `Line ${line} is no valid JSON${placeOf(error)}; repair it`
  }
  if (text[open] !== '[')
    return `Line ${line} is no array as the first of the document is; give one array for each product`
  const items = itemsOf(text, open)
  if (!items) return `Line ${line} ${tooMuch}`
  const cells: { cell: CellValue; pointed: boolean }[] = []
  for (const { start, end } of items) {
    const cell = cellOf(text, start, end)
    if (cell === null) return `Line ${line} ${halfCharacter}`
    cells.push({ cell, pointed: isPointed(text, start, end) })
  }
  return cells
}
