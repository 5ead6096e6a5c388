/** Publishes whose feeds are still to be told of, and what was told last. */
import type { Pool, PoolClient } from 'pg'

export interface UntoldFeed {
  readonly catalog: string
  readonly version: number
  readonly platform: string
  readonly workspace: string
  readonly brand: string
}

/** A condition: whether there is any. */
export const areFeedsUntold = 'exists (select from feed_untold)'

/** The earliest version first, so that events come in the order of versions. */
export async function nextUntoldFeed(pool: Pool): Promise<UntoldFeed | null> {
  const { rows } = await pool.query<UntoldFeed>(
    `select catalog_id as catalog, version, platform, workspace_id as workspace, brand_id as brand
       from feed_untold order by version, catalog_id, platform limit 1`,
  )
  return rows[0] ?? null
}

/** @returns false where another has told it */
export async function endUntoldFeed(tx: PoolClient, { catalog, version, platform }: UntoldFeed): Promise<boolean> {
  const sql = 'delete from feed_untold where catalog_id = $1 and version = $2 and platform = $3'
  return (await tx.query(sql, [catalog, version, platform])).rowCount === 1
}

/** @returns whether the bytes are others than those that were told last */
export async function setToldFeed(
  tx: PoolClient,
  { catalog, version, platform }: UntoldFeed,
  sha256: string,
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `insert into feed_told as t (catalog_id, platform, version, sha256) values ($1, $2, $3, $4)
     on conflict (catalog_id, platform) do update set version = excluded.version, sha256 = excluded.sha256 where t.sha256 <> excluded.sha256`,
    [catalog, platform, version, sha256],
  )
  return rowCount === 1
}
