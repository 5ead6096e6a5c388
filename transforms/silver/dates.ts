/** Reads when a product ships, when its sale price holds and when its offer ends. */
import type { FieldCell } from '../../schemas/pipeline.ts'
import type { Field } from '../../schemas/product.ts'
import { dateRule, type Edge, readDate } from './date.ts'
import type { Desk } from './desk.ts'
import { readSaleDates, saleDates } from './sale-dates.ts'

interface Dates {
  readonly availabilityDate: string | null
  readonly salePriceEffectiveDate: string | null
  readonly expirationDate: string | null
}

export function readDates(desk: Desk): Dates {
  const day = (field: Field, edge: Edge) => desk.read(field, (raw, cell) => readDate(raw, ruleFor(desk, cell), edge))
  return {
    availabilityDate: day('availability_date', 'start'),
    salePriceEffectiveDate:
      desk.read('sale_price_effective_date', (raw, cell) => readSaleDates(raw, ruleFor(desk, cell))) ?? fromEnds(desk),
    expirationDate: day('expiration_date', 'end'),
  }
}

const ruleFor = ({ contexts, settings }: Desk, cell: FieldCell) =>
  dateRule(cell, contexts(cell.origin.context), settings)

/** Two columns say it where one does not. */
function fromEnds(desk: Desk): string | null {
  const [start, end] = [desk.said('sale_price_start_date'), desk.said('sale_price_end_date')]
  const one = start ?? end
  if (one === null) return null
  const { value, findings } = saleDates(
    start?.raw ?? '',
    ruleFor(desk, (start ?? one).cell),
    end?.raw ?? '',
    ruleFor(desk, (end ?? one).cell),
  )
  if (findings.length > 0) desk.tell(one.cell, findings)
  return value
}
