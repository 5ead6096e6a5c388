/** Which layer's word on a field counts: the newest; what a variant takes from a parent that another file tells fills in where no source of its own says anything. */
import { type FieldCell, familyRow, familySource } from '../../schemas/pipeline.ts'
import type { Field } from '../../schemas/product.ts'
import type { LayerFields } from './layer-fields.ts'
import { isNewer } from './place.ts'

/**
 * A cell that clears is met like any other, and wins like any other. An edit of the parent that was passed on is the family's
 * too, so that of these two the newer counts.
 */
export function winningCell(live: readonly LayerFields[], field: Field): FieldCell | undefined {
  let winner: FieldCell | undefined
  let familys: FieldCell | undefined
  let own = false
  for (const { source, cells } of live) {
    const cell = cells.get(field)
    if (cell === undefined) continue
    if (source === familySource) {
      familys = cell
      continue
    }
    own ||= cell.origin.row !== familyRow
    if (winner === undefined || isNewer(cell.origin, winner.origin)) winner = cell
  }
  if (familys === undefined || own) return winner
  return winner === undefined || isNewer(familys.origin, winner.origin) ? familys : winner
}
