/** Reads `="00123"`, by which people keep a spreadsheet from making a number of a text, as the text that it shows. */
import type { CellValue } from '../../schemas/pipeline.ts'

const equals = 61
/** Characters that a spreadsheet's cell can have. */
const longest = 32_767

export const textFormulaNote = 'cells written as ="text", which spreadsheets show as the text, are read as it'

/** @returns null for what is none: a quote inside stands doubled, and one alone ends the text */
function textIn(cell: string): string | null {
  if (cell.length < 3 || cell.length > longest || !cell.startsWith('="') || !cell.endsWith('"')) return null
  const inner = cell.slice(2, -1)
  return inner.replaceAll('""', '').includes('"') ? null : inner.replaceAll('""', '"')
}

export const isTextFormula = (cell: string): boolean => textIn(cell) !== null

const shownText = (cell: string): string => textIn(cell) ?? cell

/** @returns the same array where no cell is one: every row of a file is looked at */
export function withTextsShown<T extends CellValue>(cells: readonly T[]): readonly T[] {
  for (let i = 0; i < cells.length; i++) {
    const cell = cells[i]
    if (typeof cell === 'string' ? cell.charCodeAt(0) === equals : cell?.some(isTextFormula))
      return cells.map((one) => (typeof one === 'string' ? shownText(one) : one.map(shownText)) as T)
  }
  return cells
}
