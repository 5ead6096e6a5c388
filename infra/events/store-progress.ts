/** What a store says of itself: which it is, and how far the log stands in it. */
import { type Passed, partitionOfStream, streamOf } from './place.ts'
import { EventsAway } from './port.ts'

export interface StoreAsks {
  rows<T>(sql: string): Promise<T[]>
  insert(table: string, rows: readonly object[]): Promise<unknown>
}

export async function identityOf(store: StoreAsks): Promise<string> {
  // Two processes that make it at once may each give it one: the first in order is the same for both.
  const [row] = await store.rows<{ id: string }>('select id from assay_store order by id limit 1')
  if (!row) throw new EventsAway('the event store has no id')
  return row.id
}

/** @returns null where it has events and is from before it kept that */
export async function passedOf(store: StoreAsks): Promise<readonly Passed[] | null> {
  const sql = 'select log_stream as stream, toString(max(next)) as next from assay_passed group by stream'
  const rows = await store.rows<{ stream: number; next: string }>(sql)
  if (rows.length === 0 && (await store.rows('select 1 from events limit 1')).length > 0) return null
  return rows.map(({ stream, next }) => ({ ...partitionOfStream(stream), next: Number(next) }))
}

export async function passOn(store: StoreAsks, places: readonly Passed[]): Promise<void> {
  if (places.length === 0) return
  const rows = places.map(({ epoch, partition, next }) => ({ log_stream: streamOf(epoch, partition), next }))
  await store.insert('assay_passed', rows)
}
