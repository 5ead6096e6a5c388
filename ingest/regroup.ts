/** What an edit of a product's group makes of it: a variant of the group's parent, or a single again. */
import { type Cells, clearWord } from '../schemas/pipeline.ts'
import { isClear } from '../transforms/bronze/cell-value.ts'
import { appendGrouped, type EditPorts, type EditScope, editRecord, type Placed } from './edit.ts'
import { groupOf, type Member } from './group-of.ts'
import { identifying } from './identifiers.ts'

export interface Regrouped extends Omit<Member, 'id' | 'several'> {
  readonly id: string
  readonly sid: string
}

/** After the record that says the group's name, so that what is refused moves nothing. */
export async function regroup(scope: EditScope, product: Regrouped, ports: EditPorts): Promise<Placed> {
  for (;;) {
    const group = await groupOf(scope, product, ports)
    const record = editRecord(scope, product.id, product.sid, group.renamed ?? {}, { regroups: true, ...group.says })
    const placed = await appendGrouped(scope, group, record, ports)
    if (placed) return placed
  }
}

/** The family of a group that several products are about to be put into: its parent is made where there is none. */
export async function familyOf(
  scope: EditScope,
  group: string,
  cells: Cells,
  ports: EditPorts,
): Promise<string | undefined> {
  for (;;) {
    const found = await groupOf(scope, { id: null, sku: null, group, cells, several: true }, ports)
    const [parent, ...others] = found.others
    if (!parent) return found.says.family
    const record = editRecord(scope, parent.id, parent.sid, parent.cells, parent.says)
    if (await appendGrouped(scope, { ...found, others }, record, ports)) return found.says.family
  }
}

/** The group that an edit names, as identity reads it; null where it leaves the product in none. */
export const groupNamed = ({ item_group_id: cell = clearWord }: Cells): string | null =>
  isClear(cell) ? null : identifying(cell)
