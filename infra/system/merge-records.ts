/** The records that make a planned merge of products so: edits, creates and deletions of the target, each of what the plan saw. */
import { editRecord } from '../../ingest/edit.ts'
import { identityTexts, valueHash } from '../../ingest/identifiers.ts'
import { type BronzeRecord, clearWord } from '../../schemas/pipeline.ts'
import { cellsOfProduct } from '../../transforms/versions/cells-of-product.ts'
import { editCells } from '../../transforms/versions/edit-cells.ts'
import { type MergeField, mergeFields } from '../../transforms/versions/fields.ts'
import { revival } from '../../transforms/versions/revival.ts'
import type { MergedPlace } from '../catalog/merge-groups.ts'
import type { PlannedItem, TargetRow } from '../catalog/merge-items.ts'
import type { MergeRow } from '../catalog/merges.ts'
import { identifiersOfCells } from './merge-plan.ts'

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
  const { product, from, kind, family, source, sid, rev, epoch } = item
  const action = actionOf(item)
  const scope = { workspace: m.workspace, brand: m.brand, catalog: m.target, by }
  const judged = rev === null ? {} : { ifRev: rev, ...(epoch === null ? {} : { ifEpoch: epoch }) }
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

/**
 * The records of a product that is to have another's SKU, or one that nobody has. Who has which SKU is judged before the log, so
 * that the SKU of a product that is there needs no precondition: it goes to this one whatever becomes of its other fields, since
 * the next in the row counts on that.
 */
export function withSku(record: BronzeRecord, has: boolean, back: boolean): BronzeRecord[] {
  // Both preconditions, of which one fails: the worker counts it among the refused.
  if (!has) return [{ ...record, ifAbsent: true, ifRev: -1 }]
  if (back) return [record]
  const { sku, ...others } = record.cells
  const { ifRev: _rev, ifEpoch: _epoch, ...free } = record
  const own = sku === undefined ? [] : [{ ...free, cells: { sku } }]
  return Object.keys(others).length === 0 ? own : [{ ...record, cells: others }, ...own]
}

/** What a merged product is called, it is found by; what another has already stays the other's. @param sku whether that is to be one of them */
export function identifiersIn({ product, cells }: BronzeRecord, sku: boolean) {
  const said = Object.fromEntries(
    Object.entries(cells).filter(([name, value]) => value !== clearWord && (sku || name !== 'sku')),
  )
  return identityTexts(identifiersOfCells(said), 'api').map(({ kind, text }) => ({
    kind,
    hash: valueHash(kind, text),
    product,
    shared: false,
    options: null,
  }))
}

/** Whether a product that both sides have is put into another group, or out of its own. */
export const changesGroup = (item: PlannedItem) =>
  actionOf(item) === 'edit' &&
  item.kind !== 'parent' &&
  (item.fields.includes('itemGroupId') || item.taken.includes('itemGroupId'))

/** What such a product is from then on; where nothing in the target stands for its family it stays what it is. */
export const groupSaid = ({ kind, family }: MergedPlace): Partial<BronzeRecord> =>
  kind === 'single' ? { regroups: true, kind } : family === null ? {} : { regroups: true, kind, family }

/** What is sold by itself in the target is the parent of a group from then on, as in the source. */
export function headRecords(m: MergeRow, places: readonly MergedPlace[], by: string, at: string): BronzeRecord[] {
  const scope = { workspace: m.workspace, brand: m.brand, catalog: m.target, by }
  const heads = new Map(places.flatMap(({ family, headSid }) => (family && headSid ? [[family, headSid]] : [])))
  return [...heads].map(([family, sid]) => ({
    ...editRecord(scope, family, sid, {}, { kind: 'parent', family, regroups: true }),
    at,
  }))
}
