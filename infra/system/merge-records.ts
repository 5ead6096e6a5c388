/** The records that make a planned merge of products so: edits, creates and deletions of the target, each of what the plan saw. */
import { editRecord } from '../../ingest/edit.ts'
import type { BronzeRecord } from '../../schemas/pipeline.ts'
import { cellsOfProduct } from '../../transforms/versions/cells-of-product.ts'
import { editCells } from '../../transforms/versions/edit-cells.ts'
import { type MergeField, mergeFields } from '../../transforms/versions/fields.ts'
import { revival } from '../../transforms/versions/revival.ts'
import type { PlannedItem, TargetRow } from '../catalog/merge-items.ts'
import type { MergeRow } from '../catalog/merges.ts'

/** What is done with a product once its conflicts are chosen. */
export function actionOf({ action, fields, source, target, taken }: PlannedItem): PlannedItem['action'] {
  if (!taken.includes('product')) return action === 'none' && taken.length + fields.length > 0 ? 'edit' : action
  if (source === null) return 'delete'
  return target === null ? 'create' : 'edit'
}

/** @param there the target's row now, where it has one; only what brings a removed product back is read from it */
export function mergeRecord(
  m: MergeRow,
  item: PlannedItem,
  there: TargetRow | undefined,
  by: string,
  at: string,
): BronzeRecord | null {
  const { product, from, kind, family, source, sid, rev } = item
  const action = actionOf(item)
  const scope = { workspace: m.workspace, brand: m.brand, catalog: m.target, by }
  const judged = rev === null ? {} : { ifRev: rev }
  const cameFrom = { catalog: m.source, version: null, product: from }
  const record: BronzeRecord = {
    ...editRecord(scope, product, sid, {}, { kind, ...judged, from: cameFrom }),
    at,
  }
  if (action === 'delete') return { ...record, cells: { deleted: at } }
  if (source === null || action === 'none') return null
  if (action === 'edit') {
    const fields = [...item.fields, ...(item.taken as MergeField[])]
    return { ...record, cells: editCells(source, kind, fields) }
  }
  const back = revival(there?.layers ?? null)
  const cells = there ? { ...editCells(source, kind, mergeFields), ...back.cells } : cellsOfProduct(source, kind)
  return {
    ...record,
    ...back,
    ...(rev === null ? { ifAbsent: true } : {}),
    ...(family === null ? {} : { family }),
    cells,
  }
}
