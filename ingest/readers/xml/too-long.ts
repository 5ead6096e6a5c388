/** Says of a row whose item was too long or too deep to be held what is wrong with it; what could be held of it stands beside that. */
import type { CellValue } from '../../../schemas/pipeline.ts'
import type { CellFault, TableRow } from '../table.ts'
import { deepest, lost } from './events.ts'
import { elementCost, type Unheld } from './items.ts'

const isLost = (cell: CellValue) => [cell].flat().some((text) => text.includes(lost))

/** @param found with U+FFFD for what was let go */
export function tooLong(
  unheld: Unheld,
  found: readonly CellValue[],
  header: readonly string[],
): Pick<TableRow, 'cells' | 'shown'> & { readonly fault: CellFault } {
  const exact = found.indexOf(lost)
  const column = header[exact < 0 ? found.findIndex(isLost) : exact]
  const named = unheld.alone && column !== undefined ? { column } : {}
  const fault = { code: 'unreadable', says: saysTooLong(unheld, named.column), raw: unheld.begins, ...named } as const
  return { cells: found.map((cell) => (isLost(cell) ? '' : cell)), shown: found, fault }
}

export function saysTooLong({ because, line, alone, millions }: Unheld, column?: string): string {
  if (because === 'deep')
    return `Line ${line}${column === undefined ? '' : `, column ${JSON.stringify(column)}`}: the file is nested more than ${deepest} levels deep here; send the product as flatter XML`
  const most = `${millions} million characters`
  return alone
    ? `Line ${line}${column === undefined ? '' : `, column ${JSON.stringify(column)}`}: what begins here has more than ${most}, too long for one product; shorten it`
    : `Line ${line}: by here the product has more than ${most}, with ${elementCost} for each element, too long for one product; shorten it`
}
