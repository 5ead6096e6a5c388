/** Writes a batch of products and scores: new ones are copied straight in, changed ones are staged and compared by rev. */
import type { PoolClient } from 'pg'
import type { ProductWrite } from '../../transforms/ports.ts'
import { copyRows } from './copy.ts'
import { productColumns, productRow, scoreColumns, scoreRow } from './product-columns.ts'

/** @returns false where a row has moved since it was read; a row that should not exist yet is a unique violation */
export async function writeProducts(
  tx: PoolClient,
  writes: readonly ProductWrite[],
  rubricVersion: number,
): Promise<boolean> {
  const fresh = writes.filter((w) => w.expected === null)
  const known = writes.filter((w) => w.expected !== null)
  if (fresh.length > 0) {
    await copyRows(tx, 'products', productColumns, rowsOf(fresh))
    await copyRows(tx, 'product_score', scoreColumns, scoresOf(fresh, rubricVersion))
  }
  return known.length === 0 || (await updateKnown(tx, known, rubricVersion))
}

function* rowsOf(writes: readonly ProductWrite[]) {
  for (const write of writes) yield productRow(write, (write.expected ?? 0) + 1)
}

function* scoresOf(writes: readonly ProductWrite[], rubricVersion: number) {
  for (const write of writes) {
    const row = scoreRow(write, rubricVersion)
    if (row) yield row
  }
}

const names = productColumns.map((column) => column.name)
/** Who made it is said once. */
const kept: ReadonlySet<string> = new Set(['catalog_id', 'product_id', 'created_by'])
const values = names.filter((name) => !kept.has(name))

const updateSql = `
  update products p set ${values.map((name) => `${name} = s.${name}`).join(', ')}
    from stage_products s
   where p.catalog_id = s.catalog_id and p.product_id = s.product_id and p.rev = s.rev - 1 and s.stage <> 'bronze'`

/** New cells that nobody has refined: all else stays as it was last refined, and is what a publish takes. */
const updateBronzeSql = `
  update products p set stage = 'bronze', rev = s.rev, alive = s.alive, updated_at = s.updated_at, layers = s.layers
    from stage_products s
   where p.catalog_id = s.catalog_id and p.product_id = s.product_id and p.rev = s.rev - 1 and s.stage = 'bronze'`

const scoreNames = scoreColumns.map((column) => column.name)
const upsertScoreSql = `
  insert into product_score (${scoreNames.join(', ')}) select ${scoreNames.join(', ')} from stage_score
  on conflict (catalog_id, product_id) do update set ${scoreNames
    .slice(4)
    .map((name) => `${name} = excluded.${name}`)
    .join(', ')}`

async function updateKnown(tx: PoolClient, writes: readonly ProductWrite[], rubricVersion: number): Promise<boolean> {
  await tx.query(`
    create temp table if not exists stage_products (like products) on commit delete rows;
    create temp table if not exists stage_score (like product_score) on commit delete rows;
    set local enable_hashjoin = off; set local enable_mergejoin = off`)
  await copyRows(tx, 'stage_products', productColumns, rowsOf(writes))
  const bronze = writes.filter((w) => w.refined === null).length
  let updated = 0
  if (bronze < writes.length) updated += (await tx.query(updateSql)).rowCount ?? 0
  if (bronze > 0) updated += (await tx.query(updateBronzeSql)).rowCount ?? 0
  if (updated !== writes.length) return false
  await keepHistory(tx, writes)
  await copyRows(tx, 'stage_score', scoreColumns, scoresOf(writes, rubricVersion))
  await tx.query(upsertScoreSql)
  const unscored = writes.filter((w) => w.grade === null && w.formerSub !== null && !w.keepsScore)
  if (unscored.length > 0) {
    await tx.query(
      'delete from product_score s using unnest($1::uuid[], $2::uuid[]) as w (c, p) where s.catalog_id = w.c and s.product_id = w.p',
      [unscored.map((w) => w.catalog), unscored.map((w) => w.product)],
    )
  }
  return true
}

/** A product's former sub-scores go to the history when they change, or when the product goes. */
async function keepHistory(tx: PoolClient, writes: readonly ProductWrite[]) {
  const moved = writes.filter(
    ({ grade, formerSub }) => formerSub && (!grade || grade.sub.some((s, i) => s !== formerSub[i])),
  )
  if (moved.length === 0) return
  await tx.query(
    `insert into score_history (catalog_id, product_id, scored_at, workspace_id, brand_id, s, rubric_version, weights_number)
     select s.catalog_id, s.product_id, s.scored_at, s.workspace_id, s.brand_id,
            array[s.s1, s.s2, s.s3, s.s4, s.s5, s.s6, s.s7], s.rubric_version, w.weights_number
       from unnest($1::uuid[], $2::uuid[]) as m (c, p)
       join product_score s on s.catalog_id = m.c and s.product_id = m.p
       join workspace w on w.workspace_id = s.workspace_id`,
    [moved.map((w) => w.catalog), moved.map((w) => w.product)],
  )
}
