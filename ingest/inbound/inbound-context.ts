/** How cells of an inbound topic are read: by our own field names, numbers as programs write them; a topic has no columns to learn from. */
import type { ImportContext, NumberFormat } from '../../schemas/pipeline.ts'
import { ownContext, ownNames } from '../../transforms/own-context.ts'

/** A lone comma could be two things, so it is told as a warning and never guessed (KF-01). */
const programs: NumberFormat = {
  decimal: '.',
  reason: 'the format of inbound records writes numbers with a point',
  point: { by: 'numbers', texts: null, lonePoints: false, exponents: false },
}

/** Immutable once it is numbered: another body gets another number. */
export const inboundContext: Omit<ImportContext, 'id'> = {
  platform: 'inbound',
  header: [],
  mapping: ownNames,
  numbers: Object.fromEntries(Object.keys(ownContext.numbers).map((column) => [column, programs])),
  currencies: {},
  notes: ['Written to an inbound topic'],
}
