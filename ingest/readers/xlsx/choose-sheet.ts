/** Finds the sheet of a workbook that the caller asks for, and says which one was read. */
import { TableError } from '../../table-error.ts'
import type { Sheet } from './workbook.ts'

/** @param asked its name, or its number from 1 among all sheets; hidden ones are given only so */
export function askedSheet(sheets: readonly Sheet[], asked: string): Sheet {
  const named = sheets.find(({ name }) => name === asked) ?? sheets.find(({ name }) => same(name, asked))
  const found = named ?? (/^\d{1,4}$/.test(asked) ? sheets[Number(asked) - 1] : undefined)
  if (found) return found
  const names = sheets.map(({ name }, i) => `${i + 1} ${JSON.stringify(name)}`).join(', ')
  throw new TableError('no_sheet', `The workbook has no sheet ${JSON.stringify(asked)}; its sheets are ${names}`)
}

const same = (a: string, b: string) => a.trim().toLowerCase() === b.trim().toLowerCase()

/** For people: what was taken, and what else there is. */
export function sheetNote(sheets: readonly Sheet[], taken: Sheet, asked: boolean): string {
  const others = sheets.filter((sheet) => sheet !== taken)
  const note = `sheet ${JSON.stringify(taken.name)} of a workbook`
  if (others.length === 0) return note
  const names = others.map(({ name, visible }) => `${JSON.stringify(name)}${visible ? '' : ' (hidden)'}`).join(', ')
  const why = asked ? 'as the caller says' : 'the first whose columns look like products'
  return `${note}, ${why}; not read: ${names}${asked ? '' : ' (choose with sheet=)'}`
}
