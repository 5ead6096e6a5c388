/** What the relay of `catalog.changes` reads and moves: one cursor a catalog, in order of version and product. */
import type { Pool, PoolClient } from 'pg'
import type { CatalogChange } from '../../schemas/catalog-change.ts'
import { written, writtenChange } from './version-changes.ts'

/** A version that was published, or the catalog itself going and coming back. */
export type Round = 'version' | 'leaving' | 'returning'

export interface ChangeCursor {
  readonly catalog: string
  readonly workspace: string
  readonly brand: string
  /** All of it is told. */
  readonly version: number
  readonly gone: boolean
  readonly round: Round | null
  readonly after: string | null
  readonly deletedAt: Date | null
  readonly publishedVersion: number
  /** The version after `version`, and when it was published. */
  readonly next: number | null
  readonly nextAt: Date | null
}

const untold = `
  from catalog c left join change_cursor r on r.catalog_id = c.catalog_id
 where c.purged_at is null and c.published_version > 0
   and (r.round is not null or c.published_version > coalesce(r.version, 0) or (c.deleted_at is not null) <> coalesce(r.gone, false))`

/** See `startWhenDue`. */
export const areChangesDue = `exists (select ${untold})`

/** Catalogs of which something is not told yet. */
export async function toTell(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ catalog: string }>(`select c.catalog_id as catalog ${untold} limit 100`)
  return rows.map(({ catalog }) => catalog)
}

/** @returns null where another process tells of this catalog now, or it is purged */
export async function holdCursor(tx: PoolClient, catalog: string): Promise<ChangeCursor | null> {
  await tx.query(
    `insert into change_cursor (catalog_id)
     select catalog_id from catalog where catalog_id = $1 and purged_at is null for share on conflict do nothing`,
    [catalog],
  )
  const { rows } = await tx.query<ChangeCursor>(
    `select r.catalog_id as catalog, c.workspace_id as workspace, c.brand_id as brand, r.version, r.gone, r.round, r.product_id as after,
            c.deleted_at as "deletedAt", c.published_version as "publishedVersion", n.version as next, n.published_at as "nextAt"
       from change_cursor r
       join catalog c on c.catalog_id = r.catalog_id
       left join lateral (
         select version, published_at from publish p
          where p.catalog_id = r.catalog_id and p.version > r.version and p.state in ('published', 'dropped') order by version limit 1) n on true
      where r.catalog_id = $1 for update of r skip locked`,
    [catalog],
  )
  return rows[0] ?? null
}

export async function moveCursor(
  tx: PoolClient,
  catalog: string,
  to: Pick<ChangeCursor, 'version' | 'gone' | 'round' | 'after'>,
): Promise<void> {
  await tx.query(
    'update change_cursor set version = $2, gone = $3, round = $4, product_id = $5 where catalog_id = $1',
    [catalog, to.version, to.gone, to.round, to.after],
  )
}

export interface Changing {
  readonly product: string
  /** null: written, and as it was. */
  readonly change: CatalogChange['change'] | null
}

const versionSql = `select n.product_id as product, ${writtenChange} as change ${written} order by n.product_id limit $4`

/** All that stands in a version. */
const wholeSql = `
  select product_id as product, $5::text as change from published
   where catalog_id = $1 and valid_from <= $2 and valid_to > $2 and content is not null and ($3::uuid is null or product_id > $3)
   order by product_id limit $4`

export async function changesPage(
  tx: PoolClient,
  { catalog, after }: Pick<ChangeCursor, 'catalog' | 'after'>,
  round: Round,
  version: number,
  limit: number,
): Promise<Changing[]> {
  await tx.query('set local enable_bitmapscan = off; set local enable_seqscan = off')
  const values = [catalog, version, after, limit]
  const { rows } = await (round === 'version'
    ? tx.query<Changing>(versionSql, values)
    : tx.query<Changing>(wholeSql, [...values, round === 'leaving' ? 'removed' : 'added']))
  return rows
}
