/** API keys as their keepers see them: everything but the secret. Under policy. */
import { randomUUID } from 'node:crypto'
import type { PoolClient } from 'pg'
import type { Action } from '../../schemas/access.ts'

export interface KeyRow {
  readonly id: string
  readonly name: string
  readonly prefix: string
  readonly brandId: string | null
  readonly scopes: readonly Action[]
  readonly createdBy: string
  readonly createdAt: Date
  readonly expiresAt: Date | null
  readonly lastUsedAt: Date | null
  readonly revokedAt: Date | null
  readonly rotatedTo: string | null
}

const columns = `key_id as id, name, prefix, brand_id as "brandId", scopes, created_by as "createdBy", created_at as "createdAt",
  expires_at as "expiresAt", last_used_at as "lastUsedAt", revoked_at as "revokedAt", rotated_to as "rotatedTo"`

export async function listKeys(tx: PoolClient, after: string | null, limit: number): Promise<KeyRow[]> {
  const { rows } = await tx.query<KeyRow>(
    `select ${columns} from api_key where $1::uuid is null or key_id > $1 order by key_id limit $2`,
    [after, limit],
  )
  return rows
}

export async function findKeyById(tx: PoolClient, id: string): Promise<KeyRow | null> {
  return (await tx.query<KeyRow>(`select ${columns} from api_key where key_id = $1`, [id])).rows[0] ?? null
}

/** As it stands until the transaction ends. */
export async function lockKey(tx: PoolClient, id: string): Promise<KeyRow | null> {
  return (await tx.query<KeyRow>(`select ${columns} from api_key where key_id = $1 for update`, [id])).rows[0] ?? null
}

export async function insertKey(
  tx: PoolClient,
  k: Pick<KeyRow, 'name' | 'prefix' | 'brandId' | 'scopes' | 'expiresAt'> & {
    workspace: string
    secretHash: Buffer
    by: string
  },
): Promise<KeyRow> {
  const { rows } = await tx.query<KeyRow>(
    `insert into api_key (key_id, workspace_id, brand_id, name, prefix, secret_hash, scopes, created_by, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9) returning ${columns}`,
    [randomUUID(), k.workspace, k.brandId, k.name, k.prefix, k.secretHash, k.scopes, k.by, k.expiresAt],
  )
  const row = rows[0]
  if (!row) throw new Error('the key was not made')
  return row
}

/** Both keys work for so long, but the old one never longer than it would have. */
export async function replaceKey(tx: PoolClient, id: string, by: string, overlapMinutes: number): Promise<void> {
  await tx.query(
    `update api_key set rotated_to = $2, expires_at = least(expires_at, now() + make_interval(mins => $3)) where key_id = $1`,
    [id, by, overlapMinutes],
  )
}

export async function revokeKey(tx: PoolClient, id: string): Promise<KeyRow | null> {
  const { rows } = await tx.query<KeyRow>(
    `update api_key set revoked_at = now() where key_id = $1 and revoked_at is null returning ${columns}`,
    [id],
  )
  return rows[0] ?? null
}
