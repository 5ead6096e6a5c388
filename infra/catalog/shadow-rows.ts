/** The rows of a shadow: written a group at a time, looked for where the live row has moved since, and swept when it has ended. */
import type { Pool, PoolClient } from 'pg'
import type { ProductWrite } from '../../transforms/ports.ts'
import type { ShadowScore } from '../../transforms/replay/shadow.ts'
import { copyRows } from './copy.ts'
import { inTransaction } from './in-transaction.ts'
import { productColumns } from './product-columns.ts'

export interface ShadowRow {
  readonly write: ProductWrite
  /** As `productRow` makes them, with the next counter. */
  readonly values: readonly unknown[]
  readonly scores: ShadowScore
}

const shadowProductColumns = [
  ...productColumns,
  { name: 'replay_id', type: 'uuid' },
  { name: 'content_changed', type: 'bool' },
  { name: 'joined', type: 'bool' },
] as const

const shadowScoreColumns = [
  { name: 'catalog_id', type: 'uuid' },
  { name: 'replay_id', type: 'uuid' },
  { name: 'product_id', type: 'uuid' },
  { name: 'workspace_id', type: 'text' },
  { name: 'brand_id', type: 'uuid' },
  { name: 'step', type: 'text' },
  { name: 'place', type: 'text' },
  { name: 'score_before', type: 'int2' },
  { name: 'score_after', type: 'int2' },
  { name: 'sub_before', type: 'int2[]' },
  { name: 'sub_after', type: 'int2[]' },
  { name: 'points_before', type: 'bytea' },
  { name: 'points_after', type: 'bytea' },
  { name: 'valid_before', type: 'int4' },
  { name: 'valid_after', type: 'int4' },
  { name: 'rubric_before', type: 'int4' },
  { name: 'rubric_after', type: 'int4' },
] as const

/** Places name columns of files: they may hold what no text of the database can. */
const storable = (text: string | null) => text?.replaceAll('\0', '').toWellFormed()

function* productRows(replay: string, rows: readonly ShadowRow[]) {
  for (const { write, values } of rows) yield [...values, replay, write.contentChanged, write.joined ?? false]
}

function* scoreRows(replay: string, rows: readonly ShadowRow[]) {
  for (const { write, scores } of rows) {
    const { step, place, before, after } = scores
    yield [
      ...[write.catalog, replay, write.product, write.workspace, write.brand, step, storable(place)],
      ...[before?.score, after?.score, before?.sub, after?.sub],
      ...[before && Buffer.from(before.points), after && Buffer.from(after.points)],
      ...[before?.valid, after?.valid, before?.rubric, after?.rubric],
    ]
  }
}

/** In place of what was there of these products. @param rows of one catalog */
export async function writeShadow(tx: PoolClient, replay: string, rows: readonly ShadowRow[]): Promise<void> {
  const catalog = rows[0]?.write.catalog
  if (catalog === undefined) return
  const ids = rows.map(({ write }) => write.product)
  // What a crash takes is made again: the page that it is of counts as made by a commit that waits.
  await tx.query('set local synchronous_commit = off')
  for (const table of ['shadow_product', 'shadow_score'])
    await tx.query(`delete from ${table} where catalog_id = $1 and replay_id = $2 and product_id = any ($3::uuid[])`, [
      catalog,
      replay,
      ids,
    ])
  await copyRows(tx, 'shadow_product', shadowProductColumns, productRows(replay, rows))
  await copyRows(tx, 'shadow_score', shadowScoreColumns, scoreRows(replay, rows))
}

/** Products whose live row is another by now. */
export async function movedSince(pool: Pool, replay: string, catalog: string, limit: number): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `select s.product_id as id
       from shadow_product s join products p on p.catalog_id = s.catalog_id and p.product_id = s.product_id
      where s.catalog_id = $1 and s.replay_id = $2 and p.rev <> s.rev - 1 limit $3`,
    [catalog, replay, limit],
  )
  return rows.map(({ id }) => id)
}

const sweepRows = 10_000

/** See `DueWork`. */
export const areShadowsDue = "exists (select from replay where state in ('promoted', 'discarded') and swept_at is null)"

/** One step. @returns whether there may be more to do */
export async function sweepShadows(pool: Pool): Promise<boolean> {
  return inTransaction(pool, async (tx) => {
    const { rows } = await tx.query<{ id: string; catalogs: string[] }>(
      `select replay_id as id, catalogs from replay
        where state in ('promoted', 'discarded') and swept_at is null order by replay_id limit 1 for update skip locked`,
    )
    const [ended] = rows
    if (!ended) return false
    let gone = 0
    for (const table of ['shadow_product', 'shadow_score', 'shadow_choice']) {
      const deleted = await tx.query(
        `delete from ${table} where ctid = any (array(
           select ctid from ${table} where catalog_id = any ($1::uuid[]) and replay_id = $2 limit ${sweepRows}))`,
        [ended.catalogs, ended.id],
      )
      gone += deleted.rowCount ?? 0
    }
    if (gone === 0) await tx.query('update replay set swept_at = now() where replay_id = $1', [ended.id])
    return true
  })
}
