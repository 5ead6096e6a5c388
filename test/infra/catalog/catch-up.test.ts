import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { catchUp, farBehind } from '../../../infra/catalog/catch-up.ts'
import { flipWeights } from '../../../infra/catalog/flip-weights.ts'
import { type Catalog, openCatalog } from '../../../infra/catalog/postgres.ts'
import { followRank } from '../../../infra/catalog/rank.ts'
import { saveWeights } from '../../../infra/catalog/settings.ts'
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
beforeEach(() => catalog.pipeline.query('truncate products, product_score, product_rank, product_recent, rank_due'))
afterAll(async () => {
  await catalog.close()
  await database.drop()
})

const query = async <T extends object>(sql: string, values: unknown[] = []) =>
  (await catalog.pipeline.query<T>(sql, values)).rows

/** Products as an import of so many leaves them, all due in one row. */
async function imported(products: number): Promise<void> {
  await query(
    `insert into products (catalog_id, product_id, workspace_id, brand_id, kind, stage, rev, source_identifier, alive, content_hash,
                           settings_number, created_at, updated_at, refined, layers)
     select catalog_id, gen_random_uuid(), workspace_id, brand_id, 'single', 'gold', 1, '', true, '', 1, now(),
            now() - n * interval '1 minute', '{}', '' from catalog, generate_series(1, $2) n where catalog_id = $1`,
    [id, products],
  )
  await query(
    `insert into product_score (catalog_id, product_id, workspace_id, brand_id, s1, s2, s3, s4, s5, s6, s7, rule_points, valid, rubric_version, scored_at)
     select catalog_id, product_id, workspace_id, brand_id, 100 * (row_number() over () % 90), 0, 0, 0, 0, 0, 0, '', 0, 1, now() from products`,
  )
  await due()
}
const due = () =>
  query('insert into rank_due (catalog_id, product_ids) select $1, array_agg(product_id) from products', [id])

const lists = async () => ({
  ranks: await query('select weights_number, product_id, score from product_rank order by 1, 2'),
  recents: await query('select product_id, updated_at from product_recent order by 1'),
  due: await query('select due_id from rank_due'),
})
const dueIds = async () => (await query<{ due: string }>('select due_id as due from rank_due')).map((row) => row.due)
const walk = async (chunk: number, between = async () => {}) =>
  catchUp(catalog.pipeline, { catalog: id, due: await dueIds() }, between, chunk)
/** The same lists as they come of following product by product. */
async function followed() {
  await query('truncate product_rank, product_recent')
  await due()
  while (await followRank(catalog.pipeline));
  return lists()
}

test.each([1, 7, 10, 1000])(
  'a walk in chunks of %i makes the lists that following each product makes',
  async (chunk) => {
    await imported(10)
    await walk(chunk)
    const walked = await lists()
    expect(walked.ranks).toHaveLength(10)
    expect(walked).toEqual(await followed())
  },
)

test('what was there is brought up to date, and what is gone goes', async () => {
  await imported(20)
  await walk(6)
  await query(`update product_score set s1 = 9000 where get_byte(uuid_send(product_id), 0) < 128`)
  await query(`update products set alive = false where get_byte(uuid_send(product_id), 1) < 100`)
  await query('delete from product_score s using products p where p.product_id = s.product_id and not p.alive')
  await query(
    `update products set updated_at = now() + interval '1 day' where get_byte(uuid_send(product_id), 2) < 100`,
  )
  await due()
  await walk(6)
  expect(await lists()).toEqual(await followed())
})

test('weights in force are followed beside those whose ranks are whole', async () => {
  await catalog.inTransaction(catalog.pipeline, (tx) => saveWeights(tx, 'ws_test', [0, 10_000, 0, 0, 0, 0, 0], 'test'))
  await flipWeights(catalog.pipeline)
  await imported(5)
  await walk(2)
  expect((await lists()).ranks).toHaveLength(10)
  expect(await lists()).toEqual(await followed())
})

test('what becomes due during a walk is left for later', async () => {
  await imported(4)
  await walk(
    2,
    async () =>
      void (await query('insert into rank_due (catalog_id, product_ids) values ($1, $2)', [id, [randomUUID()]])),
  )
  expect((await lists()).due.length).toBeGreaterThan(0)
})

test('an edit is followed product by product; a big import of a small catalog is not, once it has ended', async () => {
  await imported(10)
  expect(await farBehind(catalog.pipeline)).toBeNull()
  for (let i = 0; i < 10; i++)
    await query(
      'insert into rank_due (catalog_id, product_ids) select $1, array_agg(gen_random_uuid()) from generate_series(1, 6000)',
      [id],
    )
  const behind = await farBehind(catalog.pipeline)
  expect(behind).toMatchObject({ catalog: id })
  expect(behind?.due).toEqual(await dueIds())
  await followRank(catalog.pipeline)
  const after = await lists()
  expect(after.due).toEqual([])
  expect(after).toEqual(await followed())
})

test('who closes does not wait for the end of a walk, and what was due is due yet', async () => {
  await imported(10)
  for (let i = 0; i < 10; i++)
    await query(
      'insert into rank_due (catalog_id, product_ids) select $1, array_agg(gen_random_uuid()) from generate_series(1, 6000)',
      [id],
    )
  const before = await dueIds()
  await expect(followRank(catalog.pipeline, AbortSignal.abort())).rejects.toThrow(/abort/i)
  expect(await dueIds()).toEqual(before)
})
