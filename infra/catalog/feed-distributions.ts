/** Which platforms a brand is on, and with what its feed for each is made; under policy of the database. */
import type { PoolClient } from 'pg'
import type { FeedFormat } from '../../schemas/feeds/feed-formats.ts'
import type { FeedSettings } from '../../schemas/feeds/profile.ts'

export interface Distribution {
  readonly platform: string
  readonly enabled: boolean
  /** null: the newest. */
  readonly profileVersion: number | null
  /** null: the brand's default. */
  readonly catalog: string | null
  readonly linkTemplate: string | null
  readonly tracking: Readonly<Record<string, string>>
  readonly options: FeedSettings
  readonly schedule: string | null
  /** Of its files; null: the platform’s own. */
  readonly fileFormat: FeedFormat | null
  readonly fileGzip: boolean
  readonly keptFiles: number
  /** When it is generated next. */
  readonly nextAt: Date | null
  readonly updatedAt: Date
  readonly updatedBy: string | null
}

const columns = `platform, enabled, profile_version as "profileVersion", of_catalog as catalog, link_template as "linkTemplate", tracking, options, schedule,
  file_format as "fileFormat", file_gzip as "fileGzip", kept_files as "keptFiles", next_at as "nextAt", updated_at as "updatedAt", updated_by as "updatedBy"`

/** Few: a row a platform. */
export async function listDistributions(tx: PoolClient, brand: string): Promise<Distribution[]> {
  const sql = `select ${columns} from feed_distribution where brand_id = $1 order by platform`
  return (await tx.query<Distribution>(sql, [brand])).rows
}

export async function putDistribution(
  tx: PoolClient,
  place: { readonly workspace: string; readonly brand: string },
  d: Omit<Distribution, 'updatedAt'>,
): Promise<Distribution> {
  const { rows } = await tx.query<Distribution>(
    `insert into feed_distribution (workspace_id, brand_id, platform, enabled, profile_version, of_catalog, link_template, tracking, options, schedule, updated_by,
       file_format, file_gzip, kept_files, next_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
     on conflict (brand_id, platform) do update set enabled = excluded.enabled, profile_version = excluded.profile_version,
       of_catalog = excluded.of_catalog, link_template = excluded.link_template, tracking = excluded.tracking, options = excluded.options, schedule = excluded.schedule,
       updated_by = excluded.updated_by, updated_at = now(), file_format = excluded.file_format, file_gzip = excluded.file_gzip,
       kept_files = excluded.kept_files, next_at = excluded.next_at
     returning ${columns}`,
    [
      ...[place.workspace, place.brand, d.platform, d.enabled, d.profileVersion, d.catalog, d.linkTemplate],
      ...[JSON.stringify(d.tracking), JSON.stringify(d.options), d.schedule, d.updatedBy],
      ...[d.fileFormat, d.fileGzip, d.keptFiles, d.nextAt],
    ],
  )
  const [row] = rows
  if (!row) throw new Error('the distribution was not written')
  return row
}
