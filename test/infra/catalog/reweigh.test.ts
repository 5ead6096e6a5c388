import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { flipWeights } from '../../../infra/catalog/flip-weights.ts'
import { type Catalog, openCatalog } from '../../../infra/catalog/postgres.ts'
import { followRank } from '../../../infra/catalog/rank.ts'
import { shareRank } from '../../../infra/catalog/rank-sql.ts'
import { reweigh } from '../../../infra/catalog/reweigh.ts'
import { findSettings, saveWeights } from '../../../infra/catalog/settings.ts'
import { ensureWorkspace } from '../../../infra/catalog/tenants.ts'
import { freshDatabase, type TestDatabase } from '../../harness.ts'

let database: TestDatabase
let catalog: Catalog
let id: string
beforeAll(async () => {
  database = await freshDatabase()
  catalog = openCatalog(database.url, { maxConnections: 4 })
  await ensureWorkspace(catalog.pipeline, 'ws_test', 'Test')
  const { rows } = await catalog.pipeline.query<{ id: string }>('select catalog_id as id from catalog')
  id = rows[0]?.id ?? ''
})
afterAll(async () => {
  await catalog.close()
  await database.drop()
})

/** @param identity hundredths of a point in the first dimension, nothing in the others */
async function scored(product: string, identity: number): Promise<void> {
  await catalog.pipeline.query(
    `insert into product_score (catalog_id, product_id, workspace_id, brand_id, s1, s2, s3, s4, s5, s6, s7, rule_points, valid, rubric_version, scored_at)
     select catalog_id, $2, workspace_id, brand_id, $3, 0, 0, 0, 0, 0, 0, '', 0, 1, now() from catalog where catalog_id = $1
     on conflict (catalog_id, product_id) do update set s1 = excluded.s1`,
    [id, product, identity],
  )
  await catalog.pipeline.query('insert into rank_due (catalog_id, product_ids) values ($1, $2)', [id, [product]])
}

const save = (first: number) => {
  const weights = [first, 10_000 - first, 0, 0, 0, 0, 0]
  return catalog.inTransaction(catalog.pipeline, (tx) => saveWeights(tx, 'ws_test', weights, 'test'))
}
const ranks = async () => {
  const { rows } = await catalog.pipeline.query<{ number: number; product: string; score: number }>(
    'select weights_number as number, product_id as product, score from product_rank order by 1, 3, 2',
  )
  return rows
}
const quiet = async () => {
  while (await reweigh(catalog.pipeline));
}

const numbers = async () =>
  (
    await catalog.pipeline.query<{ pending: number | null; inForce: number; ranked: number }>(
      'select weights_pending as pending, weights_number as "inForce", rank_number as ranked from workspace',
    )
  ).rows[0]

test('weights that are saved come into force whole and before their ranks are built; what is scored meanwhile is ranked under both', async () => {
  const [a, b, c] = [randomUUID(), randomUUID(), randomUUID()]
  for (const product of [a, b]) await scored(product, 5_000)
  await followRank(catalog.pipeline)
  await save(10_000)
  expect(await findSettings(catalog.pipeline, 'ws_test')).toMatchObject({ weightsNumber: 1, pending: { number: 2 } })
  await flipWeights(catalog.pipeline)
  expect(await numbers()).toEqual({ pending: null, inForce: 2, ranked: 1 })
  await scored(c, 9_000)
  await followRank(catalog.pipeline)
  expect((await ranks()).filter(({ product }) => product === c)).toEqual([
    { number: 1, product: c, score: 18 },
    { number: 2, product: c, score: 90 },
  ])
  await quiet()
  expect(await findSettings(catalog.pipeline, 'ws_test')).toMatchObject({
    weightsNumber: 2,
    weights: [10_000, 0, 0, 0, 0, 0, 0],
    pending: null,
  })
  expect(await numbers()).toEqual({ pending: null, inForce: 2, ranked: 2 })
  const half = [a, b].sort().map((product) => ({ number: 2, product, score: 50 }))
  expect(await ranks()).toEqual([...half, { number: 2, product: c, score: 90 }])
  const history = await catalog.pipeline.query('select weights_number as n, former_number as f from weights_history')
  expect(history.rows).toEqual([{ n: 2, f: 1 }])
})

test('weights that are replaced while their ranks are built leave none, and those that replaced them are ranked whole', async () => {
  const lock = await catalog.pipeline.connect()
  await lock.query(`begin; ${shareRank}`)
  await save(2_000)
  const building = quiet()
  await vi.waitFor(async () => expect(await numbers()).toMatchObject({ inForce: 3, ranked: 2 }))
  await save(1_000)
  await lock.query('commit')
  lock.release()
  await building
  await quiet()
  expect(await numbers()).toEqual({ pending: null, inForce: 4, ranked: 4 })
  expect((await ranks()).map(({ number, score }) => [number, score])).toEqual([
    [4, 5],
    [4, 5],
    [4, 9],
  ])
})

test('weights that others replaced before they were in force never are, and leave nothing', async () => {
  await save(5_000)
  await scored(randomUUID(), 1_000)
  await followRank(catalog.pipeline)
  await save(0)
  await quiet()
  expect(new Set((await ranks()).map(({ number, score }) => `${number} ${score}`))).toEqual(new Set(['6 0']))
})
