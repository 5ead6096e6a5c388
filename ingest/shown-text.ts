/** Raw text for eyes: cut where it is long, and without what neither JSON nor Postgres can hold. */
import type { CellValue } from '../schemas/pipeline.ts'

const mostCharacters = 500
const mostOfList = 20

export function shownText(text: string): string {
  const cut = text.length > mostCharacters ? `${text.slice(0, mostCharacters)}…` : text
  return cut.replaceAll('\u0000', '\u2400').toWellFormed()
}

/** A row whose cells are known by their names. */
export const shownCells = (cells: Readonly<Record<string, CellValue>>): string =>
  shownText(JSON.stringify(Object.fromEntries(Object.entries(cells).map(([name, cell]) => [name, shownCell(cell)]))))

export const shownRow = (cells: readonly CellValue[]): CellValue[] => cells.map(shownCell)

const shownCell = (cell: CellValue): CellValue =>
  typeof cell === 'string' ? shownText(cell) : cell.slice(0, mostOfList).map(shownText)
