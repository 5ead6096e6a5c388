import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ensureWorkspace } from '../../../infra/catalog/tenants.ts'
import { daysAfter, utcDay } from '../../../schemas/utc-day.ts'
import { type Running, startAssay, workspace } from '../../running.ts'

const base = `/api/workspace/${workspace}`
let assay: Running
let catalog: string
beforeAll(async () => {
  assay = await startAssay({}, { roles: ['api', 'jobs', 'transforms', 'events'] })
  catalog = await assay.newCatalog()
  await assay.ingest(catalog, 'sku,title,price\nM-1,Mug,5.00\nM-2,Jug,9.00\n')
  await assay.publish(catalog)
})
afterAll(() => assay.close())

const today = utcDay(new Date())
const take = (body: object = {}, headers: Record<string, string> = {}) =>
  assay.call('POST', `${base}/visibility/snapshots`, { catalog_id: catalog, ...body }, headers)
async function taken(): Promise<void> {
  const { status, body, text } = await take()
  if (status !== 202) throw new Error(text)
  expect((await assay.job(body.job.id)).status).toBe('completed')
}
const read = (path: string, headers: Record<string, string> = {}) =>
  assay.call('GET', `${base}${path}`, undefined, headers)

test('a snapshot of today is taken on demand, says that the day is not over, and is replaced by the next', async () => {
  await taken()
  const first = (await read(`/visibility?catalog_id=${catalog}`)).body
  expect(first).toMatchObject({ missing: [], next: null, visibility: [{ day: today, complete: false, version: 1 }] })
  const searched = { type: 'search', catalog_id: catalog, product_ids: ['M-1', 'M-2', 'M-3'] }
  const sent = await assay.call('POST', '/api/v1/events', [searched, { ...searched, product_ids: ['M-2'] }])
  expect(sent.body).toEqual({ accepted: 2, refused: [] })
  const search = async () => {
    await taken()
    const { body } = await read(`/visibility?catalog_id=${catalog}&channel=search`)
    expect(body.visibility).toHaveLength(1)
    return body.visibility[0].channels
  }
  await expect
    .poll(search, { timeout: 20_000 })
    .toMatchObject([{ channel: 'search', offered: 2, events: 2, seen: 2, unknown: 1, change: null }])
  const { body } = await read(`/visibility/products?catalog_id=${catalog}&channel=search&limit=1`)
  expect(body).toMatchObject({ day: today, of: 2, products: [{ sku: 'M-2', title: 'Jug', appearances: 2, share: 1 }] })
  const rest = await read(`/visibility/products?catalog_id=${catalog}&channel=search&limit=1&after=${body.next}`)
  expect(rest.body).toMatchObject({ products: [{ sku: 'M-1', appearances: 1, share: 0.5 }], next: null })
})

test('a read of the feed is recorded by Assay itself, and says how many products were read at least', async () => {
  const id = await assay.newCatalog()
  const head = 'sku,title,description,brand,price,currency,availability,condition,link,image'
  const line = (sku: string) =>
    `${sku},Mug ${sku},A mug for the garden,Lumo,5.00,EUR,in stock,new,https://shop.example/${sku},https://shop.example/${sku}.jpg`
  await assay.ingest(id, [head, line('F-1'), line('F-2'), 'F-3,Without a price,,,,,,,,', ''].join('\n'))
  await assay.publish(id)
  expect(await assay.feed(id)).toHaveLength(2)
  const google = async () => {
    const { body } = await take({ catalog_id: id })
    await assay.job(body.job.id)
    const { visibility } = (await read(`/visibility?catalog_id=${id}&channel=feed:google`)).body
    return visibility[0].channels[0]
  }
  await expect.poll(google, { timeout: 20_000 }).toMatchObject({
    ...{ recorder: 'assay', offered: 3, valid: 2, events: 1, seen: 2, seenAtLeast: true },
  })
})

test('400: of a day before the catalog was made nothing is taken', async () => {
  const { status, body } = await take({ day: daysAfter(today, -1) })
  expect([status, body.details.field]).toEqual([400, 'day'])
  expect(body.details.message).toContain(`was made on ${today}`)
})

test('409: of several that are ordered at once, all but one', async () => {
  const id = await assay.newCatalog()
  await assay.ingest(id, 'sku,title,price\nS-1,Mug,5.00\n')
  await assay.publish(id)
  const answers = await Promise.all(Array.from({ length: 6 }, () => take({ catalog_id: id })))
  expect(answers.map(({ status }) => status).sort()).toEqual([202, 409, 409, 409, 409, 409])
  const { body } = answers.find(({ status }) => status === 202) ?? { body: { job: { id: '' } } }
  expect((await assay.job(body.job.id)).status).toBe('completed')
})

test('what nobody can know any more is not taken, and what is no question is 400', async () => {
  for (const day of [daysAfter(today, -2), daysAfter(today, 1), 'yesterday', '2026-13-01'])
    expect([day, (await take({ day })).status]).toEqual([day, 400])
  expect((await take({ surprise: 1 })).status).toBe(400)
  for (const query of ['from=2026', 'channel=feed', `from=${today}&to=2020-01-01`, 'limit=201', 'after=x'])
    expect([query, (await read(`/visibility?catalog_id=${catalog}&${query}`)).status]).toEqual([query, 400])
  expect((await read(`/visibility/products?catalog_id=${catalog}`)).status).toBe(400)
  expect((await read(`/visibility/products?catalog_id=${catalog}&channel=search&day=2020-01-01`)).status).toBe(404)
})

test('nobody sees or takes another tenant’s, whichever parameter names it', async () => {
  await taken()
  await ensureWorkspace(assay.system.catalog.pipeline, 'ws_other', 'Other')
  const { body } = await assay.call('POST', `${base}/brands`, { name: `B ${randomUUID()}` })
  const foreigners = [
    { at: 'ws_other', as: await assay.token('admin', { workspace: 'ws_other' }) },
    { at: workspace, as: await assay.token('admin', { brand: body.brand.id }) },
  ]
  const { brands } = (await read('/brands')).body
  const main = brands.find(({ id }: { id: string }) => id !== body.brand.id).id
  for (const { at, as } of foreigners) {
    const own = { authorization: `Bearer ${as}` }
    const path = `/api/workspace/${at}/visibility`
    for (const named of [`catalog_id=${catalog}`, `brand_id=${main}`, `catalog_id=${catalog}&brand_id=${main}`]) {
      expect([403, 404]).toContain((await assay.call('GET', `${path}?${named}`, undefined, own)).status)
      const products = await assay.call('GET', `${path}/products?channel=search&${named}`, undefined, own)
      expect([403, 404]).toContain(products.status)
      const order = Object.fromEntries(new URLSearchParams(named))
      expect([403, 404]).toContain((await assay.call('POST', `${path}/snapshots`, order, own)).status)
    }
    for (const header of ['x-active-catalog', 'x-active-brand']) {
      const headers = { ...own, [header]: header === 'x-active-catalog' ? catalog : main }
      expect([403, 404]).toContain((await assay.call('GET', path, undefined, headers)).status)
    }
    const elsewhere = await assay.call('GET', `${base}/visibility?catalog_id=${catalog}`, undefined, own)
    expect([403, 404]).toContain(elsewhere.status)
  }
  const viewer = { authorization: `Bearer ${await assay.token('viewer')}` }
  expect([(await take({}, viewer)).status, (await read(`/visibility?catalog_id=${catalog}`, viewer)).status]).toEqual([
    403, 200,
  ])
})
