/** What a family takes of an edit of one of its members. */
import type { Pool } from 'pg'
import type { EditScope, Inherits } from '../../ingest/edit.ts'
import { decidingKind, kinds } from '../../ingest/identifiers.ts'
import { type Cells, type CellValue, clearWord, type Layers } from '../../schemas/pipeline.ts'
import { isDeleted } from '../../transforms/bronze/alive.ts'
import { cellOf, isClear, sameValue } from '../../transforms/bronze/cell-value.ts'
import { contextsOf } from '../../transforms/bronze/contexts-of.ts'
import { familyFields, groupFollows, inheritedFields } from '../../transforms/bronze/inherits.ts'
import { findContexts } from '../catalog/import-sources.ts'
import { loadProducts } from '../catalog/product-store.ts'
import { goneParents } from '../catalog/restores.ts'
import { findSettings } from '../catalog/settings.ts'

/**
 * A family goes with its parent, and comes back with it: variants that were deleted on their own stay so.
 * @param parent as it was before the edit
 */
export async function heirsOf(
  pool: Pool,
  scope: Pick<EditScope, 'workspace' | 'catalog'>,
  id: string,
  parent: Layers,
  cells: Cells,
): Promise<Inherits[]> {
  const wanted = familyFields.filter((field) => cells[field] !== undefined)
  const sku = cells.sku === undefined || isClear(cells.sku) ? undefined : cells.sku
  const { deleted } = cells
  if (parent.kind !== 'parent' || (wanted.length === 0 && sku === undefined && deleted === undefined)) return []
  const { rows } = await pool.query<{ id: string }>(
    `select product_id as id from products where catalog_id = $1 and family_id = $2 and kind = 'variant'`,
    [scope.catalog, id],
  )
  const variants = await loadProducts(
    pool,
    rows.map((row) => ({ catalog: scope.catalog, product: row.id })),
  )
  const numbers = new Set(
    [parent, ...[...variants.values()].map(({ layers }) => layers)].flatMap((one) => [...contextsOf(one)]),
  )
  const contexts = new Map((await findContexts(pool, [...numbers])).map((context) => [context.id, context]))
  const settings = await findSettings(pool, scope.workspace)
  if (!settings) throw new Error(`workspace ${scope.workspace} is gone`)
  const family = {
    parent,
    made: decidingKind(id) === kinds.family,
    contexts: (number: number) => contexts.get(number),
    settings: settings.silver,
  }
  return [...variants].flatMap(([variant, { sid, layers, alive }]) => {
    const taken: Record<string, CellValue> = {}
    for (const field of inheritedFields(layers, wanted, family)) taken[field] = cells[field] ?? clearWord
    if (sku !== undefined && groupFollows(layers, family)) taken.item_group_id = sku
    if (deleted !== undefined && (isClear(deleted) ? goneWith(parent, layers) : alive)) taken.deleted = deleted
    return Object.keys(taken).length === 0 ? [] : [{ id: variant, sid, cells: taken }]
  })
}

/** A variant that comes back brings its parent along where that was deleted too; other variants stay as they are. */
export async function deletedParents(
  pool: Pool,
  catalog: string,
  variant: { readonly id: string; readonly family: string | null },
): Promise<{ id: string; sid: string }[]> {
  if (variant.family === null || variant.family === variant.id) return []
  const gone = await goneParents(pool, catalog, [variant.family])
  return gone.filter(({ layers }) => isDeleted(layers))
}

/** Each deletion has a value of its own. */
function goneWith(parent: Layers, variant: Layers): boolean {
  const [own, its] = [parent, variant].map(({ layers }) => {
    const edits = layers.find(({ source }) => source === 'api')
    return edits && cellOf(edits.cells, 'deleted')
  })
  return own !== undefined && its !== undefined && !isClear(own) && sameValue(own, its)
}
