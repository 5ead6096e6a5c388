/** Where a brand's feed files are sent to, as their keepers see them: all but the secret, which goes in and never comes out here. Under policy. */
import type { Pool, PoolClient } from 'pg'
import type { TargetPlace } from '../../schemas/feed-file.ts'

export type FeedTarget = TargetPlace & {
  readonly id: string
  readonly workspace: string
  readonly brand: string
  readonly platform: string
  readonly hostKey: string | null
  readonly by: string
  readonly createdAt: Date
}

const columns = `target_id as id, workspace_id as workspace, brand_id as brand, platform, kind, place, host_key as "hostKey", created_by as by, created_at as "createdAt"`

/** Few: at most \`mostTargets\` a platform. */
export async function listTargets(tx: PoolClient, brand: string, platform: string): Promise<FeedTarget[]> {
  const sql = `select ${columns} from feed_target where brand_id = $1 and platform = $2 order by created_at, target_id`
  return (await tx.query<FeedTarget>(sql, [brand, platform])).rows
}

export async function insertTarget(
  tx: PoolClient,
  t: Omit<FeedTarget, 'createdAt'>,
  { keyId, sealed }: { keyId: string; sealed: Buffer },
): Promise<FeedTarget> {
  const { rows } = await tx.query<FeedTarget>(
    `insert into feed_target (target_id, workspace_id, brand_id, platform, kind, place, host_key, key_id, sealed, created_by)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) returning ${columns}`,
    [...[t.id, t.workspace, t.brand, t.platform, t.kind, JSON.stringify(t.place), t.hostKey], ...[keyId, sealed, t.by]],
  )
  const [row] = rows
  if (!row) throw new Error('the target was not made')
  return row
}

/** @param secret null: it stays */
export async function updateTarget(
  tx: PoolClient,
  id: string,
  { place, hostKey }: Pick<FeedTarget, 'place' | 'hostKey'>,
  secret: { keyId: string; sealed: Buffer } | null,
): Promise<FeedTarget> {
  const { rows } = await tx.query<FeedTarget>(
    `update feed_target set place = $2, host_key = $3 where target_id = $1 returning ${columns}`,
    [id, JSON.stringify(place), hostKey],
  )
  if (secret)
    await tx.query('update feed_target set key_id = $2, sealed = $3 where target_id = $1', [
      id,
      secret.keyId,
      secret.sealed,
    ])
  const [row] = rows
  if (!row) throw new Error('the target is gone')
  return row
}

/** What waits for it goes with it. */
export async function deleteTarget(tx: PoolClient, id: string): Promise<void> {
  await tx.query('delete from feed_target where target_id = $1', [id])
}

/** With the brand. */
export async function deleteTargets(tx: PoolClient, brand: string): Promise<void> {
  await tx.query('delete from feed_target where brand_id = $1', [brand])
}

export interface SealedTarget {
  readonly id: string
  readonly keyId: string
  readonly sealed: Buffer
}

/** A page of those under other keys, of which these can be opened. @param after the id that the page before ended with */
export async function targetsUnder(
  pool: Pool,
  keyIds: readonly string[],
  after: string | null,
  limit: number,
): Promise<SealedTarget[]> {
  const { rows } = await pool.query<SealedTarget>(
    `select target_id as id, key_id as "keyId", sealed from feed_target
      where key_id = any ($1) and ($2::uuid is null or target_id > $2) order by target_id limit $3`,
    [keyIds, after, limit],
  )
  return rows
}

/** Unless another process did meanwhile. */
export async function resealTarget(
  pool: Pool,
  { id, keyId }: Pick<SealedTarget, 'id' | 'keyId'>,
  to: { keyId: string; sealed: Buffer },
): Promise<void> {
  const sql = 'update feed_target set key_id = $3, sealed = $4 where target_id = $1 and key_id = $2'
  await pool.query(sql, [id, keyId, to.keyId, to.sealed])
}

/** How many are sealed under each key. */
export async function countTargetsByKey(pool: Pool): Promise<{ keyId: string; secrets: number }[]> {
  const sql = 'select key_id as "keyId", count(*)::int as secrets from feed_target group by key_id order by key_id'
  return (await pool.query<{ keyId: string; secrets: number }>(sql)).rows
}
