/** Context 0: columns are our own field names, and numbers are written with a point whatever the workspace's suppliers do. */
import type { ImportContext, NumberFormat } from '../schemas/pipeline.ts'
import { fieldNames } from '../schemas/product.ts'

const point: NumberFormat = { decimal: '.', reason: 'our own field names' }

export const ownContext: ImportContext = {
  id: 0,
  platform: 'assay',
  header: [],
  mapping: {},
  numbers: {
    price: point,
    sale_price: point,
    original_price: point,
    quantity: point,
    weight: point,
    length: point,
    width: point,
    height: point,
    dimensions: point,
    unit_pricing_measure: point,
    unit_pricing_base_measure: point,
  },
  currencies: {},
  notes: [],
}

/** Columns by our own names, where a mapping is wanted that says so. */
export const ownNames: ImportContext['mapping'] = Object.fromEntries(
  fieldNames.filter((field) => field !== 'deleted').map((field) => [field, { field, reason: 'our own field name' }]),
)
