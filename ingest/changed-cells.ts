/** Which cells of a file of edits say something else than the product does now; the others are no edits. */
import { type CellValue, clearWord } from '../schemas/pipeline.ts'
import type { Field } from '../schemas/product.ts'
import { isClear, setOwn } from '../transforms/bronze/cell-value.ts'
import { compareAmounts } from '../transforms/silver/compare-amounts.ts'
import { jsonFields } from '../transforms/versions/export-row.ts'

const amounts: readonly string[] = ['price', 'sale_price', 'original_price'] satisfies Field[]
const sides: readonly string[] = ['length', 'width', 'height'] satisfies Field[]
const decimal = /^\d+(?:\.\d+)?$/

/**
 * @param cells by field; blank ones are left out already
 * @param present what an export says of the product now
 */
export function changedCells(
  cells: Readonly<Record<string, CellValue>>,
  present: ReadonlyMap<string, string>,
): Record<string, CellValue> {
  const changed: Record<string, CellValue> = {}
  for (const [field, value] of Object.entries(cells))
    if (!saysTheSame(field, value, present.get(field) ?? '')) setOwn(changed, field, value)
  const says = (field: string) => changed[field] !== undefined && !isClear(changed[field])
  const fill = (field: string) => {
    const value = cells[field] ?? present.get(field)
    if (changed[field] === undefined && value) changed[field] = value
  }
  // An amount takes its currency from its own source alone, and a currency says nothing without its amounts (DESIGN 5.4).
  if (says('currency')) amounts.forEach(fill)
  else if (amounts.some(says)) fill('currency')
  // An export's images begin with the primary one, and a description may be the short one: what stands for both replaces both.
  if (changed.images !== undefined) changed.image ??= clearWord
  if (isClear(changed.description ?? '')) changed.short_description ??= clearWord
  // So it is with sides that one cell may have said together, with a sale's two ends, and with a date behind a stock word.
  if (sides.some((side) => changed[side] !== undefined)) {
    sides.forEach(fill)
    changed.dimensions ??= clearWord
  }
  if (isClear(changed.sale_price_effective_date ?? ''))
    for (const end of ['sale_price_start_date', 'sale_price_end_date']) changed[end] ??= clearWord
  if (isClear(changed.availability_date ?? '')) fill('availability')
  return changed
}

function saysTheSame(field: string, value: CellValue, present: string): boolean {
  if (isClear(value)) return present === ''
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  if (text === present) return true
  // A spreadsheet drops the last zeros of what it takes for a number.
  if (amounts.includes(field) && decimal.test(text.trim()) && decimal.test(present))
    return compareAmounts(text.trim(), present) === 0
  return canonical(field, text) === canonical(field, present)
}

/** Programs write JSON with spaces of their own, and line ends in their own way. */
function canonical(field: string, text: string): string {
  const plain = text.replace(/\r\n?/g, '\n').trim()
  if (!jsonFields.has(field)) return plain
  try {
    return JSON.stringify(JSON.parse(plain))
  } catch {
    return plain
  }
}
