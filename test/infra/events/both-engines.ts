/** The event store and DuckDB over the same events, in blocks as they come: some twice in a block, some again in a later one, and a block that is sent again. */
import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import { aggregate } from '../../../infra/events/aggregate.ts'
import { clickhouseEvents } from '../../../infra/events/clickhouse.ts'
import { embeddedEvents } from '../../../infra/events/embedded.ts'
import type { EventStore } from '../../../infra/events/port.ts'
import { openScratch } from '../../../ingest/scratch.ts'
import type { AgentEvent } from '../../../schemas/event.ts'
import { eventLines } from '../../event-lines.ts'
import { eventRow } from '../../event-row.ts'
import { askedOfDuckdb, comparable, duckdbColumns } from './asked-of-duckdb.ts'
import type { Asked, chance } from './some-events.ts'

export interface BothEngines {
  readonly store: EventStore
  /** @returns what each says */
  ask(asked: Asked): Promise<{ readonly own: readonly unknown[]; readonly duckdb: readonly unknown[] }>
  close(): Promise<void>
}

const blockEvents = 10_000
const againShare = 0.1

export async function bothEngines(
  folder: string,
  { event, random }: Pick<ReturnType<typeof chance>, 'event' | 'random'>,
  count: number,
  now: Date,
): Promise<BothEngines> {
  const embedded = embeddedEvents(join(folder, 'events'))
  const store = clickhouseEvents(embedded.address, embedded)
  const lines = join(folder, 'rows.json')
  let former: AgentEvent[] = []
  for (let block = 0; block * blockEvents < count; block++) {
    const fresh = Array.from({ length: Math.min(blockEvents, count - block * blockEvents) }, event)
    const again = [...fresh, ...former].filter(() => random() < againShare)
    const whole = [...fresh, ...again]
    await store.insert(eventLines(whole), `block ${block}`)
    if (random() < againShare) await store.insert(eventLines(whole), `block ${block}`)
    await appendFile(lines, whole.map((one) => `${JSON.stringify(eventRow(one))}\n`).join(''))
    former = fresh
  }
  const scratch = openScratch(join(folder, 'scratch'), 512)
  const parquet = join(folder, 'events.parquet')
  await scratch.run(
    `copy (select * from read_json('${lines}', format = 'newline_delimited', columns = ${duckdbColumns})) to '${parquet}' (format parquet)`,
  )
  await scratch.run(`create table events as select distinct on (id) * from read_parquet('${parquet}')`)
  return {
    store,
    async ask(asked) {
      const { rows } = await aggregate(store, asked.params, asked.scope, now)
      return { own: comparable(rows), duckdb: await askedOfDuckdb(scratch, asked, now) }
    },
    async close() {
      await scratch.close()
      await store.close()
    },
  }
}
