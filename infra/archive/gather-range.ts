/** Takes the next records of a partition into a scratch table, as many as go into one file of the archive. */
import { setImmediate as breathe } from 'node:timers/promises'
import type { Scratch, ScratchTable } from '../../ingest/scratch.ts'
import type { Log, StoredRecord } from '../log/port.ts'
import { type RecordColumns, recordColumns } from './record-columns.ts'

export interface Gathered {
  /** One past the last. */
  readonly to: number
  readonly records: number
  readonly valueBytes: number
  /** UTC, of its first record that has a time; null where none has. */
  readonly day: string | null
}

export const gatheredTable = 'record'

export const gatheredColumns = [
  { name: '"offset"', type: 'long' },
  { name: 'workspace', type: 'text' },
  { name: 'catalog', type: 'text' },
  { name: 'product', type: 'text' },
  { name: 'import', type: 'text' },
  { name: 'source', type: 'text' },
  { name: 'op', type: 'text' },
  { name: 'time', type: 'long' },
  { name: 'value', type: 'bytes' },
] as const

/** Of one file: what DuckDB can sort in a bounded memory, and what a reader of single products opens at once. */
const most = { records: 200_000, bytes: 64 * 1024 * 1024 }
const readRecords = 1_000
/** Records are taken apart in this process, which may answer requests too: at 10 µs each this is 2 ms. */
const atOnce = 200

/**
 * Ends where the limits are reached, and before the first record of a later day. A record of an earlier day, whose writer's
 * clock was behind, stays where it came.
 */
export async function gatherRange(
  log: Log,
  scratch: Scratch,
  { topic, partition, from, end }: { topic: string; partition: number; from: number; end: number },
  signal: AbortSignal,
): Promise<Gathered> {
  const table = await scratch.table(gatheredTable, gatheredColumns)
  const state = { to: from, records: 0, valueBytes: 0, day: null as string | null }
  while (state.to < end && state.records < most.records && state.valueBytes < most.bytes) {
    signal.throwIfAborted()
    const read = await log.read(topic, partition, state.to, readRecords)
    // What compaction has taken out at the end leaves nothing to read.
    if (read.length === 0) return { ...state, to: end }
    const taken = await takeDay(read, state, table, end)
    table.flush()
    if (!taken) break
  }
  return state
}

/** @returns false where a record of a later day begins another file, or the end is reached */
async function takeDay(
  read: readonly StoredRecord[],
  state: { to: number; records: number; valueBytes: number; day: string | null },
  table: ScratchTable,
  end: number,
): Promise<boolean> {
  for (const [i, { offset, key, value }] of read.entries()) {
    if (i % atOnce === atOnce - 1) await breathe()
    if (offset >= end) {
      state.to = end
      return false
    }
    const said = recordColumns(value)
    const day = dayOf(said)
    if (day !== null && state.day !== null && day > state.day) return false
    state.day ??= day
    const { workspace, catalog, source, op, time } = said
    table.add([offset, workspace, catalog, key, said.import, source, op, time, value])
    state.to = offset + 1
    state.records++
    state.valueBytes += value.length
  }
  return true
}

/** Times that no calendar has are left to the next record. */
function dayOf({ time }: RecordColumns): string | null {
  if (time === null) return null
  const day = new Date(time).toISOString().slice(0, 10)
  return /^\d{4}-/.test(day) ? day : null
}
