import { afterAll, beforeAll, expect, test } from 'vitest'
import { openFollowing } from '../../../infra/system/following.ts'
import { storedAndRefolded } from '../../ingest/refolded.ts'
import { type Running, startAssay } from '../../running.ts'

let assay: Running
beforeAll(async () => {
  assay = await startAssay()
})
afterAll(() => assay.close())

const families = 150
const sizes = ['S', 'M', 'L', 'XL', 'XXL', '3XL', '4XL', '5XL']
const products = (name: string) =>
  `sku,title,price,currency\n${Array.from({ length: families }, (_, i) => `P-${i},${name} ${i},${i + 1}.00,EUR`).join('\n')}\n`
const variants = () =>
  `sku,parent_sku,size,stock\n${Array.from({ length: families }, (_, i) => sizes.map((size) => `P-${i}-${size},P-${i},${size},3`).join('\n')).join('\n')}\n`

const state = async (catalog: string) => {
  const sql = `
    select count(*) filter (where v.kind = 'variant') as variants,
           count(*) filter (where v.kind = 'variant' and v.title = p.title and v.price_minor = p.price_minor) as told,
           (select count(*) from joined_family where catalog_id = $1 and due) as due
      from products v left join products p on p.catalog_id = v.catalog_id and p.product_id = v.family_id
     where v.catalog_id = $1`
  return (await assay.system.catalog.pipeline.query(sql, [catalog])).rows[0]
}

test('variants follow their parents however often that is cut off, at any step', async () => {
  const { catalog: store, log, bulk } = assay.system
  const { pipeline } = store
  const catalog = await assay.newCatalog()
  await assay.ingest(catalog, products('Tee'))
  await assay.ingest(catalog, variants())
  const rows = families * sizes.length
  expect(await state(catalog)).toEqual({ variants: rows, told: rows, due: 0 })

  // What followed is looked at once more, by the process itself; a family of which it has seen a part must not be taken for whole.
  const waits = `select from family_due where catalog_id = $1 union all select from joined_family where catalog_id = $1 and due`
  while ((await pipeline.query(waits, [catalog])).rowCount) await new Promise((go) => setTimeout(go, 50))

  // As after an import that has written its rows, and whose process died then: nobody else looks while it has not ended.
  const stateOf = (state: string) =>
    pipeline.query('update import set state = $2 where catalog_id = $1', [catalog, state])
  await stateOf('settling')
  await pipeline.query(
    `update products set refined = jsonb_set(refined, '{title}', to_jsonb('New ' || title)), title = 'New ' || title
    where catalog_id = $1 and kind = 'parent'`,
    [catalog],
  )
  const before = (await log.ends('products.bronze')).reduce((sum, end) => sum + end, 0)
  await pipeline.query('update joined_family set due = true, after_id = null where catalog_id = $1', [catalog])
  let [cuts, after] = [0, false]
  const inTransaction: typeof store.inTransaction = async (pool, work) => {
    after = !after
    const result = await store.inTransaction(pool, async (tx) => {
      const done = await work(tx)
      if (!after) throw new Error('killed')
      return done
    })
    if (result) throw new Error('killed')
    return result
  }
  const following = openFollowing({ catalog: { ...store, inTransaction }, log, bulk })
  for (let ended = false; !ended; cuts++) {
    ended = await following.settle(catalog, new AbortController().signal).then(
      () => true,
      (error: Error) => {
        if (error.message !== 'killed') throw error
        return false
      },
    )
    expect(cuts).toBeLessThan(30)
  }
  expect(cuts).toBeGreaterThan(2)
  await stateOf('completed')
  await bulk.settled()
  expect(await state(catalog)).toEqual({ variants: rows, told: rows, due: 0 })
  const ends = (await log.ends('products.bronze')).reduce((sum, end) => sum + end, 0)
  expect(ends - before).toBeGreaterThanOrEqual(rows)
}, 120_000)

test('what followed is what the log says, and looking again asks for nothing', async () => {
  const catalog = await assay.newCatalog()
  await assay.ingest(catalog, 'sku;parent_sku;size\nP-1-S;P-1;S\nP-1-M;P-1;M\n')
  await assay.ingest(catalog, 'sku,title,price,currency\nP-1,Tee,9.00,EUR\n')
  const { stored, refolded } = await storedAndRefolded(assay.system, catalog)
  expect(stored).toEqual(refolded)
  const ends = await assay.system.log.ends('products.bronze')
  await assay.system.catalog.pipeline.query('update joined_family set due = true where catalog_id = $1', [catalog])
  await assay.system.following.settle(catalog, new AbortController().signal)
  expect(await assay.system.log.ends('products.bronze')).toEqual(ends)
})
