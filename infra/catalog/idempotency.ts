/** Answers kept by Idempotency-Key: one row is taken before the request runs, and holds its answer afterwards. */
import type { Pool } from 'pg'

/** How long an answer is kept. */
const keptMs = 24 * 3_600_000

export interface KeptAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** null for what is shown once. */
  readonly body: string | null
}

export interface Found {
  /** Hash of what was asked, as hex; null while the first request's file is still being read. */
  readonly request: string | null
  /** null while the first request runs. */
  readonly answer: KeptAnswer | null
}

/** A key is free where nobody has it, its day is over, or whoever ran it is gone without an answer. */
const takeSql = `
  insert into idempotency as i (key, request, holder, lease_until, created_at)
  values (decode($1, 'hex'), decode($2, 'hex'), $3, $5, $4)
  on conflict (key) do update
     set request = excluded.request, holder = excluded.holder, lease_until = excluded.lease_until, created_at = excluded.created_at,
         status = null, headers = null, body = null
   where i.created_at <= $6 or (i.status is null and i.lease_until < $4)
  returning 1`

const findSql = `select encode(request, 'hex') as request, status, headers, body from idempotency where key = decode($1, 'hex')`

interface Row {
  request: string | null
  status: number | null
  headers: Record<string, string> | null
  body: string | null
}

export interface Claim {
  /** SHA-256 as hex. */
  readonly key: string
  readonly holder: string
  readonly request: string | null
  readonly now: Date
  readonly leaseUntil: Date
}

/** @returns null where the key is the holder's now */
export async function takeKey(pool: Pool, { key, holder, request, now, leaseUntil }: Claim): Promise<Found | null> {
  for (;;) {
    const values = [key, request, holder, now, leaseUntil, new Date(now.getTime() - keptMs)]
    if ((await pool.query(takeSql, values)).rowCount) return null
    const [row] = (await pool.query<Row>(findSql, [key])).rows
    // Given back in between: it can be taken.
    if (!row) continue
    const { status, headers, body } = row
    return { request: row.request, answer: status === null ? null : { status, headers: headers ?? {}, body } }
  }
}

export async function renewLease(pool: Pool, key: string, holder: string, until: Date): Promise<void> {
  const sql = `update idempotency set lease_until = $3 where key = decode($1, 'hex') and holder = $2 and status is null`
  await pool.query(sql, [key, holder, until])
}

/** Keeps the answer, unless another has taken the key over meanwhile. */
export async function keepAnswer(
  pool: Pool,
  { key, holder, request }: Pick<Claim, 'key' | 'holder' | 'request'>,
  { status, headers, body }: KeptAnswer,
): Promise<void> {
  await pool.query(
    `update idempotency set request = decode($3, 'hex'), status = $4, headers = $5, body = $6
      where key = decode($1, 'hex') and holder = $2 and status is null`,
    [key, holder, request, status, JSON.stringify(headers), body],
  )
}

/** The request made nothing: its key is free again. */
export async function giveKeyBack(pool: Pool, key: string, holder: string): Promise<void> {
  await pool.query(`delete from idempotency where key = decode($1, 'hex') and holder = $2 and status is null`, [
    key,
    holder,
  ])
}

/** @returns whether there may be more: a step is bounded */
export async function sweepKeys(pool: Pool, now: Date): Promise<boolean> {
  const { rowCount } = await pool.query(
    'delete from idempotency where key in (select key from idempotency where created_at <= $1 limit 5000)',
    [new Date(now.getTime() - keptMs)],
  )
  return rowCount === 5_000
}
