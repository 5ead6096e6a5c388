/** What becomes of a parent when edits have taken its last variant: one that edits made a parent is what it was before. */
import type { Pool } from 'pg'
import { type EditScope, editRecord } from '../../ingest/edit.ts'
import { decidingKind, kinds } from '../../ingest/identifiers.ts'
import type { BronzeRecord, Layers } from '../../schemas/pipeline.ts'
import { lists } from '../../transforms/bronze/alive.ts'
import { loadProducts } from '../catalog/product-store.ts'

const sql = `
  select p.product_id as id from unnest($2::uuid[]) as f (id)
    join products p on p.catalog_id = $1 and p.product_id = f.id and p.kind = 'parent' and p.alive
   where not exists (
     select from products v where v.catalog_id = $1 and v.family_id = f.id and v.kind = 'variant' and v.alive)`

/** @param families those that products have left, as far as the sink has come */
export async function emptied(
  pool: Pool,
  scope: EditScope,
  families: readonly string[],
  at: Date,
): Promise<Omit<BronzeRecord, 'at'>[]> {
  const { rows } = await pool.query<{ id: string }>(sql, [scope.catalog, families])
  const parents = await loadProducts(
    pool,
    rows.map(({ id }) => ({ catalog: scope.catalog, product: id })),
  )
  return [...parents].flatMap(([id, { sid, layers }]) => {
    if (!isOfEdits(layers)) return []
    const wasSold = decidingKind(id) !== kinds.family || layers.layers.some((one) => one.source !== 'api' && lists(one))
    // Made for the group alone, and made again with it.
    return wasSold
      ? [editRecord(scope, id, sid, {}, { regroups: true, kind: 'single' })]
      : [editRecord(scope, id, sid, { deleted: at.toISOString() }, {})]
  })
}

/** A file that tells the parent has it for one, with or without variants. */
const isOfEdits = ({ layers }: Layers): boolean =>
  layers.every(({ live, source, says }) => !live || (source === 'api') === (says?.kind === 'parent'))
