/** Reads `="00123"`, by which people keep a spreadsheet from making a number of a text, as the text that it shows. */
import type { CellValue } from '../../schemas/pipeline.ts'

const equals = 61
const form = /^="((?:[^"]|"")*)"$/

export const textFormulaNote = 'cells written as ="text", which spreadsheets show as the text, are read as it'

export const isTextFormula = (cell: string): boolean => cell.charCodeAt(0) === equals && form.test(cell)

const shownText = (cell: string): string =>
  cell.charCodeAt(0) === equals ? (form.exec(cell)?.[1]?.replaceAll('""', '"') ?? cell) : cell

/** @returns the same array where no cell is one: every row of a file is looked at */
export function withTextsShown<T extends CellValue>(cells: readonly T[]): readonly T[] {
  for (let i = 0; i < cells.length; i++) {
    const cell = cells[i]
    if (typeof cell === 'string' ? cell.charCodeAt(0) === equals : cell?.some(isTextFormula))
      return cells.map((one) => (typeof one === 'string' ? shownText(one) : one.map(shownText)) as T)
  }
  return cells
}
