/** How many lines of a feed differ between two editions of the same configuration: those that changed, and those that went. */
import type { PoolClient } from 'pg'
import { versionOf } from './feed-edition.ts'

export interface EditionOf {
  readonly catalog: string
  readonly config: number
  readonly edition: number
}

/** What it takes is for what changed, not for what there is; a line that was another in between is none that changed. */
const differenceSql = `
  with touched as (
    select distinct product_id from feed_line where config_id = $1 and tells <> 0 and valid_from > $2 and valid_from <= $3)
  select count(*) filter (where a.line is not null and b.line is null) as removed,
         count(*) filter (where a.line <> b.line) as changed
    from touched t
    left join lateral (select line from feed_line l where l.config_id = $1 and l.product_id = t.product_id and l.ok and l.valid_from <= $2 and l.valid_to > $2 limit 1) a on true
    left join lateral (select line from feed_line l where l.config_id = $1 and l.product_id = t.product_id and l.ok and l.valid_from <= $3 and l.valid_to > $3 limit 1) b on true`

/** @returns null where they are of different configurations, or lines of the former may be kept no longer */
export async function feedDifference(
  tx: PoolClient,
  former: EditionOf,
  present: EditionOf,
): Promise<{ changed: number; removed: number } | null> {
  if (former.config !== present.config) return null
  const dropped = `select from publish where catalog_id = $1 and version = $2 and state = 'dropped'`
  if ((await tx.query(dropped, [former.catalog, versionOf(former.edition)])).rowCount === 1) return null
  const values = [present.config, former.edition, present.edition]
  return (await tx.query<{ changed: number; removed: number }>(differenceSql, values)).rows[0] ?? null
}
