/** What a published version changed, or all that stands in it, product by product with its content: by key pages, each its own transaction. */
import type { PoolClient } from 'pg'
import { written, writtenChange } from './version-changes.ts'
import type { PublishedContent } from './version-queries.ts'

export interface DeltaScope {
  readonly catalog: string
  readonly version: number
  /** All that stands in the version, in place of what it changed. */
  readonly full: boolean
}

export interface DeltaRow {
  readonly id: string
  /** null: written, and as it was. */
  readonly change: 'added' | 'modified' | 'removed' | null
  /** Of one that was removed: as it was. */
  readonly content: PublishedContent
  /** Of one that was modified. */
  readonly was: PublishedContent | null
}

const changedSql = `
  select n.product_id as id, coalesce(n.content, o.content) as content, case when n.content is not null then o.content end as was,
         ${writtenChange} as change ${written}
     and ($4::uuid is null or n.product_id <= $4)
   order by n.product_id limit $5`

const wholeSql = `
  select product_id as id, content, null as was, 'added' as change from published
   where catalog_id = $1 and valid_from <= $2 and valid_to > $2 and content is not null
     and ($3::uuid is null or product_id > $3) and ($4::uuid is null or product_id <= $4)
   order by product_id limit $5`

/** @param between behind the one and up to the other; null: from the first, to the last */
export async function deltaPage(
  tx: PoolClient,
  { catalog, version, full }: DeltaScope,
  [after, upto]: readonly [string | null, string | null],
  limit: number,
): Promise<DeltaRow[]> {
  await tx.query('set local enable_bitmapscan = off; set local enable_seqscan = off')
  const { rows } = await tx.query<DeltaRow>(full ? wholeSql : changedSql, [catalog, version, after, upto, limit])
  return rows
}

/**
 * Of names that products left in a version those that others have in it. Found by what products are called now: one that was called
 * otherwise since is told so in a version to come.
 */
export async function takenNames(
  tx: PoolClient,
  { catalog, version }: Pick<DeltaScope, 'catalog' | 'version'>,
  names: readonly string[],
): Promise<string[]> {
  if (names.length === 0) return []
  const { rows } = await tx.query<{ name: string }>(
    `select q.sku as name from unnest($3::text[]) as n (name)
       join products q on q.catalog_id = $1 and q.sku = n.name and q.alive
      where exists (
        select from published p where p.catalog_id = $1 and p.product_id = q.product_id and p.valid_from <= $2 and p.valid_to > $2
           and p.content ->> 'feedId' = n.name)`,
    [catalog, version, names],
  )
  return rows.map(({ name }) => name)
}

export interface ToldVersion {
  readonly version: number
  readonly publishedAt: Date
  /** What it changed, and what stands in it, can be told in full. */
  readonly kept: boolean
}

/** The version after one, from which its changes lead on; where rows of the one were swept, changes of the next are no longer whole. */
export async function versionAfter(tx: PoolClient, catalog: string, version: number): Promise<ToldVersion | null> {
  const { rows } = await tx.query<ToldVersion>(
    `select p.version, p.published_at as "publishedAt",
            case when $2 = 0 then p.state <> 'dropped'
                 else not exists (select from publish b where b.catalog_id = $1 and b.version = $2 and b.state = 'dropped') end as kept
       from publish p where p.catalog_id = $1 and p.version > $2 and p.state in ('published', 'dropped')
      order by p.version limit 1`,
    [catalog, version],
  )
  return rows[0] ?? null
}

/** @returns null where there never was such a version */
export async function toldVersion(tx: PoolClient, catalog: string, version: number): Promise<ToldVersion | null> {
  const { rows } = await tx.query<ToldVersion>(
    `select version, published_at as "publishedAt", state = 'published' as kept from publish
      where catalog_id = $1 and version = $2 and state in ('published', 'dropped')`,
    [catalog, version],
  )
  return rows[0] ?? null
}

/** Whether the version before one is kept, or there is none: without its rows nobody knows what the one ended. */
export async function followsKept(tx: PoolClient, catalog: string, version: number): Promise<boolean> {
  const { rows } = await tx.query<{ state: string }>(
    `select state from publish where catalog_id = $1 and version < $2 and state in ('published', 'dropped') order by version desc limit 1`,
    [catalog, version],
  )
  return rows[0]?.state !== 'dropped'
}
