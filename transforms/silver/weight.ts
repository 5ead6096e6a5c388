/** Reads a weight as text with its unit, which may stand in the cell or in the name of its column. */
import { type Mark, type NumberRule, parseAmount } from './number-format.ts'
import { readTitle } from './text.ts'

const units: readonly (readonly [unit: string, named: RegExp])[] = [
  ['kg', /\b(?:kg|kgs|kilograms?|kilogramm|кг)\b/i],
  ['lb', /\b(?:lbs?|pounds?)\b/i],
  ['oz', /\b(?:oz|ounces?)\b/i],
  ['g', /\b(?:g|gr|grams?|gramm|grammes?)\b/i],
]

const unitOf = (column: string) => units.find(([, named]) => named.test(column.replaceAll('_', ' ')))?.[0] ?? null

/** Zero is what systems write for a weight that nobody entered. */
export function readWeight(column: string, raw: string, how: Mark | null | NumberRule): string | null {
  const text = readTitle(raw)
  if (text === null || /^0*(?:[.,]0*)?\s*[a-z]*$/i.test(text)) return null
  const unit = unitOf(column)
  if (!/^[\d.,\s']+$/.test(text)) return text
  const amount = parseAmount(text, how).text?.replace(/\.0+$/, '') ?? text
  return unit ? `${amount} ${unit}` : amount
}
