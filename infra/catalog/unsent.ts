/** Records that are committed before a log apart from this database has them: kept until it does, so that a crash in between loses none and changes none. */
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { Pool, PoolClient } from 'pg'

/** A bulk job, or a partition of a tenant's topic. */
export interface Sender {
  readonly id: string
  readonly workspace: string
  readonly brand: string | null
}

export interface Unsent<T> {
  readonly what: T
  /** One past the number of its last record. */
  readonly next: number
}

/**
 * Takes numbers for as many records, and keeps what is made of them until it is sent.
 * @param make given the number of the first
 * @throws where what the sender made before is not on the log yet
 */
export async function keepUnsent<T>(
  tx: PoolClient,
  { id, workspace, brand }: Sender,
  count: number,
  make: (first: number) => T,
): Promise<Unsent<T>> {
  await tx.query('insert into unsent (sender, workspace_id, brand_id) values ($1, $2, $3) on conflict do nothing', [
    ...[id, workspace, brand],
  ])
  const { rows } = await tx.query<{ next: number }>(
    'update unsent set next_number = next_number + $2 where sender = $1 and payload is null returning next_number as next',
    [id, count],
  )
  const next = rows[0]?.next
  if (next === undefined) throw new Error(`what ${id} made before is not on the log yet`)
  const what = make(next - count)
  await tx.query('update unsent set payload = $2, at = now() where sender = $1', [id, packed(what)])
  return { what, next }
}

export async function findUnsent<T>(client: Pool | PoolClient, sender: string): Promise<Unsent<T> | null> {
  const { rows } = await client.query<{ payload: Buffer; next: number }>(
    'select payload, next_number as next from unsent where sender = $1 and payload is not null',
    [sender],
  )
  const [row] = rows
  return row ? { what: JSON.parse(zstdDecompressSync(row.payload).toString()), next: row.next } : null
}

/** Whoever runs a job sends what it records at once; what lies longer was cut off with its process, or with the brokers. */
const lyingSeconds = 2

/**
 * Jobs of which something is not on the log yet and should be, in the order of what they made last: ended ones, and such as were cut off.
 * @param job null: of all; else of its workspace, with itself
 */
export async function sendersLeft(client: Pool | PoolClient, job: string | null): Promise<string[]> {
  const { rows } = await client.query<{ sender: string }>(
    `select u.sender from unsent u join job j on j.job_id = u.sender
      where u.payload is not null
        and (j.job_id = $1 or (j.status in ('completed', 'failed') or u.at < now() - $2 * interval '1 second')
                              and ($1::uuid is null or u.workspace_id = (select workspace_id from job where job_id = $1)))
      order by u.at`,
    [job, lyingSeconds],
  )
  return rows.map(({ sender }) => sender)
}

/** @returns false where another process has sent it */
export async function markSent(client: Pool | PoolClient, sender: string, { next }: Unsent<unknown>): Promise<boolean> {
  const { rowCount } = await client.query(
    'update unsent set payload = null, at = now() where sender = $1 and next_number = $2 and payload is not null',
    [sender, next],
  )
  return rowCount === 1
}

/** What jobs sent a day ago that have ended: none of their processes, had it been stopped in between, sends it once more. */
export async function sweepUnsent(pool: Pool): Promise<void> {
  await pool.query(
    `with gone as (
       delete from unsent u using job j
        where j.job_id = u.sender and j.status in ('completed', 'failed') and u.payload is null and u.at < now() - interval '1 day'
       returning u.sender)
     delete from import_progress p using gone where p.import_id = gone.sender`,
  )
}

const packed = (what: unknown) =>
  zstdCompressSync(JSON.stringify(what), { params: { [constants.ZSTD_c_compressionLevel]: 1 } })
