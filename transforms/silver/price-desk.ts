/** What the price steps have before them, and where they tell their doubts. */
import type { CellWarning, FieldCell, ImportContext, MergedFields, SilverSettings } from '../../schemas/pipeline.ts'
import { moneyText } from './currency.ts'
import { warningAt } from './reading.ts'

export interface PriceDesk {
  readonly fields: MergedFields
  readonly contexts: (id: number) => ImportContext | undefined
  readonly settings: SilverSettings
  readonly warnings: CellWarning[]
  /** See `RefinedProduct`. */
  refusedSale: string | null
}

export function warn(desk: PriceDesk, cell: FieldCell, code: string, says: string) {
  const warning = warningAt(cell, { code, says })
  // One currency cell stands beside several amounts.
  if (!desk.warnings.some((told) => told.code === code && told.column === cell.column)) desk.warnings.push(warning)
}

export function refuseSale(desk: PriceDesk, amount: string, currency: string | null) {
  desk.refusedSale = [moneyText(amount, currency).text, ...(currency === null ? [] : [currency])].join(' ')
}
