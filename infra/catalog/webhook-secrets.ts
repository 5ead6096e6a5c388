/** Sealed secrets of webhooks, for those who sign with them and those who seal them anew. */
import type { Pool } from 'pg'

export interface SealedSecret {
  readonly id: string
  readonly webhook: string
  readonly keyId: string
  readonly sealed: Buffer
  /** A former one signs until then; null: in force. */
  readonly until: Date | null
}

const columns = 'secret_id as id, webhook_id as webhook, key_id as "keyId", sealed, until'

/** In force first. */
export async function secretsOf(pool: Pool, webhooks: readonly string[], now: Date): Promise<SealedSecret[]> {
  const { rows } = await pool.query<SealedSecret>(
    `select ${columns} from webhook_secret where webhook_id = any ($1::uuid[]) and (until is null or until > $2)
      order by webhook_id, until nulls first`,
    [webhooks, now],
  )
  return rows
}

/** A page of those under other keys, of which these can be opened. @param after the id that the page before ended with */
export async function secretsUnder(
  pool: Pool,
  keyIds: readonly string[],
  after: string | null,
  limit: number,
): Promise<SealedSecret[]> {
  const { rows } = await pool.query<SealedSecret>(
    `select ${columns} from webhook_secret where key_id = any ($1) and ($2::uuid is null or secret_id > $2) order by secret_id limit $3`,
    [keyIds, after, limit],
  )
  return rows
}

/** Unless another process did meanwhile. */
export async function replaceSealed(
  pool: Pool,
  { id, keyId }: Pick<SealedSecret, 'id' | 'keyId'>,
  to: { keyId: string; sealed: Buffer },
): Promise<void> {
  await pool.query('update webhook_secret set key_id = $3, sealed = $4 where secret_id = $1 and key_id = $2', [
    id,
    keyId,
    to.keyId,
    to.sealed,
  ])
}

/** How many are sealed under each key. */
export async function countByKey(pool: Pool): Promise<{ keyId: string; secrets: number }[]> {
  const sql = 'select key_id as "keyId", count(*)::int as secrets from webhook_secret group by key_id order by key_id'
  return (await pool.query<{ keyId: string; secrets: number }>(sql)).rows
}

/** A secret whose overlap is over signs nothing any more. */
export async function sweepSecrets(pool: Pool): Promise<void> {
  await pool.query(`delete from webhook_secret where until < now() - interval '1 hour'`)
}
