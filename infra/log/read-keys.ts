/** Reads single products out of the embedded log: finds their batches by key index or key column, decodes only those. */
import { setImmediate as yielded } from 'node:timers/promises'
import type { Pool } from 'pg'
import { readUuid } from '../uuid.ts'
import { type Batch, decodeBatch, keyBytes } from './batch.ts'
import type { StoredRecord } from './port.ts'

/** What bounds the memory: keys looked for in one scan, batch visits answered at once, batches fetched at once. */
const keysAtOnce = 100_000
const visitsAtOnce = 4_000
const fetchedAtOnce = 16
/** Keys of one page of the scan: 1.6 MB. */
const scannedAtOnce = 100_000
const indexedAtOnce = 5_000

interface Source {
  readonly pool: Pool
  readonly topic: string
  /** Offsets by partition: what stands before the first is another epoch's. */
  readonly from: readonly number[]
  readonly below: readonly number[]
}

/** Where a key has records: first offsets of their batches, ascending in the end. */
type Places = Map<string, number[]>

/** Keys come in the order of their first batches, so that keys that were written together are decoded together. */
export async function* readByKeys(
  source: Source,
  keys: readonly string[],
  partitionOf: (key: string) => number,
): AsyncGenerator<StoredRecord> {
  const { pool } = source
  // Segments only ever become indexed, or go: so what this says stays true while we read, or we say that it did not.
  const { rows } = await pool.query<{ segment: number; indexed: boolean }>(
    'select segment, indexed_at is not null as indexed from log_segment',
  )
  const segments = (indexed: boolean) => rows.filter((row) => row.indexed === indexed).map((row) => row.segment)
  const distinct = [...new Set(keys.map((key) => key.toLowerCase()))]
  for (let at = 0; at < distinct.length; at += keysAtOnce) {
    const byPartition = Map.groupBy(distinct.slice(at, at + keysAtOnce), partitionOf)
    for (const [partition, some] of byPartition) {
      const places: Places = new Map(some.map((key) => [key, []]))
      await placesByIndex(source, partition, segments(true), places)
      await placesByScan(source, partition, segments(false), places)
      yield* recordsAt(source, partition, places)
    }
    await stillThere(
      pool,
      rows.map((row) => row.segment),
    )
  }
}

/** A segment that went meanwhile may have taken records with it that nobody has seen. */
async function stillThere(pool: Pool, segments: readonly number[]): Promise<void> {
  const { rowCount } = await pool.query('select from log_segment where segment = any ($1)', [segments])
  if (rowCount !== segments.length) throw new Error('A segment of the log was dropped while it was read; read again')
}

async function placesByIndex(
  { pool, topic, from, below }: Source,
  partition: number,
  segments: number[],
  places: Places,
) {
  if (segments.length === 0) return
  const keys = [...places.keys()]
  for (let at = 0; at < keys.length; at += indexedAtOnce) {
    const { rows } = await pool.query<{ key: string; base: number }>(
      `select product_id as key, base_offset as base from log_key
        where segment = any ($1) and topic = $2 and product_id = any ($3::uuid[]) and partition = $4
          and base_offset >= $5 and base_offset < $6`,
      [segments, topic, keys.slice(at, at + indexedAtOnce), partition, from[partition] ?? 0, below[partition] ?? 0],
    )
    for (const { key, base } of rows) places.get(key)?.push(base)
  }
}

async function placesByScan(source: Source, partition: number, segments: number[], places: Places) {
  const { pool, topic, from, below } = source
  for await (const { base, n, keys } of scanKeys(pool, topic, partition, segments, below[partition])) {
    if (base < (from[partition] ?? 0)) continue
    for (let i = 0; i < n; i++) {
      const found = places.get(readUuid(keys, i * keyBytes))
      if (found && found.at(-1) !== base) found.push(base)
    }
  }
}

/** The key columns of one partition's batches in order of offset, without their payloads. */
export async function* scanKeys(
  pool: Pool,
  topic: string,
  partition: number,
  segments: readonly number[],
  end = Number.MAX_SAFE_INTEGER,
): AsyncGenerator<{ segment: number; base: number; n: number; keys: Buffer }> {
  const { rows: bounds } = await pool.query<{ first: number | null; last: number | null }>(
    `select min(base_offset) as first, max(base_offset) as last from log
      where topic = $1 and partition = $2 and segment = any ($3)`,
    [topic, partition, segments],
  )
  const stop = Math.min(end, (bounds[0]?.last ?? -1) + 1)
  for (let from = bounds[0]?.first ?? stop; from < stop; from += scannedAtOnce) {
    const { rows } = await pool.query<{ segment: number; base: number; n: number; keys: Buffer }>(
      `select segment, base_offset as base, n, keys from log
        where topic = $1 and partition = $2 and segment = any ($3) and base_offset >= $4 and base_offset < $5
        order by base_offset`,
      [topic, partition, segments, from, Math.min(from + scannedAtOnce, stop)],
    )
    yield* rows
  }
}

async function* recordsAt(source: Source, partition: number, places: Places): AsyncGenerator<StoredRecord> {
  for (const bases of places.values()) bases.sort((a, b) => a - b)
  const ordered = [...places].filter(([, bases]) => bases.length > 0).sort(([, a], [, b]) => (a[0] ?? 0) - (b[0] ?? 0))
  for (let at = 0; at < ordered.length; ) {
    const records = new Map<string, StoredRecord[]>()
    const bases = new Set<number>()
    for (let visits = 0; at < ordered.length && visits < visitsAtOnce; at++) {
      const [key, own] = ordered[at] as [string, number[]]
      records.set(key, [])
      for (const base of own) bases.add(base)
      visits += own.length
    }
    await collect(source, partition, [...bases], records)
    for (const list of records.values()) yield* list
  }
}

/** Adds the records of the keys of `into`, in order of offset. */
async function collect(source: Source, partition: number, bases: number[], into: Map<string, StoredRecord[]>) {
  const { pool, topic, below } = source
  bases.sort((a, b) => a - b)
  for (let at = 0; at < bases.length; at += fetchedAtOnce) {
    const { rows } = await pool.query<Batch & { base: number }>(
      `select base_offset as base, n, keys, payload from log
        where topic = $1 and partition = $2 and base_offset = any ($3) order by base_offset`,
      [topic, partition, bases.slice(at, at + fetchedAtOnce)],
    )
    for (const batch of rows) {
      // Each takes milliseconds, in which nobody else is served.
      await yielded()
      const wanted: number[] = []
      const end = Math.min(batch.n, (below[partition] ?? 0) - batch.base)
      for (let i = 0; i < end; i++) if (into.has(readUuid(batch.keys, i * keyBytes))) wanted.push(i)
      for (const record of decodeBatch({ partition, ...batch }, wanted)) into.get(record.key)?.push(record)
    }
  }
}
