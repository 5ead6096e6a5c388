/** Reads amounts of the Agentic Commerce Protocol, which are in minor units, in a document that is named for it. */
import { acpAmounts, decimalOf } from '../json/acp.ts'
import type { Cells } from './flatten.ts'

export function acpAmountCells(cells: Cells): void {
  for (const key of acpAmounts) {
    const [amount, currency] = ['amount', 'currency'].map((part) => cells.get(`variants.${key}.${part}`))
    if (typeof amount !== 'string' || typeof currency !== 'string') continue
    const decimal = decimalOf(amount.trim(), currency.trim())
    if (decimal !== null) cells.set(`variants.${key}`, decimal)
  }
}
