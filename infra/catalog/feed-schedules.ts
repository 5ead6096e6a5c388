/** Feeds whose schedule says that they are due. */
import type { PoolClient } from 'pg'

export interface DueFeed {
  readonly workspace: string
  readonly brand: string
  readonly platform: string
  /** The one that is set, else the brand's default; null where it has none any more. */
  readonly catalog: string | null
  readonly schedule: string
  /** Who set it. */
  readonly by: string | null
  /** The brand or its workspace is gone, and nothing is due any more. */
  readonly over: boolean
}

/** A condition: whether there is any. */
export const areSchedulesDue = 'exists (select from feed_distribution where enabled and next_at <= now())'

/** Held until the transaction ends: of two processes that look at once each feed is found by one. */
export async function dueFeeds(tx: PoolClient, now: Date, limit: number): Promise<DueFeed[]> {
  const { rows } = await tx.query<DueFeed>(
    `select d.workspace_id as workspace, d.brand_id as brand, d.platform, coalesce(d.schedule, '') as schedule, d.updated_by as by,
            b.deleted_at is not null or w.deleted_at is not null as over,
            (select c.catalog_id from catalog c
              where c.brand_id = d.brand_id and c.deleted_at is null and case when d.of_catalog is null then c.is_default else c.catalog_id = d.of_catalog end limit 1) as catalog
       from feed_distribution d join brand b on b.brand_id = d.brand_id join workspace w on w.workspace_id = d.workspace_id
      where d.enabled and d.next_at <= $1 order by d.next_at limit $2 for update of d skip locked`,
    [now, limit],
  )
  return rows
}

export async function setNextRun(
  tx: PoolClient,
  { brand, platform }: Pick<DueFeed, 'brand' | 'platform'>,
  at: Date | null,
): Promise<void> {
  await tx.query('update feed_distribution set next_at = $3 where brand_id = $1 and platform = $2', [
    brand,
    platform,
    at,
  ])
}
