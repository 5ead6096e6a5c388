/** Builds the next version of a catalog's published content beside the present one and flips to it; readers never see a half (DESIGN 5.9). */
import type { Pool, PoolClient } from 'pg'
import { endOfVersion } from '../../schemas/position.ts'
import { inTransaction } from './in-transaction.ts'
import { insertOutbox, type OutboxEvent } from './outbox.ts'
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
  /** Behind it: as events of it say, and as readers of changes go on from it. */
  readonly position: string
  readonly added: number
  readonly modified: number
  readonly removed: number
  readonly changeCount: number
  /** Products that silver never saw, and so are not in it. */
  readonly unrefined: number
}

const rowColumns = `catalog_id as catalog, version, workspace_id as workspace, brand_id as brand, job_id as job, upto, built_to as "builtTo"`

/**
 * Dirty rows are numbered before they are committed: with the lock that each of their writers shares until it commits, no
 * number below the highest one seen is still to come, and the version takes in all of them.
 */
const lockDirty = `select pg_advisory_xact_lock(hashtextextended('dirty:' || $1, 0))`
export const shareDirty = `select pg_advisory_xact_lock_shared(hashtextextended('dirty:' || $1, 0))`

/** One whose job gave up is gone on with, and takes in what came meanwhile. */
const takeUpSql = `
  update publish p
     set job_id = $2, published_by = $3, changelog = coalesce($4, p.changelog),
         upto = greatest(p.upto, (select coalesce(max(dirty_id), 0) from dirty d where d.catalog_id = p.catalog_id))
    from job j
   where p.catalog_id = $1 and p.state = 'building' and j.job_id = p.job_id and j.status = 'failed'`

export class CatalogGone extends Error {}

/** @returns whether it began, or the job of the one that is being built or, when that was cancelled, swept */
export async function beginPublish(
  tx: PoolClient,
  catalog: string,
  job: string,
  by: string,
  changelog: string | null,
): Promise<{ started: true } | { started: false; job: string; cancelling: boolean }> {
  await tx.query(lockDirty, [catalog])
  await tx.query('select from catalog where catalog_id = $1 for key share', [catalog])
  const takenUp = await tx.query(takeUpSql, [catalog, job, by, changelog])
  if (takenUp.rowCount) return { started: true }
  const running = await tx.query<{ job: string; cancelling: boolean }>(
    `select job_id as job, state = 'cancelling' as cancelling from publish where catalog_id = $1 and state in ('building', 'cancelling')`,
    [catalog],
  )
  if (running.rows[0]) return { started: false, ...running.rows[0] }
  const begun = await tx.query(
    `insert into publish (catalog_id, version, workspace_id, brand_id, job_id, state, upto, changelog, published_by)
     select c.catalog_id,
            greatest(c.published_version, (select coalesce(max(version), 0) from publish p where p.catalog_id = c.catalog_id)) + 1,
            c.workspace_id, c.brand_id, $2, 'building',
            (select coalesce(max(dirty_id), 0) from dirty d where d.catalog_id = c.catalog_id), $4, $3
       from catalog c where c.catalog_id = $1 and c.deleted_at is null`,
    [catalog, job, by, changelog],
  )
  // Its deletion has stopped what ran on it, and meets no other.
  if (begun.rowCount === 0) throw new CatalogGone()
  return { started: true }
}

/** Takes in what became dirty since it began: for who holds it while they write. */
export async function extendPublish(pool: Pool, p: PublishRow): Promise<PublishRow> {
  return inTransaction(pool, async (tx) => {
    await tx.query(lockDirty, [p.catalog])
    const { rows } = await tx.query<PublishRow>(
      `update publish set upto = greatest(upto, (select coalesce(max(dirty_id), 0) from dirty where catalog_id = $1))
        where catalog_id = $1 and version = $2 and job_id = $3 and state = 'building' returning ${rowColumns}`,
      [p.catalog, p.version, p.job],
    )
    if (!rows[0]) throw new Error('this version is built by another process')
    return rows[0]
  })
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

/** All that a job holds, in order of catalog. */
export async function heldPublishes(pool: Pool, job: string): Promise<PublishRow[]> {
  const { rows } = await pool.query<PublishRow>(
    `select ${rowColumns} from publish where job_id = $1 and state = 'building' order by catalog_id`,
    [job],
  )
  return rows
}

/** Whoever else builds or has built this chunk waits here or finds it done. */
const holdSql = `
  select from publish where catalog_id = $1 and version = $2 and job_id = $3 and state = 'building' and built_to = $4 for update`

/** @throws where the version is not this job's to build any more, or has come further */
export async function holdPublish(tx: PoolClient, p: PublishRow, builtTo: number): Promise<void> {
  const { rowCount } = await tx.query(holdSql, [p.catalog, p.version, p.job, builtTo])
  if (rowCount === 0) throw new Error('this version is built by another process')
}

/** Each of the version's rows beside the one that it ended, by key, whatever statistics say. */
const countSql = `
  select count(*) filter (where n.content is not null and o.content is null) as added,
         count(*) filter (where n.content is not null and o.content is not null and n.hash <> o.hash) as modified,
         count(*) filter (where n.content is null and o.content is not null) as removed,
         (select count(*) from products where catalog_id = $1 and stage = 'bronze' and settings_number = 0 and alive and kind <> 'parent') as unrefined
    from published n
    left join lateral (
      select hash, content from published
       where catalog_id = $1 and product_id = n.product_id and valid_from + 0 < $2 and valid_to = $2 limit 1) o on true
   where n.catalog_id = $1 and n.valid_from = $2`

/**
 * The one small transaction that makes the version everyone's.
 * @param and part of it: what must be true exactly when the version is
 */
export async function flip(
  pool: Pool,
  p: PublishRow,
  builtTo: number,
  and: (tx: PoolClient, result: PublishResult) => Promise<void>,
): Promise<PublishResult> {
  return inTransaction(pool, async (tx) => {
    const live = await tx.query('select from catalog where catalog_id = $1 and deleted_at is null for update', [
      p.catalog,
    ])
    if (live.rowCount === 0) throw new Error('the catalog was deleted')
    await holdPublish(tx, p, builtTo)
    await tx.query('set local enable_seqscan = off')
    const { rows } = await tx.query<Omit<PublishResult, 'version' | 'position' | 'changeCount'>>(countSql, [
      p.catalog,
      p.version,
    ])
    const counts = rows[0] ?? { added: 0, modified: 0, removed: 0, unrefined: 0 }
    await tx.query('update catalog set published_version = $2, updated_at = now() where catalog_id = $1', [
      p.catalog,
      p.version,
    ])
    await tx.query(
      `update publish set state = 'published', added = $3, modified = $4, removed = $5, unrefined = $6, published_at = now()
        where catalog_id = $1 and version = $2`,
      [p.catalog, p.version, counts.added, counts.modified, counts.removed, counts.unrefined],
    )
    await tx.query('delete from dirty where catalog_id = $1 and dirty_id <= $2', [p.catalog, p.upto])
    await tx.query(untoldSql, [p.catalog, p.version, p.workspace, p.brand])
    const changeCount = counts.added + counts.modified + counts.removed
    const result = { version: p.version, position: endOfVersion(p.version), ...counts, changeCount }
    await insertOutbox(tx, publishedEvent(p, result))
    await and(tx, result)
    return result
  })
}

/** What the feeds of a version come to is told once it is known; for platforms that somebody listens to. */
const untoldSql = `
  insert into feed_untold (catalog_id, version, platform, workspace_id, brand_id)
  select distinct $1::uuid, $2::bigint, platform, $3, $4::uuid from webhook
   where brand_id = $4 and platform is not null and state = 'active' on conflict do nothing`

function publishedEvent({ catalog, version, workspace, brand, job }: PublishRow, result: PublishResult): OutboxEvent {
  const { added, modified, removed, changeCount } = result
  const kind = 'catalog.version.published'
  const body = { catalog_id: catalog, version, added, modified, removed, change_count: changeCount, job_id: job }
  return { kind, cause: `publish:${catalog}:${version}`, workspace, brand, catalog, position: result.position, body }
}

export interface DirtyCount {
  /** Products that the version takes in, each once. */
  readonly products: number
  /** How often they are named: a product stands there once for each of its changes. */
  readonly named: number
}

/** Reads the whole list: once a publish. */
export async function countDirty(pool: Pool, catalog: string, upto: number): Promise<DirtyCount> {
  const { rows } = await pool.query<DirtyCount>(
    `select count(distinct id) as products, count(*) as named
       from dirty, unnest(product_ids) as id where catalog_id = $1 and dirty_id <= $2`,
    [catalog, upto],
  )
  return rows[0] ?? { products: 0, named: 0 }
}

/** How often products are named in what is built. */
export async function countBuilt(pool: Pool, catalog: string, builtTo: number): Promise<number> {
  const { rows } = await pool.query<{ n: number }>(
    'select coalesce(sum(cardinality(product_ids)), 0)::bigint as n from dirty where catalog_id = $1 and dirty_id <= $2',
    [catalog, builtTo],
  )
  return rows[0]?.n ?? 0
}

const dueForAutoPublishSql = `
       from catalog c
      where c.auto_publish = 'after_gold' and c.deleted_at is null
        and exists (select 1 from dirty d where d.catalog_id = c.catalog_id)
        and not exists (select 1 from publish p where p.catalog_id = c.catalog_id and p.state in ('building', 'cancelling'))
        and not exists (select 1 from import i where i.catalog_id = c.catalog_id and i.state in ('waiting', 'reading', 'appending', 'settling'))`

/** See `DueWork`. */
export const isAutoPublishDue = `exists (select ${dueForAutoPublishSql})`

/** Catalogs that publish themselves after gold, have something new, and are not being imported into or published. */
export async function dueForAutoPublish(pool: Pool): Promise<{ catalog: string; workspace: string; brand: string }[]> {
  const { rows } = await pool.query<{ catalog: string; workspace: string; brand: string }>(
    `select c.catalog_id as catalog, c.workspace_id as workspace, c.brand_id as brand ${dueForAutoPublishSql}`,
  )
  return rows
}
