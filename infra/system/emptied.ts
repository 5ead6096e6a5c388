/** What becomes of a parent when its last variant has left, and when one comes back: one that edits made a parent is what it was before. */
import type { Pool } from 'pg'
import { type EditScope, editRecord } from '../../ingest/edit.ts'
import { decidingKind, kinds } from '../../ingest/identifiers.ts'
import { type BronzeRecord, clearWord, type Layers } from '../../schemas/pipeline.ts'
import type { ProductKind } from '../../schemas/product.ts'
import { lists } from '../../transforms/bronze/alive.ts'
import { cellOf } from '../../transforms/bronze/cell-value.ts'
import { isOfEdits } from '../../transforms/bronze/joined.ts'
import { loadProducts } from '../catalog/product-store.ts'

type Became = Pick<BronzeRecord, 'cells'> & Partial<BronzeRecord>

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
    const became = parentNoMore(id, layers, at)
    if (became === null) return []
    const { cells, ...says } = became
    return [editRecord(scope, id, sid, cells, says)]
  })
}

/** @returns null where it stays what it is: a file that tells the parent has it for one, with or without variants */
export function parentNoMore(id: string, layers: Layers, at: Date): Became | null {
  if (!isOfEdits(layers)) return null
  const wasSold = decidingKind(id) !== kinds.family || layers.layers.some((one) => one.source !== 'api' && lists(one))
  // Made for the group alone, and made again with it.
  return wasSold
    ? { cells: {}, regroups: true, kind: 'single' }
    : { cells: { deleted: `${whenEmpty}${at.toISOString()}` } }
}

/** Of deletions that nobody asked for, which a variant that comes back takes back. */
const whenEmpty = 'empty since '
export const notInVersion = (version: number, at: string) => `${unversioned}${version}, ${at}`
const unversioned = 'not in version '

/** @returns null where it is the parent, or somebody has deleted it */
export function parentAgain(
  id: string,
  { kind, alive, layers }: { readonly kind: ProductKind; readonly alive: boolean; readonly layers: Layers },
): Became | null {
  const edits = layers.layers.find(({ source }) => source === 'api')
  const deleted = alive ? undefined : edits && cellOf(edits.cells, 'deleted')
  const isAsked =
    !alive && !(typeof deleted === 'string' && [whenEmpty, unversioned].some((mark) => deleted.startsWith(mark)))
  if (isAsked || kind === 'variant' || (alive && kind === 'parent')) return null
  const cells = alive ? {} : { deleted: clearWord }
  return kind === 'parent' ? { cells } : { cells, regroups: true, kind: 'parent', family: id }
}
