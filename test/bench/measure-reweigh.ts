/** Measures previews, saved weights and priced gaps on a server that runs, and holds what the preview said against what came. */

import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { bandOf, bands, dimensions, score, type Weights } from '../../schemas/score.ts'
import { fillScores, type Query } from './scored-catalog.ts'

export interface Measured {
  readonly workspace: string
  /** As the owner of the tables. */
  readonly query: Query
  // biome-ignore lint/suspicious/noExplicitAny: a benchmark reads what it expects of an answer
  readonly call: (method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown) => Promise<any>
  readonly told: (done: number) => void
  /** The products are there, and nothing was asked yet. */
  readonly filled: () => void
}

export interface Took {
  readonly ms: number
  readonly worstMs: number
  readonly bareMs: number
}

export interface Reweighed {
  readonly products: number
  readonly patterns: number
  readonly preview: Took
  readonly inForce: Took
  /** Until lists by score are read from ranks again. */
  readonly ranks: Took
  readonly gaps: Took
}

const weighings: readonly Weights[] = [
  [1000, 1000, 1000, 1000, 1000, 1000, 4000],
  [5000, 5000, 0, 0, 0, 0, 0],
  [0, 1000, 6000, 1000, 1000, 0, 1000],
]

export async function measureReweigh(
  on: Measured,
  { size, patterns, rounds }: { size: number; patterns: number; rounds: number },
): Promise<Reweighed> {
  const { call, query, workspace } = on
  const base = `/api/workspace/${workspace}`
  const { catalog } = await call('POST', `${base}/catalogs`, { name: 'bench' })
  const { settings } = await call('GET', `${base}/settings/pipeline`)
  await fillScores(query, { catalog: catalog.id, size, patterns }, weightsIn(settings.weights), on.told)
  await query('vacuum analyze products, product_score, product_rank')
  await query('checkpoint')
  on.filled()

  const [first = []] = weighings
  const preview = await inTurn(
    rounds,
    () => call('POST', `${base}/settings/pipeline/preview`, { weights: named(first) }),
    () =>
      query(`select ${scoreOf(first)}, count(*) from product_score s where catalog_id = $1 group by 1`, [catalog.id]),
  )
  const gaps = await inTurn(
    rounds,
    () => call('GET', `${base}/catalogs/${catalog.id}/gaps`),
    () =>
      query('select rule_points, valid, count(*) from product_score where catalog_id = $1 group by 1, 2', [catalog.id]),
  )
  const came: number[] = []
  const bare: number[] = []
  const ranks: number[] = []
  for (const weights of weighings) {
    bare.push(await msOf(() => writeAnew(query, catalog.id, weights)))
    const { took, rankedMs } = await putInForce(on, catalog.id, weights)
    came.push(took)
    ranks.push(rankedMs)
    await swept(on)
  }
  const { rows } = await query<{ n: number }>(
    'select count(*) as n from (select distinct rule_points, valid from product_score where catalog_id = $1) s',
    [catalog.id],
  )
  return {
    products: size,
    patterns: Number(rows[0]?.n),
    preview,
    gaps,
    inForce: tookOf(came, bare),
    ranks: tookOf(ranks, bare),
  }
}

async function ranked({ query, workspace }: Measured): Promise<void> {
  const sql = 'select rank_number = weights_number as built from workspace where workspace_id = $1'
  while (!(await query<{ built: boolean }>(sql, [workspace])).rows[0]?.built) await sleep(50)
}

/** Former ranks are gone: what follows does not pay for them. */
async function swept({ query, workspace }: Measured): Promise<void> {
  const sql = 'select rank_sweep as sweeps from workspace where workspace_id = $1'
  while ((await query<{ sweeps: boolean }>(sql, [workspace])).rows[0]?.sweeps) await sleep(50)
  await query('vacuum product_rank')
}

const named = (weights: Weights) => Object.fromEntries(dimensions.map((name, place) => [name, weights[place] ?? 0]))
const weightsIn = (said: Record<string, number>) => dimensions.map((name) => said[name] ?? 0)
const scoreOf = (weights: Weights) =>
  `(${weights.map((weight, i) => `s.s${i + 1}::bigint * ${weight}`).join(' + ')} + 500000) / 1000000`
const middle = (times: readonly number[]) => times.toSorted((a, b) => a - b)[times.length >> 1] ?? Number.NaN

async function msOf(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

const tookOf = (own: readonly number[], bare: readonly number[]): Took => ({
  ms: middle(own),
  worstMs: Math.max(...own),
  bareMs: middle(bare),
})

/** What else the machine does falls on both. */
async function inTurn(rounds: number, work: () => Promise<unknown>, bareWork: () => Promise<unknown>): Promise<Took> {
  const own: number[] = []
  const bare: number[] = []
  for (let round = 0; round < rounds; round++) {
    own.push(await msOf(work))
    bare.push(await msOf(bareWork))
  }
  return tookOf(own, bare)
}

/** The narrow table with its scores, and the indexes of a list in their order. */
async function writeAnew(query: Query, catalog: string, weights: Weights): Promise<void> {
  await query(
    `create table bench_rank as select s.catalog_id, s.product_id, s.workspace_id, s.brand_id, ${scoreOf(weights)} as score from product_score s where s.catalog_id = '${catalog}'`,
  )
  await query('alter table bench_rank add primary key (catalog_id, product_id)')
  await query('create index on bench_rank (catalog_id, score desc, product_id)')
  await query('drop table bench_rank')
}

/** From the PUT until a product that moves, lists by score and the settings all have the new weights. @returns milliseconds */
async function putInForce(on: Measured, catalog: string, after: Weights): Promise<{ took: number; rankedMs: number }> {
  const { call, query, workspace } = on
  const path = `/api/workspace/${workspace}/settings/pipeline`
  const { preview } = await call('POST', `${path}/preview`, { weights: named(after) })
  const { settings } = await call('GET', path)
  const moved = await movedProduct(query, catalog, weightsIn(settings.weights), after)
  const began = performance.now()
  await call('PUT', path, { ...settings, weights: named(after) })
  while ((await call('GET', path)).weights_pending) await sleep(20)
  for (let shown = -1; shown !== moved.score; ) {
    const { product } = await call('GET', `/api/workspace/${workspace}/catalog/products/${moved.id}`)
    shown = product.optimizationScore
    if (shown !== moved.score) await sleep(20)
  }
  const list = await call('GET', `/api/workspace/${workspace}/catalog/products?catalog_id=${catalog}&sort=-score`)
  const shown = list.products.map((one: { optimizationScore: number }) => one.optimizationScore)
  const took = performance.now() - began
  const best = await query<{ best: number }>(
    `select max(${scoreOf(after)}) as best from product_score s where catalog_id = $1`,
    [catalog],
  )
  if (
    shown[0] !== Number(best.rows[0]?.best) ||
    !isDeepStrictEqual(
      shown,
      shown.toSorted((a: number, b: number) => b - a),
    )
  )
    throw new Error(`the list by score begins with ${shown.join(', ')}`)
  await ranked(on)
  const rankedMs = performance.now() - began
  const { rows } = await query<{ score: number; n: number }>(
    `select r.score, count(*) as n from product_rank r join workspace w on w.workspace_id = r.workspace_id and w.weights_number = r.weights_number
      where r.workspace_id = $1 group by 1`,
    [workspace],
  )
  const came = Object.fromEntries(
    bands.map((band) => [band, rows.reduce((sum, row) => sum + (bandOf(row.score) === band ? Number(row.n) : 0), 0)]),
  )
  if (!isDeepStrictEqual(came, preview.after.distribution))
    throw new Error(`the preview said ${JSON.stringify(preview.after.distribution)}, and ${JSON.stringify(came)} came`)
  return { took, rankedMs }
}

async function movedProduct(
  query: Query,
  catalog: string,
  before: Weights,
  after: Weights,
): Promise<{ id: string; score: number }> {
  const { rows } = await query<{ id: string; sub: number[] }>(
    `select product_id as id, array[s1, s2, s3, s4, s5, s6, s7] as sub from product_score s
      where catalog_id = $1 and ${scoreOf(before)} <> ${scoreOf(after)} limit 1`,
    [catalog],
  )
  const [row] = rows
  if (!row) throw new Error('no product moves')
  return { id: row.id, score: score(row.sub, after) }
}
