/** What a feed is made with, as numbered rows that never change: lines and positions name the number. */
import type { Pool } from 'pg'
import type { FeedSettings } from '../../schemas/feeds/profile.ts'
import { inTransaction } from './in-transaction.ts'

export interface ConfigSettings {
  readonly platform: string
  readonly profileVersion: number
  readonly linkTemplate: string | null
  /** Parameters that every link gets, by name. */
  readonly tracking: Readonly<Record<string, string>>
  /** What the one who sets up the feed says for all its lines. */
  readonly options: FeedSettings
}

export interface FeedConfig extends ConfigSettings {
  readonly id: number
  readonly catalog: string
  readonly workspace: string
  readonly brand: string
}

export const configColumns = `c.config_id as id, c.catalog_id as catalog, c.workspace_id as workspace, c.brand_id as brand, c.platform,
  c.profile_version as "profileVersion", c.link_template as "linkTemplate", c.tracking, c.options`

/** Read so often that every read must not be a write. */
const readEveryMs = 3_600_000

const sameSql = `
  select ${configColumns}, f.read_at as "readAt" from feed_config c join feed_fill f on f.config_id = c.config_id
   where c.catalog_id = $1 and c.platform = $2 and c.profile_version = $3 and c.link_template is not distinct from $4
     and c.tracking = $5::jsonb and c.options = $6::jsonb and c.retired_at is null`

/**
 * Notes that it is read: what is in use is kept up with.
 * @param version of which its first lines are, should there be none yet
 */
export async function feedConfigFor(
  pool: Pool,
  place: Pick<FeedConfig, 'catalog' | 'workspace' | 'brand'>,
  settings: ConfigSettings,
  version: number,
): Promise<FeedConfig> {
  const { platform, profileVersion, linkTemplate, tracking, options } = settings
  const values = [
    place.catalog,
    platform,
    profileVersion,
    linkTemplate,
    JSON.stringify(tracking),
    JSON.stringify(options),
  ]
  for (;;) {
    const { rows } = await pool.query<FeedConfig & { readAt: Date }>(sameSql, values)
    const [row] = rows
    if (row) {
      const { readAt, ...config } = row
      if (Date.now() - readAt.getTime() > readEveryMs)
        await pool.query('update feed_fill set read_at = now() where config_id = $1', [config.id])
      return config
    }
    await inTransaction(pool, async (tx) => {
      // Of two who make it at once the other waits here, and finds it.
      const made = await tx.query<{ id: number }>(
        `insert into feed_config (catalog_id, platform, profile_version, link_template, tracking, options, workspace_id, brand_id)
         values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict do nothing returning config_id as id`,
        [...values, place.workspace, place.brand],
      )
      const id = made.rows[0]?.id
      if (id !== undefined)
        await tx.query('insert into feed_fill (config_id, base, version) values ($1, $2, $2)', [id, version])
    })
  }
}

/** @returns null where its lines are no longer kept */
export async function findFeedConfig(pool: Pool, id: number): Promise<FeedConfig | null> {
  const sql = `select ${configColumns} from feed_config c where c.config_id = $1 and c.retired_at is null`
  return (await pool.query<FeedConfig>(sql, [id])).rows[0] ?? null
}
