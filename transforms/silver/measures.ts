/** Reads what a product weighs and measures, and by what measure it is sold, each with the unit that its own source gives. */
import type { FieldCell } from '../../schemas/pipeline.ts'
import type { Desk } from './desk.ts'
import { readDimensions } from './dimensions.ts'
import { readMeasure } from './measure.ts'
import { numberRule } from './number-rule.ts'
import { isBlank } from './placeholders.ts'
import { type Reading, textOf } from './reading.ts'
import type { Side } from './side-letters.ts'
import { readTitle } from './text.ts'
import { unitMissing } from './unit-missing.ts'
import { agreed, readBaseMeasure, readPricingMeasure } from './unit-pricing.ts'
import { type Quantity, unitOfColumn } from './units.ts'

type Measures = Readonly<Record<'weight' | Side | 'unitPricingMeasure' | 'unitPricingBaseMeasure', string | null>>

export function readMeasures(desk: Desk): Measures {
  const rule = (cell: FieldCell) => numberRule(cell, desk.contexts(cell.origin.context), desk.settings)
  // What is so of the whole column is said there.
  const told = <T>(cell: FieldCell, reading: Reading<T>): Reading<T> =>
    desk.contexts(cell.origin.context)?.unitless?.[cell.column] === undefined
      ? reading
      : {
          ...reading,
          findings: reading.findings.map((one) => (one.code === 'unit_missing' ? { ...one, ofColumn: true } : one)),
        }
  const measure = (field: 'weight' | Side, quantity: Quantity) =>
    desk.read(field, (raw, cell) => {
      const reading = readMeasure(raw, [quantity], rule(cell), unitFor(desk, cell, quantity))
      return told(cell, unitMissing(raw, reading, quantity === 'weight' ? '1.5 kg' : '30 cm'))
    })
  const together = desk.read('dimensions', (raw, cell) =>
    told(cell, readDimensions(cell.column, raw, rule(cell), unitFor(desk, cell, 'length'))),
  )
  const side = (field: Side) => measure(field, 'length') ?? together?.[field] ?? null
  const sold = desk.read('unit_pricing_measure', (raw, cell) =>
    told(cell, unitMissing(raw, readPricingMeasure(cell.column, raw, rule(cell)), '750 ml')),
  )
  return {
    weight: measure('weight', 'weight'),
    length: side('length'),
    width: side('width'),
    height: side('height'),
    unitPricingMeasure: sold,
    unitPricingBaseMeasure: desk.read('unit_pricing_base_measure', (raw, cell) =>
      agreed(readBaseMeasure(raw, rule(cell)), sold),
    ),
  }
}

/** The column's name says it for all its cells; a column of units says it cell by cell. */
function unitFor({ fields }: Desk, cell: FieldCell, quantity: Quantity): string | null {
  const named = unitOfColumn(cell.column, quantity)
  if (named !== null) return named
  const beside = fields.beside(cell, quantity === 'weight' ? 'weight_unit' : 'dimensions_unit')
  const word = beside === null ? null : readTitle(textOf(beside))
  return word === null || isBlank(word) ? null : word
}
