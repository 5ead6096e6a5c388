/** Builds the next version of a catalog's published content beside the present one and flips to it; readers never see a half (DESIGN 5.9). */
import type { Pool, PoolClient } from 'pg'
import { inTransaction } from './in-transaction.ts'
import { isUniqueViolation } from './sql-errors.ts'

export interface PublishRow {
  readonly catalog: string
  readonly version: number
  readonly workspace: string
  readonly brand: string
  readonly job: string
  readonly upto: number
  readonly builtTo: number
}

export interface PublishResult {
  readonly version: number
  readonly added: number
  readonly modified: number
  readonly removed: number
  readonly changeCount: number
}

const rowColumns = `catalog_id as catalog, version, workspace_id as workspace, brand_id as brand, job_id as job, upto, built_to as "builtTo"`

/** @returns the new publish row, or the job of the one that is being built */
export async function beginPublish(
  tx: PoolClient,
  catalog: string,
  job: string,
  by: string,
  changelog: string | null,
): Promise<{ started: true } | { started: false; job: string }> {
  const running = await tx.query<{ job: string }>(
    `select job_id as job from publish where catalog_id = $1 and state = 'building'`,
    [catalog],
  )
  if (running.rows[0]) return { started: false, job: running.rows[0].job }
  await tx.query(
    `insert into publish (catalog_id, version, workspace_id, brand_id, job_id, state, upto, changelog, published_by)
     select c.catalog_id,
            greatest(c.published_version, (select coalesce(max(version), 0) from publish p where p.catalog_id = c.catalog_id)) + 1,
            c.workspace_id, c.brand_id, $2, 'building',
            (select coalesce(max(dirty_id), 0) from dirty d where d.catalog_id = c.catalog_id), $4, $3
       from catalog c where c.catalog_id = $1`,
    [catalog, job, by, changelog],
  )
  return { started: true }
}

/** What `beginPublish` throws where another publish began at the same moment. */
export const beganElsewhere = isUniqueViolation

export async function findPublish(pool: Pool, job: string): Promise<PublishRow | null> {
  const { rows } = await pool.query<PublishRow>(
    `select ${rowColumns} from publish where job_id = $1 and state = 'building'`,
    [job],
  )
  return rows[0] ?? null
}

/** Dirty rows are one a batch, of at most a worker's batch of ids each: about 5,000 products a chunk. */
const dirtyRowsPerChunk = 2

const nextChunkSql = `
  select max(dirty_id) as "to" from (
    select dirty_id from dirty where catalog_id = $1 and dirty_id > $2 and dirty_id <= $3 order by dirty_id limit ${dirtyRowsPerChunk}) chunk`

const chunk = `
  ids as (select distinct unnest(product_ids) as id from dirty where catalog_id = $1 and dirty_id > $3 and dirty_id <= $4),
  present as (
    select i.id, p.product_id is not null as there, p.content_hash, p.kind, p.family_id, p.refined, p.created_at, p.updated_at,
           o.product_id is not null as had, o.content is not null as listed, o.hash
      from ids i
      left join products p on p.catalog_id = $1 and p.product_id = i.id and p.alive and p.kind <> 'parent' and p.stage <> 'bronze'
      left join published o on o.catalog_id = $1 and o.product_id = i.id and o.valid_from < $2 and o.valid_to >= $2)`

/** A product that an earlier chunk of this version has written may come again: its row is written over. */
const writeSql = `
  with ${chunk}
  insert into published (catalog_id, product_id, valid_from, workspace_id, brand_id, hash, content)
  select $1, id, $2, $5, $6, coalesce(content_hash, ''::bytea),
         case when there then jsonb_build_object('kind', kind, 'family', family_id, 'createdAt', created_at, 'updatedAt', updated_at, 'product', refined) end
    from present
   where (there and (not listed or hash <> content_hash)) or (not there and listed)
  on conflict (catalog_id, product_id, valid_from) do update set hash = excluded.hash, content = excluded.content`

const undoSql = `
  with ${chunk}
  update published n set content = null, hash = ''::bytea from present p
   where n.catalog_id = $1 and n.product_id = p.id and n.valid_from = $2 and not p.there and n.content is not null`

const closeSql = `
  with ids as (select distinct unnest(product_ids) as id from dirty where catalog_id = $1 and dirty_id > $3 and dirty_id <= $4)
  update published o set valid_to = $2
    from ids i
   where o.catalog_id = $1 and o.product_id = i.id and o.valid_from < $2 and o.valid_to = 9223372036854775807
     and exists (select 1 from published n where n.catalog_id = $1 and n.product_id = i.id and n.valid_from = $2)`

/**
 * Writes one chunk, unseen by readers, who pin the catalog's version.
 * @returns how far the dirty rows are written; null when all are
 */
export async function buildChunk(pool: Pool, p: PublishRow, from: number): Promise<number | null> {
  return inTransaction(pool, async (tx) => {
    const { rows } = await tx.query<{ to: number | null }>(nextChunkSql, [p.catalog, from, p.upto])
    const to = rows[0]?.to ?? null
    if (to === null) return null
    await tx.query('set local enable_hashjoin = off; set local enable_mergejoin = off; set local enable_seqscan = off')
    const range = [p.catalog, p.version, from, to]
    await tx.query(writeSql, [...range, p.workspace, p.brand])
    await tx.query(undoSql, range)
    await tx.query(closeSql, range)
    await tx.query('update publish set built_to = $3 where catalog_id = $1 and version = $2', [
      p.catalog,
      p.version,
      to,
    ])
    return to
  })
}

const countSql = `
  select count(*) filter (where n.content is not null and (o.product_id is null or o.content is null)) as added,
         count(*) filter (where n.content is not null and o.content is not null) as modified,
         count(*) filter (where n.content is null and o.content is not null) as removed
    from published n
    left join published o on o.catalog_id = n.catalog_id and o.product_id = n.product_id and o.valid_to = n.valid_from
   where n.catalog_id = $1 and n.valid_from = $2`

/** The one small transaction that makes the version everyone's. */
export async function flip(pool: Pool, p: PublishRow): Promise<PublishResult> {
  return inTransaction(pool, async (tx) => {
    await tx.query('select 1 from catalog where catalog_id = $1 for update', [p.catalog])
    const { rows } = await tx.query<{ added: number; modified: number; removed: number }>(countSql, [
      p.catalog,
      p.version,
    ])
    const counts = rows[0] ?? { added: 0, modified: 0, removed: 0 }
    await tx.query('update catalog set published_version = $2, updated_at = now() where catalog_id = $1', [
      p.catalog,
      p.version,
    ])
    await tx.query(
      `update publish set state = 'published', added = $3, modified = $4, removed = $5, published_at = now() where catalog_id = $1 and version = $2`,
      [p.catalog, p.version, counts.added, counts.modified, counts.removed],
    )
    await tx.query('delete from dirty where catalog_id = $1 and dirty_id <= $2', [p.catalog, p.upto])
    return { version: p.version, ...counts, changeCount: counts.added + counts.modified + counts.removed }
  })
}

/** What is left to build, in products named (some more than once). */
export async function countDirty(pool: Pool, catalog: string, upto: number): Promise<number> {
  const { rows } = await pool.query<{ n: number }>(
    'select coalesce(sum(cardinality(product_ids)), 0)::bigint as n from dirty where catalog_id = $1 and dirty_id <= $2',
    [catalog, upto],
  )
  return rows[0]?.n ?? 0
}

/** Catalogs that publish themselves after gold, have something new, and are not being imported into or published. */
export async function dueForAutoPublish(pool: Pool): Promise<{ catalog: string; workspace: string; brand: string }[]> {
  const { rows } = await pool.query<{ catalog: string; workspace: string; brand: string }>(
    `select c.catalog_id as catalog, c.workspace_id as workspace, c.brand_id as brand
       from catalog c
      where c.auto_publish = 'after_gold' and c.deleted_at is null
        and exists (select 1 from dirty d where d.catalog_id = c.catalog_id)
        and not exists (select 1 from publish p where p.catalog_id = c.catalog_id and p.state = 'building')
        and not exists (select 1 from import i where i.catalog_id = c.catalog_id and i.state in ('waiting', 'reading', 'appending', 'settling'))`,
  )
  return rows
}
