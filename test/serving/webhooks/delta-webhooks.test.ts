import { randomUUID } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { endOfVersion } from '../../../schemas/position.ts'
import { isSigned } from '../../../serving/webhooks/sign.ts'
import { loopbackClothes } from '../../infra/egress/loopback-clothes.ts'
import { type Receiver, receiver } from '../../infra/system/webhook-ground.ts'
import { type Running, startAssay, workspace } from '../../running.ts'

const allowed = '127.9.9.9'
const secret = 'demo-signing-secret'
const answers = new Map<string, number>()

let assay: Running
let host: Receiver
beforeAll(async () => {
  assay = await startAssay({ ASSAY_EGRESS_ALLOW: allowed })
  host = await receiver((reply, path) => reply.writeHead(answers.get(path) ?? 204).end(), allowed)
})
afterAll(async () => {
  await assay.close()
  await host.close()
})

const of = (catalog: string) => `/api/workspace/${workspace}/catalogs/${catalog}/webhooks`
const at = (path: string) => host.received.filter((one) => one.path === path).map((one) => JSON.parse(one.body))
const make = async (catalog: string, path: string, more: object = { target: 'shopify' }) => {
  const { status, body } = await assay.call('POST', of(catalog), { url: host.url + path, secret, ...more })
  expect(status).toBe(201)
  return body
}
const ingest = (catalog: string, ...rows: string[]) =>
  assay.ingest(catalog, `sku,title,price,currency\n${rows.map((row) => `${row},EUR`).join('\n')}\n`)
const changes = async (catalog: string, query: string) =>
  (await assay.call('GET', `/api/workspace/${workspace}/catalogs/${catalog}/changes?${query}`)).body
const received = (path: string, count: number) => expect.poll(() => at(path).length, { timeout: 20_000 }).toBe(count)

test('each publish is one signed POST of what it added, modified and removed, and a gap is read at its position', async () => {
  const [catalog, path] = [await assay.newCatalog('Told'), `/${randomUUID()}`]
  const { id, webhook } = await make(catalog, path)
  expect(webhook).toMatchObject({
    catalogId: catalog,
    target: 'shopify',
    position: endOfVersion(0),
    events: ['catalog.delta'],
  })
  await ingest(catalog, 'D-1,Mug,4.00', 'D-2,Pot,9.00')
  await assay.publish(catalog)
  await received(path, 1)
  const [mug, pot] = ['D-1', 'D-2'].map((sku) => ({ sku }))
  expect(at(path)[0]).toMatchObject({
    ...{
      event: 'catalog.delta',
      workspace_id: workspace,
      catalog_id: catalog,
      target: 'shopify',
      version: 1,
      full: false,
    },
    ...{ part: 1, parts: 1, position: endOfVersion(1), previous_position: endOfVersion(0), modified: [], removed: [] },
  })
  expect(
    at(path)[0]
      .added.map((one: { variants: { sku: string }[] }) => one.variants[0]?.sku)
      .sort(),
  ).toEqual([mug?.sku, pot?.sku])
  const sent = host.received.find((one) => one.path === path)
  const headers = sent?.headers as Record<string, string>
  expect(isSigned(secret, Buffer.from(sent?.body ?? ''), headers['x-service-signature'])).toBe(true)
  expect(new Webhook(secret, { format: 'raw' }).verify(sent?.body ?? '', headers)).toBeTruthy()
  expect(headers).toMatchObject({ 'x-service-event': 'catalog.delta', 'x-service-position': endOfVersion(1) })

  const [product] = await assay.products(catalog, { sku: 'D-2' })
  await assay.call('PATCH', `/api/workspace/${workspace}/catalog/products/${product?.id}`, {
    price: 8,
    currency: 'EUR',
  })
  const [gone] = await assay.products(catalog, { sku: 'D-1' })
  await assay.call('DELETE', `/api/workspace/${workspace}/catalog/products/${gone?.id}`)
  await assay.publish(catalog)
  // A publish that changes nothing is told too: positions have no gap.
  await assay.publish(catalog)
  await received(path, 3)
  const [, second, third] = at(path)
  expect(second).toMatchObject({ version: 2, previous_position: endOfVersion(1), position: endOfVersion(2), added: [] })
  expect(second.modified).toMatchObject([{ variants: [{ sku: 'D-2', price: '8.00' }] }])
  expect(second.removed).toEqual([{ id: at(path)[0].added.find((one: { title: string }) => one.title === 'Mug').id }])
  expect(third).toMatchObject({ version: 3, previous_position: endOfVersion(2), added: [], modified: [], removed: [] })

  // Who missed the second reads it, and nothing else.
  const missed = await changes(catalog, `after=${second.previous_position}&limit=1`)
  const rest = await changes(catalog, `after=${missed.position}`)
  const both = [...missed.changes, ...rest.changes]
  expect(missed.more).toBe(true)
  expect(both.map(({ productId, version, change }) => [productId, version, change]).sort()).toEqual(
    [
      [product?.id, 2, 'modified'],
      [gone?.id, 2, 'removed'],
    ].sort(),
  )
  expect(both.find(({ change }) => change === 'modified').product).toMatchObject({ sku: 'D-2', price: 8 })
  expect([rest.position, rest.more]).toEqual([endOfVersion(3), false])
  expect(await changes(catalog, `after=${rest.position}`)).toEqual({
    changes: [],
    position: endOfVersion(3),
    more: false,
  })
  expect((await changes(catalog, '')).changes).toMatchObject([{ change: 'added', product: { sku: 'D-2' } }])

  // The log shows what was sent, although no copy of it is kept.
  const log = (await assay.call('GET', `${of(catalog)}/${id}/deliveries`)).body.deliveries
  expect(log.map(({ sequence }: { sequence: number }) => sequence)).toEqual([3, 2, 1])
  const read = (await assay.call('GET', `${of(catalog)}/${id}/deliveries/${log[1].id}`)).body.delivery
  expect(read.body).toBe(host.received.filter((one) => one.path === path)[1]?.body)
  expect((await assay.call('POST', `${of(catalog)}/${id}/deliveries/${log[1].id}/redeliver`)).status).toBe(202)
  await received(path, 4)
  expect(at(path)[3]).toEqual(second)
  expect((await assay.call('GET', `${of(catalog)}/${id}`)).body.webhook.position).toBe(endOfVersion(3))
})

test('one that was inactive goes on from where it had come, and a full push brings all, as a job', async () => {
  const [catalog, path] = [await assay.newCatalog('Behind'), `/${randomUUID()}`]
  const { id } = await make(catalog, path, { target: 'custom', options: { fields: { ref: 'sku', cost: 'price' } } })
  await ingest(catalog, 'B-1,Mug,4.00')
  await assay.publish(catalog)
  await received(path, 1)
  answers.set(path, 410)
  await ingest(catalog, 'B-2,Pot,5.00')
  await assay.publish(catalog)
  await expect
    .poll(async () => (await assay.call('GET', `${of(catalog)}/${id}`)).body.webhook, { timeout: 20_000 })
    .toMatchObject({ state: 'inactive', reason: 'gone', position: endOfVersion(1) })
  await ingest(catalog, 'B-3,Pan,6.00')
  await assay.publish(catalog)
  answers.delete(path)
  expect((await assay.call('PATCH', `${of(catalog)}/${id}`, { active: true })).status).toBe(200)
  await received(path, 4)
  expect(at(path).map(({ previous_position, position, added }) => [previous_position, position, added])).toEqual([
    [endOfVersion(0), endOfVersion(1), [{ ref: 'B-1', cost: '4.00' }]],
    [endOfVersion(1), endOfVersion(2), [{ ref: 'B-2', cost: '5.00' }]],
    [endOfVersion(1), endOfVersion(2), [{ ref: 'B-2', cost: '5.00' }]],
    [endOfVersion(2), endOfVersion(3), [{ ref: 'B-3', cost: '6.00' }]],
  ])

  const { status, body } = await assay.call('POST', `${of(catalog)}/dispatch`, {})
  expect(status).toBe(202)
  const job = await assay.job(body.job.id)
  expect(job).toMatchObject({ status: 'completed', result: { webhooks: 1, pushed: 1, waiting: 0, parts: 1 } })
  const full = at(path)[4]
  expect(full).toMatchObject({
    full: true,
    version: 3,
    part: 1,
    parts: 1,
    previous_position: null,
    position: endOfVersion(3),
  })
  expect(full.added.map(({ ref }: { ref: string }) => ref).sort()).toEqual(['B-1', 'B-2', 'B-3'])
  expect((await assay.call('POST', `${of(catalog)}/dispatch`, { webhook_ids: [randomUUID()] })).status).toBe(404)
})

test('what is no longer kept is not sent in part: the webhook is behind, and a full push brings it back', async () => {
  const [catalog, path] = [await assay.newCatalog('Dropped'), `/${randomUUID()}`]
  await ingest(catalog, 'K-1,Mug,4.00')
  await assay.publish(catalog)
  const { id } = await make(catalog, path)
  await assay.call('PATCH', `${of(catalog)}/${id}`, { active: false })
  await ingest(catalog, 'K-2,Pot,5.00')
  await assay.publish(catalog)
  await assay.system.catalog.pipeline.query(
    `update publish set state = 'dropped' where catalog_id = $1 and version = 1`,
    [catalog],
  )
  await assay.call('PATCH', `${of(catalog)}/${id}`, { active: true })
  const read = async () => (await assay.call('GET', `${of(catalog)}/${id}`)).body.webhook
  await expect
    .poll(read, { timeout: 20_000 })
    .toMatchObject({ state: 'inactive', reason: 'behind', position: endOfVersion(1) })
  expect(at(path)).toEqual([])
  const old = await assay.call(
    'GET',
    `/api/workspace/${workspace}/catalogs/${catalog}/changes?after=${endOfVersion(1)}`,
  )
  expect(old.status).toBe(410)
  const { body } = await assay.call('POST', `${of(catalog)}/dispatch`, { webhook_ids: [id] })
  expect(await assay.job(body.job.id)).toMatchObject({ status: 'completed', result: { pushed: 1 } })
  expect(at(path)).toMatchObject([{ full: true, version: 2, added: [{}, {}] }])
  expect(await read()).toMatchObject({ state: 'active', position: endOfVersion(2) })
})

test('what is wrong is refused and names its field; only https that is not inside is taken (KF-40)', async () => {
  const catalog = await assay.newCatalog('Wrong')
  const wrong: [string, object][] = [
    ['target', { target: 'magento' }],
    ['options.feed_label', { target: 'google', options: { content_language: 'en' } }],
    ['options', { target: 'shopify', options: { seller_id: 'x' } }],
    ['options.fields', { target: 'custom', options: { fields: {} } }],
    ['options.fields.name', { target: 'custom', options: { fields: { name: 'nothing' } } }],
    ['surprise', { target: 'shopify', surprise: 1 }],
    ...loopbackClothes.map((url): [string, object] => ['url', { target: 'shopify', url }]),
  ]
  for (const [field, more] of wrong) {
    const answer = await assay.call('POST', of(catalog), { url: 'https://shop.example/', secret, ...more })
    expect([field, answer.status]).toEqual([field, 400])
    expect(answer.text).toContain(field)
  }
  expect((await assay.call('POST', of(randomUUID()), { url: 'https://shop.example/', target: 'social' })).status).toBe(
    404,
  )
  for (const after of ['7', 't.1', 's.1.x', endOfVersion(99)])
    expect(
      (await assay.call('GET', `/api/workspace/${workspace}/catalogs/${catalog}/changes?after=${after}`)).status,
    ).toBe(after.length > 10 ? 410 : 400)
})

test('a webhook of a catalog is none of the workspace, and a ping has the form of what it is sent', async () => {
  const [catalog, path] = [await assay.newCatalog('Apart'), `/${randomUUID()}`]
  const { id } = await make(catalog, path, { target: 'google', options: { content_language: 'en', feed_label: 'DE' } })
  const own = `/api/workspace/${workspace}/webhooks`
  expect((await assay.call('GET', `${own}/${id}`)).status).toBe(404)
  expect((await assay.call('GET', own)).text).not.toContain(id)
  expect((await assay.call('GET', of(catalog))).body.webhooks.map((one: { id: string }) => one.id)).toEqual([id])
  expect((await assay.call('POST', `${of(catalog)}/${id}/ping`)).body.delivery).toMatchObject({ state: 'delivered' })
  expect(at(path)).toMatchObject([{ event: 'webhook.ping', target: 'google', added: [], modified: [], removed: [] }])
  expect((await assay.call('POST', `${of(catalog)}/${id}/rotate`, {})).status).toBe(201)
  expect((await assay.call('DELETE', `${of(catalog)}/${id}`)).status).toBe(200)
})

test('a SKU that goes from one product to another stays at a target that knows products by it', async () => {
  const [catalog, path] = [await assay.newCatalog('Taken'), `/${randomUUID()}`]
  await make(catalog, path, { target: 'social' })
  const create = async (title: string, sku: string) => {
    const body = { catalog_id: catalog, title, sku, price: 4, currency: 'EUR' }
    return (await assay.call('POST', `/api/workspace/${workspace}/catalog/products`, body)).body.product.id
  }
  const first = await create('Old mug', 'TAKEN')
  const other = await create('Pot', 'LEFT')
  await assay.publish(catalog)
  for (const [id, sku] of [
    [first, 'MOVED'],
    [other, 'TAKEN'],
  ]) {
    const patched = await assay.call('PATCH', `/api/workspace/${workspace}/catalog/products/${id}`, { sku })
    expect(patched.status).toBe(200)
  }
  await assay.publish(catalog)
  await received(path, 2)
  const { added, modified, removed } = at(path)[1]
  expect(added.map(({ data }: { data: { id: string; title: string } }) => [data.id, data.title]).sort()).toEqual([
    ['MOVED', 'Old mug'],
    ['TAKEN', 'Pot'],
  ])
  expect([modified, removed]).toEqual([[], [{ method: 'DELETE', data: { id: 'LEFT' } }]])
})
