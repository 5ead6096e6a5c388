/** Addresses of URL imports: each moves once from waiting to its end, in the transaction of what was done for it. */
import type { Pool, PoolClient } from 'pg'
import { JobEnded } from './job-table.ts'

/** What a page said, as people read it. */
export interface StoredReading {
  /** From which the page came, after redirects; null where nothing came. */
  readonly url: string | null
  readonly encoding: string | null
  readonly fields: Readonly<Record<string, { readonly value: string | readonly string[]; readonly source: string }>>
  readonly conflicts: readonly {
    readonly field: string
    readonly kept: string
    readonly from: string
    readonly other: string
    readonly otherFrom: string
  }[]
  readonly notes: readonly { readonly code: string; readonly says: string }[]
}

export interface UrlItem {
  readonly position: number
  readonly address: string
  readonly state: 'waiting' | 'appended' | 'imported' | 'failed'
  readonly seq: number | null
  readonly epoch: number | null
  readonly partition: number | null
  readonly offset: number | null
  readonly product: string | null
  readonly result: string | null
  readonly reading: StoredReading | null
  readonly code: string | null
  readonly says: string | null
  readonly finishedAt: Date | null
}

const columns = `position, address, state, seq, epoch, partition, "offset", product_id as product, result, reading, code, says,
  finished_at as "finishedAt"`

export async function insertUrlItems(
  tx: PoolClient,
  scope: { job: string; workspace: string; brand: string; catalog: string },
  addresses: readonly string[],
): Promise<void> {
  await tx.query(
    `insert into url_import_item (job_id, position, workspace_id, brand_id, catalog_id, address)
     select $1, n - 1, $2, $3, $4, address from unnest($5::text[]) with ordinality as a (address, n)`,
    [scope.job, scope.workspace, scope.brand, scope.catalog, addresses],
  )
}

/** In order. @param after the position that the page before ended with */
export async function listUrlItems(
  client: Pool | PoolClient,
  job: string,
  after: number | null,
  limit: number,
): Promise<UrlItem[]> {
  const { rows } = await client.query<UrlItem>(
    `select ${columns} from url_import_item where job_id = $1 and position > coalesce($2, -1) order by position limit $3`,
    [job, after, limit],
  )
  return rows
}

/** Those that have no end yet, without what is long. */
export async function openUrlItems(
  pool: Pool,
  job: string,
): Promise<Pick<UrlItem, 'position' | 'address' | 'state'>[]> {
  const { rows } = await pool.query(
    `select position, address, state from url_import_item where job_id = $1 and state in ('waiting', 'appended')
      order by state, position`,
    [job],
  )
  return rows
}

export async function findUrlItem(pool: Pool, job: string, position: number): Promise<UrlItem | null> {
  const { rows } = await pool.query<UrlItem>(
    `select ${columns} from url_import_item where job_id = $1 and position = $2`,
    [job, position],
  )
  return rows[0] ?? null
}

export interface Appended {
  readonly seq: number
  readonly epoch: number
  readonly partition: number
  readonly offset: number
  readonly product: string
  readonly reading: StoredReading
}

/** @returns false where another process was first */
export async function markAppended(tx: PoolClient, job: string, position: number, a: Appended): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update url_import_item set state = 'appended', seq = $3, epoch = $4, partition = $5, "offset" = $6, product_id = $7, reading = $8
      where job_id = $1 and position = $2 and state = 'waiting'`,
    [job, position, a.seq, a.epoch, a.partition, a.offset, a.product, JSON.stringify(a.reading)],
  )
  return rowCount === 1
}

/** @returns false where another process was first */
export async function markImported(
  tx: PoolClient,
  job: string,
  position: number,
  { result, reading }: { result: string; reading: StoredReading | null },
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update url_import_item set state = 'imported', result = $3, reading = $4, finished_at = now()
      where job_id = $1 and position = $2 and state = 'appended'`,
    [job, position, result, JSON.stringify(reading)],
  )
  return rowCount === 1
}

/** @param reading what the page said nevertheless @returns false where another process was first */
export async function markFailed(
  tx: PoolClient,
  job: string,
  position: number,
  { code, says, reading }: { code: string; says: string; reading: StoredReading | null },
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update url_import_item set state = 'failed', code = $3, says = $4, reading = coalesce($5, reading), product_id = null, finished_at = now()
      where job_id = $1 and position = $2 and state in ('waiting', 'appended')`,
    [job, position, code, says, reading === null ? null : JSON.stringify(reading)],
  )
  return rowCount === 1
}

/** Moves the job's progress. @throws JobEnded where it is not running: what goes with it must not stand then */
export async function countUrlItems(tx: PoolClient, job: string): Promise<void> {
  const { rowCount } = await tx.query(
    `update job set done = (select count(*) from url_import_item where job_id = $1 and state in ('imported', 'failed'))
      where job_id = $1 and status = 'active'`,
    [job],
  )
  if (rowCount !== 1) throw new JobEnded(job)
}

/** What the sink made of one record, where the import has one on its way at a time. */
export async function effectOf(
  pool: Pool,
  importId: string,
  { epoch, partition, seq }: Pick<Appended, 'epoch' | 'partition' | 'seq'>,
): Promise<'created' | 'updated' | 'unchanged' | 'rejected'> {
  const { rows } = await pool.query<{ created: number; updated: number; rejected: number }>(
    `select created, updated, rejected from import_outcome
      where import_id = $1 and epoch = $2 and partition = $3 and first_seq <= $4 order by first_seq desc limit 1`,
    [importId, epoch, partition, seq],
  )
  const [row] = rows
  if (row && row.created > 0) return 'created'
  if (row && row.updated > 0) return 'updated'
  return row && row.rejected > 0 ? 'rejected' : 'unchanged'
}

/** What the steps after the reading had to say of a row. */
export async function notesOfRow(pool: Pool, importId: string, row: number): Promise<{ code: string; says: string }[]> {
  const { rows } = await pool.query<{ code: string; says: string }>(
    `select code, says from import_row where import_id = $1 and row_number = $2 and code is not null order by ordinal limit 50`,
    [importId, row],
  )
  return rows
}
