/** The embedded log: record batches in the catalog's Postgres, offsets dense and visible in order (DESIGN 5.7). */
import type { Pool, PoolClient } from 'pg'
import { inTransaction, sayAfter } from '../catalog/in-transaction.ts'
import { type Batch, decodeBatch, encodeBatches } from './batch.ts'
import { byPartition } from './by-partition.ts'
import { partitionOf as partitionOfKey } from './partition-of.ts'
import type { Log, NewRecord, OffsetRange, StoredRecord } from './port.ts'
import { readByKeys } from './read-keys.ts'

/** On it stands the name of each topic that was appended to. */
export const logChannel = 'assay_log'

/** Of one statement, so that what is sent while the counters are locked stays bounded. */
const batchesAtOnce = 8
/** Compressed; a read ends early at it, so that records of megabytes do not fill the memory. */
const readBytes = 16 * 1024 * 1024

/** All epochs stand in the same tables, one behind the other: offsets go on where the former ended. */
interface Opened {
  readonly epoch: number
  readonly partitions: number
  /** By topic, the first offset of this epoch for each partition. */
  readonly begins?: Readonly<Record<string, readonly number[]>>
}

/** @param pool of the pipeline's role */
export function postgresLog(pool: Pool, { epoch, partitions, begins = {} }: Opened): Log {
  const partitionOf = (key: string) => partitionOfKey(key, partitions)
  return {
    epoch,
    partitions,
    transactional: true,
    partitionOf,
    append: async (topic, records, tx) => {
      const parts = await batchesByPartition(records, partitionOf)
      if (parts.length === 0) return []
      return tx ? appendParts(tx, topic, parts) : inTransaction(pool, (own) => appendParts(own, topic, parts))
    },
    read: (topic, partition, from, limit) => readFrom(pool, topic, partition, from, limit),
    readKeys: (topic, keys, below) => readByKeys({ pool, topic, from: begins[topic] ?? [], below }, keys, partitionOf),
    // What stands before the first is another epoch's.
    begins: async (topic) => {
      const kept = await offsets(pool, 'log begins', beginsSql, topic, partitions)
      return kept.map((begin, partition) => Math.max(begin, begins[topic]?.[partition] ?? 0))
    },
    ends: (topic) => offsets(pool, 'log ends', endsSql, topic, partitions),
  }
}

const endsSql = 'select partition, next_offset as "offset" from log_counter where topic = $1 and partition < $2'

/** A retired segment counts as gone: it will be, while whoever asks is still reading. */
const beginsSql = `
  select c.partition, coalesce(
           (select min(l.base_offset) from log l
             where l.topic = c.topic and l.partition = c.partition
               and l.segment >= (select min(segment) from log_segment where retired_at is null)), c.next_offset) as "offset"
    from log_counter c where c.topic = $1 and c.partition < $2`

async function offsets(pool: Pool, name: string, text: string, topic: string, partitions: number): Promise<number[]> {
  const { rows } = await pool.query<{ partition: number; offset: number }>({ name, text, values: [topic, partitions] })
  const all = new Array<number>(partitions).fill(0)
  for (const { partition, offset } of rows) all[partition] = offset
  return all
}

interface Part extends Batch {
  readonly partition: number
}

/** Compressed here, before any counter is locked; in order of partition, as the counters must be. */
async function batchesByPartition(records: readonly NewRecord[], partitionOf: Log['partitionOf']): Promise<Part[]> {
  const lists = byPartition(records, partitionOf)
  const lost = lists.get(Number.NaN)?.[0]
  if (lost) throw new TypeError(`"${lost.key}" is no product id`)
  const parts = [...lists]
    .sort(([one], [other]) => one - other)
    .map(async ([partition, list]) => (await encodeBatches(list)).map((batch): Part => ({ partition, ...batch })))
  return (await Promise.all(parts)).flat()
}

async function appendParts(tx: PoolClient, topic: string, parts: readonly Part[]): Promise<OffsetRange[]> {
  sayAfter(tx, logChannel, topic)
  const ranges = new Map<number, OffsetRange>()
  for (let at = 0; at < parts.length; at += batchesAtOnce) {
    const some = parts.slice(at, at + batchesAtOnce)
    const values = some.map(
      (_, i) => `($${i * 4 + 2}::int, $${i * 4 + 3}::int, $${i * 4 + 4}::bytea, $${i * 4 + 5}::bytea)`,
    )
    const { rows } = await tx.query<{ base: number }>(
      `select log_append($1, p, n, k, v) as base from (values ${values.join(', ')}) b (p, n, k, v)`,
      [topic, ...some.flatMap(({ partition, n, keys, payload }) => [partition, n, keys, payload])],
    )
    for (const [i, { partition, n }] of some.entries()) {
      const base = rows[i]?.base ?? 0
      const from = ranges.get(partition)?.from ?? base
      ranges.set(partition, { partition, from, to: base + n })
    }
  }
  return [...ranges.values()]
}

/**
 * Offsets are dense, so the batches of the next `limit` records are those that begin before `from + limit`. Where the segments
 * of `from` have been dropped, reading begins at the first batch that is kept.
 */
const readSql = `
  select base, n, keys, payload from (
    select b.base_offset as base, b.n, b.keys, b.payload,
           sum(octet_length(b.payload)) over (order by b.base_offset) - octet_length(b.payload) as bytes_before
      from (select coalesce(
              (select max(base_offset) from log where topic = $1 and partition = $2 and base_offset <= $3),
              (select min(base_offset) from log where topic = $1 and partition = $2)) as base) first, log b
     where b.topic = $1 and b.partition = $2 and b.base_offset >= first.base
       and b.base_offset < greatest(first.base, $3) + $4 and b.base_offset + b.n > $3
  ) batches
  where bytes_before < ${readBytes}
  order by base`

async function readFrom(
  pool: Pool,
  topic: string,
  partition: number,
  from: number,
  limit: number,
): Promise<StoredRecord[]> {
  const { rows } = await pool.query<Batch & { base: number }>({
    name: 'log read',
    text: readSql,
    values: [topic, partition, from, limit],
  })
  const records: StoredRecord[] = []
  for (const row of rows) for (const record of decodeBatch({ partition, ...row })) records.push(record)
  const [first] = records
  return first && first.offset < from ? records.slice(from - first.offset) : records
}
