import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { closeSegment } from '../../../infra/log/close-segment.ts'
import { dropSegments, retireSegments } from '../../../infra/log/drop-segments.ts'
import { type Running, startAssay, workspace } from '../../running.ts'
import { differences } from '../../verified.ts'

// Imports, undo and redo on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000 })

let assay: Running
beforeAll(async () => {
  assay = await startAssay()
})
afterAll(() => assay.close())

/** Everything that a product is, but for when it was written and how often. */
const rowsSql = `
  select p.product_id, p.kind, p.stage, p.sku, p.gtin, p.title, p.price_minor, p.currency, p.availability, p.alive, p.content_hash,
         p.refined, p.family_id, s.s1, s.s2, s.s3, s.s4, s.s5, s.s6, s.s7, s.rule_points, s.valid
    from products p left join product_score s using (catalog_id, product_id)
   where p.catalog_id = $1 order by p.product_id`
const rowsOf = async (catalog: string) => (await assay.system.catalog.pipeline.query(rowsSql, [catalog])).rows

/** The log keeps nothing of what was said so far. */
async function dropAll(): Promise<void> {
  const { catalog, archiving } = assay.system
  await closeSegment(catalog.pipeline)
  await archiving.runNow(new AbortController().signal)
  await retireSegments(catalog.pipeline, 0)
  // Whoever reads just now holds it for a moment.
  while ((await dropSegments(catalog.pipeline, 0)).length === 0) await sleep(50)
  const { rows } = await catalog.pipeline.query('select count(*)::int as n from log')
  expect(rows).toEqual([{ n: 0 }])
}

const file = (prefix: string, count: number, price: number) =>
  `sku,title,description,price,currency\n${Array.from({ length: count }, (_, n) => `${prefix}-${n},Mug ${n},A mug with rim ${n % 3},${price + n}.00,EUR\n`).join('')}`

test('a log whose segments have gone into the archive gives the same rows: undo, redo, verification, provenance', async () => {
  const catalog = await assay.newCatalog()
  await assay.ingest(catalog, file('R', 60, 10), { source: 'First' })
  const [edited] = await assay.products(catalog, { sku: 'R-7' })
  const path = `/api/workspace/${workspace}/catalog/products/${edited?.id}`
  expect((await assay.call('PATCH', path, { title: 'Mug as edited' })).status).toBe(200)
  const second = (await assay.ingest(catalog, file('R', 60, 500), { source: 'First' })).result.importId
  const full = await rowsOf(catalog)
  await assay.change(second, 'undo')
  const undone = await rowsOf(catalog)
  expect(undone).not.toEqual(full)
  await assay.change(second, 'redo')
  expect(await rowsOf(catalog)).toEqual(full)
  const told = (await assay.call('GET', `${path}/provenance`)).body

  await dropAll()
  expect(await differences(assay.system, catalog)).toMatchObject({ compared: 60, differing: [], stale: 0 })
  expect((await assay.call('GET', `${path}/provenance`)).body).toEqual(told)
  await assay.change(second, 'undo')
  expect(await rowsOf(catalog)).toEqual(undone)

  // Half of it in the archive, half in the log, and then none of it in the log.
  expect(await differences(assay.system, catalog)).toMatchObject({ compared: 60, differing: [] })
  await dropAll()
  await assay.change(second, 'redo')
  expect(await rowsOf(catalog)).toEqual(full)
  expect(await differences(assay.system, catalog)).toMatchObject({ compared: 60, differing: [] })
  expect(await assay.system.archiving.verify(new AbortController().signal)).toEqual([])
})

test('a consumer that begins at the first offset reads archive and log as one', async () => {
  const catalog = await assay.newCatalog()
  await assay.ingest(catalog, file('S', 40, 10))
  await dropAll()
  await assay.ingest(catalog, file('S', 40, 20))
  const { log } = assay.system
  const topic = 'products.bronze'
  for (const [partition, end] of (await log.ends(topic)).entries()) {
    const offsets: number[] = []
    for (let next = 0; next < end; next = (offsets.at(-1) ?? end) + 1)
      offsets.push(...(await log.read(topic, partition, next, 7)).map(({ offset }) => offset))
    expect(offsets).toEqual(Array.from({ length: end }, (_, n) => n))
  }
})
