import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Log } from '../../../infra/log/port.ts'
import { postgresLog } from '../../../infra/log/postgres.ts'
import { relayChanges } from '../../../infra/system/change-relay.ts'
import type { CatalogChange } from '../../../schemas/catalog-change.ts'
import { topics } from '../../../schemas/topics.ts'
import { enough } from '../../enough.ts'
import { publishGround } from '../catalog/publish-ground.ts'

const { catalog, catalogId, sql, products, say, remove, publish } = publishGround()
let log: Log
beforeAll(async () => {
  const { rows } = await catalog().pipeline.query<{ epoch: number; partitions: number }>(
    'select epoch, partitions from log_epoch',
  )
  const [epoch] = rows
  if (!epoch) throw new Error('there is no epoch')
  log = postgresLog(catalog().pipeline, epoch)
})
afterAll(() => {})

async function told(): Promise<CatalogChange[]> {
  const found: CatalogChange[] = []
  for (let partition = 0; partition < log.partitions; partition++)
    for (const { key, value } of await log.read(topics.changes, partition, 0, 100_000)) {
      const change: CatalogChange = JSON.parse(value.toString())
      expect(key).toBe(change.product)
      if (change.catalog === catalogId()) found.push(change)
    }
  return found
}
const relay = async (into = log) => {
  while (await relayChanges(catalog(), into));
}
const inShort = (changes: readonly CatalogChange[]) =>
  changes.map(({ version, product, change }) => `${version} ${product} ${change}`).sort()

test('each version is told product by product, once, in order, and what came back to what it was is not', async () => {
  const [a = '', b = '', c = ''] = await products(3)
  await publish()
  await say([a], 'second')
  await remove([b])
  await publish()
  await relay()
  await say([a], 'first')
  await say([c], 'first')
  await publish()
  await relay()
  await relay()
  const all = await told()
  expect(inShort(all)).toEqual(
    [`1 ${a} added`, `1 ${b} added`, `1 ${c} added`, `2 ${a} modified`, `2 ${b} removed`, `3 ${a} modified`].sort(),
  )
  expect(all.filter(({ product }) => product === a).map(({ version }) => version)).toEqual([1, 2, 3])
  for (const { version, product, position } of all) expect(position).toBe(`t.${version}.${product}`)
  expect(all[0]).toMatchObject({ v: 1, workspace: 'ws_test', cause: 'published', at: expect.stringMatching(/Z$/) })
})

test('cut off between the append and the cursor at every page, nothing is skipped and nothing told twice', async () => {
  const ids = await products(enough(2_500, 4_500))
  await publish()
  let died = 0
  const dying: Log = {
    ...log,
    append: async (topic, records, tx) => {
      const ranges = await log.append(topic, records, tx)
      if (died++ % 2 === 0) throw new Error('killed')
      return ranges
    },
  }
  for (let more = true; more; ) more = await relayChanges(catalog(), dying).catch(() => true)
  expect(died).toBe(enough(4, 6))
  expect(inShort(await told())).toEqual(ids.map((id) => `1 ${id} added`))
})

test('two relays at once tell each change once', async () => {
  await products(3_000)
  await publish()
  await Promise.all([relay(), relay(), relay()])
  expect(await told()).toHaveLength(3_000)
})

test('a catalog that is deleted takes its products with it, and one that comes back brings them', async () => {
  const [a = ''] = await products(2)
  await publish()
  await remove([a])
  await publish()
  await sql('update catalog set deleted_at = now() where catalog_id = $1')
  await relay()
  await relay()
  const gone = (await told()).filter(({ cause }) => cause === 'deleted')
  expect(gone).toMatchObject([{ version: 2, change: 'removed' }])
  await sql('update catalog set deleted_at = null where catalog_id = $1')
  await relay()
  const back = (await told()).filter(({ cause }) => cause === 'undeleted')
  expect(back).toMatchObject([{ version: 2, change: 'added', product: gone[0]?.product }])
  await products(1)
  await publish()
  await relay()
  expect((await told()).at(-1)).toBeDefined()
  expect((await told()).filter(({ version }) => version === 3)).toMatchObject([{ change: 'added', cause: 'published' }])
})
