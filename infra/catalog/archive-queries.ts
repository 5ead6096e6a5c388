/** The archive's manifest in the catalog: a file counts from the moment that its row says so. */
import type { Pool, PoolClient } from 'pg'
import type { ArchivedRange } from '../../schemas/archive.ts'
import type { OffsetRange } from '../log/port.ts'

/** Where a range begins, and the file that it is to be in. */
export interface BegunRange {
  readonly epoch: number
  readonly topic: string
  readonly partition: number
  readonly from: number
  readonly path: string
}

const columns = `epoch, topic, partition, from_offset as "from", to_offset as "to", path, records,
  value_bytes as "valueBytes", file_bytes as "fileBytes", sha256`

/** In order of epoch, topic and offset. */
export async function listArchived(pool: Pool): Promise<ArchivedRange[]> {
  const { rows } = await pool.query<ArchivedRange>(
    `select ${columns} from log_archive where kept_at is not null order by epoch, topic, partition, from_offset`,
  )
  return rows
}

/** All that the embedded log has records of. */
export async function embeddedTopics(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ topic: string }>('select distinct topic from log_counter order by topic')
  return rows.map(({ topic }) => topic)
}

/** Those of the embedded log, which gives every offset; Kafka leaves some out. */
export async function denseEpochs(pool: Pool): Promise<Set<number>> {
  const { rows } = await pool.query<{ epoch: number }>(`select epoch from log_epoch where engine = 'postgres'`)
  return new Set(rows.map(({ epoch }) => epoch))
}

/** One past the last archived offset, by partition. */
export async function archivedTo(pool: Pool, epoch: number, topic: string, partitions: number): Promise<number[]> {
  const { rows } = await pool.query<{ partition: number; to: number }>({
    name: 'archived to',
    text: `select partition, max(to_offset) as "to" from log_archive
            where epoch = $1 and topic = $2 and kept_at is not null group by partition`,
    values: [epoch, topic],
  })
  const ends = new Array<number>(partitions).fill(0)
  for (const { partition, to } of rows) ends[partition] = to
  return ends
}

/** As above, of what has been there for so long. */
export async function archivedSince(
  pool: Pool,
  epoch: number,
  topic: string,
  partitions: number,
  days: number,
): Promise<number[]> {
  const { rows } = await pool.query<{ partition: number; to: number }>(
    `select partition, max(to_offset) as "to" from log_archive
      where epoch = $1 and topic = $2 and kept_at <= now() - make_interval(days => $3) group by partition`,
    [epoch, topic, days],
  )
  const ends = new Array<number>(partitions).fill(0)
  for (const { partition, to } of rows) ends[partition] = to
  return ends
}

/** Offsets that are in no file, though a later one is there: they were dropped before they were archived. @param begins of the epoch */
export async function archiveHoles(
  pool: Pool,
  epoch: number,
  topic: string,
  begins: readonly number[],
): Promise<OffsetRange[]> {
  const { rows } = await pool.query<{ partition: number; from: number | null; to: number }>({
    name: 'archive holes',
    text: `select partition, before as "from", from_offset as "to"
             from (select partition, from_offset, lag(to_offset) over (partition by partition order by from_offset) as before
                     from log_archive where epoch = $1 and topic = $2 and kept_at is not null) files
            where before is distinct from from_offset order by 1, 3`,
    values: [epoch, topic],
  })
  return rows
    .map(({ partition, from, to }) => ({ partition, from: from ?? begins[partition] ?? 0, to }))
    .filter(({ from, to }) => from < to)
}

/** The files that have something of these offsets, in order. */
export async function archivedWithin(
  pool: Pool,
  { epoch, topic, partition }: Pick<ArchivedRange, 'epoch' | 'topic' | 'partition'>,
  { from, below }: { from: number; below: number },
): Promise<ArchivedRange[]> {
  const { rows } = await pool.query<ArchivedRange>({
    name: 'archived within',
    text: `select ${columns} from log_archive
            where epoch = $1 and topic = $2 and partition = $3 and kept_at is not null and to_offset > $4 and from_offset < $5
            order by from_offset`,
    values: [epoch, topic, partition, from, below],
  })
  return rows
}

/** Where the months of a topic end that have ended: a file begins whose month is later than those of all before it. In order. */
export async function monthEnds(
  pool: Pool,
  epoch: number,
  topic: string,
): Promise<{ partition: number; offset: number }[]> {
  const { rows } = await pool.query<{ partition: number; offset: number }>({
    name: 'month ends',
    text: `select partition, from_offset as "offset"
             from (select partition, from_offset, date_trunc('month', day) as month,
                          max(date_trunc('month', day)) over (partition by partition order by from_offset
                                                              rows between unbounded preceding and 1 preceding) as before
                     from log_archive where epoch = $1 and topic = $2 and kept_at is not null) f
            where month > before order by partition, from_offset`,
    values: [epoch, topic],
  })
  return rows
}

/** Before the first byte is written, so that whatever is left of a file that was cut off is known. */
export async function beginRange(pool: Pool, { epoch, topic, partition, from, path }: BegunRange): Promise<void> {
  await pool.query('insert into log_archive (epoch, topic, partition, from_offset, path) values ($1, $2, $3, $4, $5)', [
    epoch,
    topic,
    partition,
    from,
    path,
  ])
}

/** @returns false where another process has taken the range meanwhile */
export async function keepRange(pool: Pool, range: ArchivedRange, day: string): Promise<boolean> {
  const { epoch, topic, partition, from, to, path, records, valueBytes, fileBytes, sha256 } = range
  const { rowCount } = await pool.query(
    `update log_archive set to_offset = $6, day = $7, records = $8, value_bytes = $9, file_bytes = $10, sha256 = $11, kept_at = now()
      where epoch = $1 and topic = $2 and partition = $3 and from_offset = $4 and path = $5 and kept_at is null`,
    [epoch, topic, partition, from, path, to, day, records, valueBytes, fileBytes, sha256],
  )
  return rowCount === 1
}

export async function unfinishedPaths(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ path: string }>('select path from log_archive where kept_at is null')
  return rows.map(({ path }) => path)
}

export async function forgetUnfinished(pool: Pool, path: string): Promise<void> {
  await pool.query('delete from log_archive where path = $1 and kept_at is null', [path])
}

/** A session lock; see `lock-instance.ts` for the pair. */
const lock = '1634956409, 26'

/** Two that archive at once would write the same ranges. @returns null where another process is at it */
export async function whileArchiving<T>(pool: Pool, work: () => Promise<T>): Promise<T | null> {
  const session: PoolClient = await pool.connect()
  let broken: Error | undefined
  try {
    const { rows } = await session.query<{ held: boolean }>(`select pg_try_advisory_lock(${lock}) as held`)
    if (rows[0]?.held !== true) return null
    try {
      return await work()
    } finally {
      // A connection that does not answer is thrown away, and its lock with it.
      await session.query(`select pg_advisory_unlock(${lock})`).catch((cause: Error) => {
        broken = cause
      })
    }
  } finally {
    session.release(broken)
  }
}
