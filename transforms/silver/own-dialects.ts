/** How our own exports name their columns: what such a file says is read as it was written, also without the column of our ids. */
import type { Field } from '../../schemas/product.ts'
import { exportFields } from '../versions/export-row.ts'
import type { Dialect } from './dialects.ts'

const columns = exportFields.map((field): [string, Field] => [field, field])
/** An export writes a point, whatever the supplier's files do. */
const point =
  'price | sale_price | original_price | quantity | weight | length | width | height | ' +
  'unit_pricing_measure | unit_pricing_base_measure'
const own = { platform: 'assay', signs: exportFields.join(' | '), point, beyond: 'own names' } as const

export const ownDialects: readonly Dialect[] = [
  {
    ...own,
    requires: 'assay_kind',
    needs: 2,
    columns: [['assay_kind', null], ['assay_family', null], ...columns],
  },
  // An export without any column that says which product a row was: known by having every one of our fields.
  { ...own, requires: 'options', needs: exportFields.length, columns },
]
