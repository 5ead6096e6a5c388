/** Measures a replay of all that a server has into a shadow: its rate beside live traffic and alone, its verdict and its promotion, and what others' reads and edits wait meanwhile beside what they wait when nothing runs. */
import { setTimeout as sleep } from 'node:timers/promises'
import { findJob } from '../../infra/catalog/job-table.ts'
import type { Catalog } from '../../infra/catalog/postgres.ts'
import { findReplay } from '../../infra/catalog/replays.ts'
import { weightsNumbered } from '../../infra/catalog/settings.ts'
import { countChoice } from '../../infra/catalog/shadow-choice.ts'
import { verdictOf } from '../../infra/system/verdict-of.ts'

export interface ReplayGround {
  readonly catalog: Catalog
  /** Below the workspace. @throws where the answer is none of success */
  // biome-ignore lint/suspicious/noExplicitAny: a benchmark reads what it expects of an answer
  readonly call: (method: 'GET' | 'POST' | 'PATCH', path: string, body?: object) => Promise<any>
  /** The replay is about to begin. */
  readonly begins?: () => void
  /** Told how many products have a shadow. */
  readonly told?: (products: number) => void
}

/** 95th percentiles, in milliseconds. */
export interface Waits {
  readonly idle: number
  readonly during: number
}

export interface Replayed {
  readonly products: number
  /** Products a second into the shadow, at the share of the machine that a replay has unless it is told another: while others call. */
  readonly beside: number
  /** While nobody does. */
  readonly alone: number
  /** From the order to its verdict. */
  readonly seconds: number
  readonly verdictMs: number
  readonly promotedPerSecond: number
  readonly reads: Waits
  readonly edits: Waits
}

const settings = { link_template: 'https://shop.example.test/{sku}', default_condition: 'new' }
/** Between two calls: a person's pace, so that their times are those of the machine and not of a queue. */
const callEveryMs = 20
/** The others are reads. */
const editEvery = 5
/** Straight from the table: who asks the API calls. */
const lookEveryMs = 100

/** @param watched products beside which others call; the rest is replayed alone */
export async function measureReplay(
  on: ReplayGround,
  { idleSeconds, watched }: { readonly idleSeconds: number; readonly watched: number },
): Promise<Replayed> {
  const { catalog, call } = on
  const ids = await someIds(catalog)
  await probed(on, ids, sleep(idleSeconds * 200))
  const idle = await probed(on, ids, sleep(idleSeconds * 1_000))
  on.begins?.()
  const began = performance.now()
  const { job, replay } = await call('POST', '/replays', { settings })
  const whileWatched = (async () => [await come(on, job.id, 1), await come(on, job.id, watched)] as const)()
  const during = await probed(on, ids, whileWatched)
  const [first, then] = await whileWatched
  const last = await come(on, job.id, Number.POSITIVE_INFINITY)
  await ended(on, job.id)
  const seconds = (performance.now() - began) / 1_000
  const { products, verdictMs } = await judged(catalog, replay.id)
  const promotionBegan = performance.now()
  await ended(on, (await call('POST', `/replays/${replay.id}/promote`, {})).job.id)
  const promotionSeconds = (performance.now() - promotionBegan) / 1_000
  return {
    ...{ products, seconds, verdictMs, beside: between(first, then), alone: between(then, last) },
    promotedPerSecond: products / promotionSeconds,
    reads: { idle: p95(idle.reads), during: p95(during.reads) },
    edits: { idle: p95(idle.edits), during: p95(during.edits) },
  }
}

interface Come {
  readonly products: number
  readonly at: number
}

const between = (a: Come, b: Come) => (b.products - a.products) / Math.max(0.001, (b.at - a.at) / 1_000)

/** Waits until so many have a shadow, or all have. @throws where the job fails */
async function come({ catalog, told }: ReplayGround, id: string, wanted: number): Promise<Come> {
  for (let last: Come | null = null; ; await sleep(lookEveryMs)) {
    const job = await findJob(catalog.pipeline, id)
    if (job?.status === 'failed') throw new Error(JSON.stringify(job.error))
    const products = job?.done ?? 0
    told?.(products)
    const all = job?.total ?? null
    // Progress is told now and then: what it says is of when it first says it.
    if (last === null || products > last.products) last = { products, at: performance.now() }
    if (products >= wanted || job?.status === 'completed' || (all !== null && products >= all)) return last
  }
}

async function ended({ catalog }: ReplayGround, id: string): Promise<void> {
  for (;;) {
    const job = await findJob(catalog.pipeline, id)
    if (job?.status === 'failed') throw new Error(JSON.stringify(job.error))
    if (job?.status === 'completed') return
    await sleep(lookEveryMs)
  }
}

const p95 = (times: readonly number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? 0

async function someIds({ pipeline }: Catalog): Promise<string[]> {
  const sql = 'select product_id as id from products where alive order by product_id limit 1000'
  return (await pipeline.query<{ id: string }>(sql)).rows.map(({ id }) => id)
}

/** The verdict once more, from the first row to the last figure. */
async function judged(catalog: Catalog, id: string): Promise<{ products: number; verdictMs: number }> {
  return catalog.inTransaction(catalog.pipeline, async (tx) => {
    const replay = await findReplay(tx, id)
    const weights = replay && (await weightsNumbered(tx, replay.workspace, replay.weights))
    if (!replay || !weights) throw new Error('the replay is gone')
    const began = performance.now()
    const products = await countChoice(tx, id, replay.catalogs)
    const told = { chosen: products, unsure: 0, holes: [] }
    const { compared } = await verdictOf(tx, replay, { before: weights, after: weights }, told)
    if (compared !== products) throw new Error(`${compared} of ${products} were compared`)
    return { products, verdictMs: performance.now() - began }
  })
}

/** Reads products and edits some, one call after the other, until the other has ended. @returns milliseconds of each */
async function probed({ call }: ReplayGround, ids: readonly string[], until: Promise<unknown>) {
  const seen = { reads: [] as number[], edits: [] as number[] }
  let running = true
  const end = () => {
    running = false
  }
  until.then(end, end)
  for (let n = 0; running; n++) {
    const path = `/catalog/products/${ids[n % ids.length]}`
    const edits = n % editEvery === editEvery - 1
    const began = performance.now()
    await (edits ? call('PATCH', path, { material: `Glazed clay, lot ${n}` }) : call('GET', path))
    seen[edits ? 'edits' : 'reads'].push(performance.now() - began)
    await sleep(callEveryMs)
  }
  await until
  return seen
}
