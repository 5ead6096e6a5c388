/** Part of `bench events`: events from the collector to the store, beside a bare insert of the same blocks. */
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type AgentEvent, numberFields } from '../../schemas/event.ts'
import { eventLines } from '../event-lines.ts'
import { type EventRow, eventRow } from '../event-row.ts'
import type { BareEvents } from './bare-events.ts'
import { type Serving, workspace } from './serving.ts'

/** As many as a call may bring, and as the consumer writes at once. */
const perBlock = 10_000
const callers = 2

/** The same in every run, in the form of version 4. */
const idOf = (n: number) => {
  const hex = createHash('sha256').update(String(n)).digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  )
}

/** What a shop's pages send. */
const sentEvent = (n: number, now: number) => ({
  id: idOf(n),
  type: ['product_view', 'search', 'add_to_cart', 'order'][n % 4],
  time: new Date(now - ((n * 7_919) % (30 * 86_400)) * 1_000).toISOString(),
  product_id: `SKU-${(n * 31) % 5_000}`,
  session_id: `s-${(n * 17) % 20_000}`,
  agent: { name: 'ChatGPT', version: '4' },
  amount: ((n % 9_973) / 100).toFixed(2),
  currency: 'EUR',
  metadata: { material: ['oak', 'ash', 'steel'][n % 3], page: `/p/${n % 500}` },
})
type Sent = ReturnType<typeof sentEvent>

const eventOf = (
  { id, type = '', time, product_id, session_id, agent, amount, currency, metadata }: Sent,
  brand: string,
): AgentEvent => ({
  ...{ v: 1, id, type, time, received: time, workspace, brand, product: product_id, session: session_id },
  ...{ agent, currency, numbers: { amount }, metadata: { ...metadata, material: metadata.material ?? '' } },
})

export function eventBlocks(count: number, now: number): Sent[][] {
  const blocks = Math.ceil(count / perBlock)
  return Array.from({ length: blocks }, (_, block) =>
    Array.from({ length: Math.min(perBlock, count - block * perBlock) }, (_, i) =>
      sentEvent(block * perBlock + i, now),
    ),
  )
}

/** @returns events a second, from the first call to the last event that is counted */
export async function throughCollector(assay: Serving, blocks: readonly Sent[][]): Promise<number> {
  const bodies = blocks.map((block) => JSON.stringify(block))
  const count = blocks.reduce((sum, { length }) => sum + length, 0)
  const headers = { authorization: `Bearer ${assay.token}`, 'content-type': 'application/json' }
  const question = { event_types: null, group_by: 'none', aggregation: 'count', time_window_days: 60 }
  const counted = async () => {
    const path = `${assay.url}/api/workspace/${workspace}/dashboards/aggregate?fresh=true`
    const answer = await fetch(path, { method: 'POST', headers, body: JSON.stringify(question) })
    const { rows, lag } = (await answer.json()) as { rows: { value: number }[]; lag: number }
    return { value: rows[0]?.value ?? 0, lag }
  }
  const before = (await counted()).value
  const began = performance.now()
  const caller = async () => {
    for (let body = bodies.shift(); body !== undefined; body = bodies.shift()) {
      const answer = await fetch(`${assay.url}/api/v1/events`, { method: 'POST', headers, body })
      if (answer.status !== 202) throw new Error(`the collector answered ${answer.status}: ${await answer.text()}`)
      const { refused } = (await answer.json()) as { refused: unknown[] }
      if (refused.length > 0) throw new Error(`${refused.length} were refused: ${JSON.stringify(refused[0])}`)
    }
  }
  await Promise.all(Array.from({ length: callers }, caller))
  for (;;) {
    const { value, lag } = await counted()
    if (lag === 0 && value - before === count) break
    if (lag === 0) throw new Error(`${value - before} of ${count} events are counted`)
    await sleep(100)
  }
  return count / ((performance.now() - began) / 1_000)
}

/** The same rows in as large blocks, as the client of the store sends them. @returns events a second */
export async function bareInsert(bare: BareEvents, blocks: readonly Sent[][], brand: string): Promise<number> {
  const rows: EventRow[][] = blocks.map((block) => block.map((one) => eventRow(eventOf(one, brand))))
  const count = blocks.reduce((sum, { length }) => sum + length, 0)
  const began = performance.now()
  for (const block of rows) await bare.insert(block)
  return count / ((performance.now() - began) / 1_000)
}

/** The same in the form in which Assay sends them. @returns events a second */
export async function bareLines(bare: BareEvents, blocks: readonly Sent[][], brand: string): Promise<number> {
  const place = { stream: '1', rank: '1' }
  const events = blocks.map((block) => block.map((one) => eventOf(one, brand)))
  const count = blocks.reduce((sum, { length }) => sum + length, 0)
  // A connection that the store has closed while these were made is seen to be before anything is sent.
  await sleep(100)
  const began = performance.now()
  for (const block of events) await bare.insertLines(eventLines(block, place))
  return count / ((performance.now() - began) / 1_000)
}

/** Many events at once, made by the engine: of one brand the share, the others of a hundred others; two in a hundred came twice. */
export async function fillEvents(bare: BareEvents, brand: string, count: number, share: number): Promise<void> {
  const atOnce = 1_000_000
  const absent = numberFields.filter((name) => name !== 'amount')
  for (let from = 0; from < count; from += atOnce) {
    const to = Math.min(count, from + atOnce)
    // The last fiftieth of each block is its first again.
    const n = `if(number >= ${from} + (${to} - ${from}) * 49 / 50, number - intDiv((${to} - ${from}) * 49, 50), number)`
    await bare.command(`insert into events (workspace, brand, time, id, type, product_id, session_id, agent_name, amount, currency, metadata, received, ${absent.join()})
      select if(cityHash64(n, 1) % 1000 < ${Math.round(share * 1_000)}, '${workspace}', concat('ws_other', toString(n % 100))) as ws,
        if(ws = '${workspace}', toUUID('${brand}'), toUUID(concat('00000000-0000-4000-8000-', leftPad(toString(n % 100), 12, '0')))),
        now64(3, 'UTC') - toIntervalMillisecond(cityHash64(n, 2) % (90 * 86400000)), reinterpretAsUUID(sipHash128(n)),
        ['product_view', 'search', 'tool_call', 'add_to_cart', 'order', 'feed_read'][cityHash64(n, 3) % 6 + 1],
        concat('SKU-', toString(cityHash64(n, 4) % 5000)), concat('s-', toString(cityHash64(n, 5) % 200000)),
        ['ChatGPT', 'Claude', 'Gemini', ''][cityHash64(n, 6) % 4 + 1], toDecimal128(cityHash64(n, 7) % 99900, 2) / 100, 'EUR',
        map('material', ['oak', 'ash', 'steel', 'glass'][cityHash64(n, 8) % 4 + 1], 'query', concat('q', toString(cityHash64(n, 9) % 3000))),
        now64(3, 'UTC'), ${absent.map(() => 'null').join()}
      from (select ${n} as n from numbers(${from}, ${to - from}))`)
  }
}
