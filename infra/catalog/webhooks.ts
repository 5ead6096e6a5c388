/** Webhooks of a brand, as their keepers see them: all but the secret, which goes in and never comes out here. Under policy. */
import { randomUUID } from 'node:crypto'
import type { PoolClient } from 'pg'
import type { DeltaOptions, DeltaTarget } from '../../schemas/delta.ts'
import type { InactiveReason } from '../../schemas/webhook.ts'

/** Where webhooks are kept: of a feed, of a catalog, or with neither of a workspace. */
export interface WebhookScope {
  readonly platform: string | null
  readonly catalog: string | null
}

export interface WebhookRow {
  readonly id: string
  readonly workspaceId: string
  readonly brandId: string
  /** null: of events of the workspace, or of a catalog. */
  readonly platform: string | null
  /** Of what each publish of it changes. */
  readonly catalogId: string | null
  /** The shape of these changes, and what it asks to be told. */
  readonly target: DeltaTarget | null
  readonly options: DeltaOptions | null
  /** Behind what it has acknowledged of its catalog. */
  readonly position: string | null
  readonly url: string
  readonly events: readonly string[]
  readonly state: 'active' | 'inactive'
  readonly reason: InactiveReason | null
  readonly inactiveAt: Date | null
  readonly rev: number
  readonly createdBy: string
  readonly createdAt: Date
  readonly updatedAt: Date
}

const columns = `webhook_id as id, workspace_id as "workspaceId", brand_id as "brandId", platform, catalog_id as "catalogId", target, options,
  (select d.position from webhook_delta d where d.webhook_id = webhook.webhook_id) as position, url, events, state, reason,
  inactive_at as "inactiveAt", rev, created_by as "createdBy", created_at as "createdAt", updated_at as "updatedAt"`

/** @param brand null: of every brand that the transaction may see */
export async function listWebhooks(
  tx: PoolClient,
  {
    brand,
    platform,
    catalog,
    after,
    limit,
  }: WebhookScope & { brand: string | null; after: string | null; limit: number },
): Promise<WebhookRow[]> {
  const { rows } = await tx.query<WebhookRow>(
    `select ${columns} from webhook
      where platform is not distinct from $1 and catalog_id is not distinct from $5 and ($2::uuid is null or brand_id = $2)
        and ($3::uuid is null or webhook_id > $3)
      order by webhook_id limit $4`,
    [platform, brand, after, limit, catalog],
  )
  return rows
}

export const findWebhook = (tx: PoolClient, id: string, scope: WebhookScope) => webhookFor(tx, id, scope, '')

/** As it stands until the transaction ends. */
export const lockWebhook = (tx: PoolClient, id: string, scope: WebhookScope) => webhookFor(tx, id, scope, 'for update')

/** @param scope where it was asked for: elsewhere there is none of that id */
async function webhookFor(
  tx: PoolClient,
  id: string,
  { platform, catalog }: WebhookScope,
  lock: string,
): Promise<WebhookRow | null> {
  const sql = `select ${columns} from webhook where webhook_id = $1 and platform is not distinct from $2 and catalog_id is not distinct from $3 ${lock}`
  return (await tx.query<WebhookRow>(sql, [id, platform, catalog])).rows[0] ?? null
}

export async function countWebhooks(tx: PoolClient, brand: string): Promise<number> {
  const sql = 'select count(*)::int as n from webhook where brand_id = $1'
  return (await tx.query<{ n: number }>(sql, [brand])).rows[0]?.n ?? 0
}

export async function insertWebhook(
  tx: PoolClient,
  w: Pick<WebhookRow, 'id' | 'platform' | 'url' | 'events'> &
    Partial<Pick<WebhookRow, 'catalogId' | 'target' | 'options'>> & { workspace: string; brand: string; by: string },
): Promise<WebhookRow> {
  const { rows } = await tx.query<WebhookRow>(
    `insert into webhook (webhook_id, workspace_id, brand_id, platform, url, events, created_by, catalog_id, target, options)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) returning ${columns}`,
    [
      ...[w.id, w.workspace, w.brand, w.platform, w.url, w.events, w.by],
      ...[w.catalogId ?? null, w.target ?? null, w.options ? JSON.stringify(w.options) : null],
    ],
  )
  const [row] = rows
  if (!row) throw new Error('the webhook was not made')
  return row
}

/** What is not given stays. Made inactive, it misses what waits; made active again, it gets what comes from then on. */
export async function updateWebhook(
  tx: PoolClient,
  id: string,
  to: { url?: string | undefined; events?: readonly string[] | undefined; active?: boolean | undefined },
): Promise<WebhookRow> {
  const { rows } = await tx.query<WebhookRow>(
    `update webhook
        set url = coalesce($2, url), events = coalesce($3, events), rev = rev + 1, updated_at = now(),
            state = case when $4::boolean is null then state when $4 then 'active' else 'inactive' end,
            reason = case when $4::boolean is null then reason when $4 then null else coalesce(reason, 'paused') end,
            inactive_at = case when $4::boolean is null then inactive_at when $4 then null else coalesce(inactive_at, now()) end
      where webhook_id = $1 returning ${columns}`,
    [id, to.url ?? null, to.events ?? null, to.active ?? null],
  )
  const [row] = rows
  if (!row) throw new Error('the webhook went while it was held')
  if (to.active === false) await missWaiting(tx, id)
  return row
}

/** What waits is not sent any more. */
export async function missWaiting(tx: PoolClient, webhook: string): Promise<void> {
  await tx.query(
    `update webhook_delivery set state = 'missed', next_at = null, ended_at = now() where webhook_id = $1 and state = 'waiting'`,
    [webhook],
  )
}

/** Its secrets, deliveries and attempts go with it. */
export async function deleteWebhook(tx: PoolClient, id: string): Promise<void> {
  await tx.query('delete from webhook where webhook_id = $1', [id])
}

/** With the brand. */
export async function deleteWebhooks(tx: PoolClient, brand: string): Promise<void> {
  await tx.query('delete from webhook where brand_id = $1', [brand])
}

export async function insertSecret(
  tx: PoolClient,
  { id, workspaceId, brandId }: Pick<WebhookRow, 'id' | 'workspaceId' | 'brandId'>,
  { keyId, sealed }: { keyId: string; sealed: Buffer },
): Promise<void> {
  await tx.query(
    `insert into webhook_secret (secret_id, webhook_id, workspace_id, brand_id, key_id, sealed) values ($1, $2, $3, $4, $5, $6)`,
    [randomUUID(), id, workspaceId, brandId, keyId, sealed],
  )
}

/** The one in force signs beside the next until its time; one that was former already signs no more. */
export async function endSecret(tx: PoolClient, webhook: string, overlapMinutes: number): Promise<Date> {
  await tx.query('update webhook_secret set until = now() where webhook_id = $1 and until > now()', [webhook])
  const { rows } = await tx.query<{ until: Date }>(
    `update webhook_secret set until = now() + make_interval(mins => $2) where webhook_id = $1 and until is null returning until`,
    [webhook, overlapMinutes],
  )
  const [row] = rows
  if (!row) throw new Error('the webhook has no secret')
  return row.until
}
