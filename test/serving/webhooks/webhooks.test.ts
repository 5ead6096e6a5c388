import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { failJob, insertJob } from '../../../infra/catalog/job-table.ts'
import { endOfVersion } from '../../../schemas/position.ts'
import { isSigned } from '../../../serving/webhooks/sign.ts'
import { loopbackClothes } from '../../infra/egress/loopback-clothes.ts'
import { type Receiver, receiver } from '../../infra/system/webhook-ground.ts'
import { type Running, startAssay, workspace } from '../../running.ts'

const feeds = '/api/v1/feeds/google/webhooks'
const own = `/api/workspace/${workspace}/webhooks`
const channels = [
  { path: feeds, event: 'feed.generated', other: 'job.completed' },
  { path: own, event: 'job.completed', other: 'feed.generated' },
]

/** The one address inside that may be asked. */
const allowed = '127.9.9.9'

let assay: Running
let host: Receiver
let status = 204
beforeAll(async () => {
  assay = await startAssay({ ASSAY_EGRESS_ALLOW: allowed, ASSAY_PUBLIC_URL: 'https://assay.example' })
  host = await receiver((reply) => reply.writeHead(status).end('thanks'), allowed)
})
afterAll(async () => {
  await assay.close()
  await host.close()
})

const secret = 'demo-signing-secret'
const make = async (path: string, body: object) => {
  const answer = await assay.call('POST', path, { url: host.url, secret, ...body })
  expect(answer.status).toBe(201)
  return answer.body
}
const at = (path: string) => host.received.filter((one) => one.path === path)

test('a webhook of either channel is made with an id, listed, read, changed and deleted', async () => {
  for (const { path, event } of channels) {
    const { id, webhook, secret: made } = await make(path, { events: [event] })
    expect(webhook).toMatchObject({ id, url: `${host.url}/`, events: [event], state: 'active', reason: null })
    // It was given, so it is not told again.
    expect(made).toBeUndefined()
    expect((await assay.call('GET', path)).body.webhooks.map((one: { id: string }) => one.id)).toContain(id)
    expect((await assay.call('GET', `${path}/${id}`)).body.webhook).toEqual(webhook)
    const paused = await assay.call('PATCH', `${path}/${id}`, { active: false })
    expect(paused.body.webhook).toMatchObject({ state: 'inactive', reason: 'paused' })
    const back = await assay.call('PATCH', `${path}/${id}`, { active: true, url: `${host.url}/moved` })
    expect(back.body.webhook).toMatchObject({ state: 'active', reason: null, url: `${host.url}/moved` })
    expect((await assay.call('DELETE', `${path}/${id}`)).status).toBe(200)
    for (const method of ['GET', 'DELETE'] as const)
      expect((await assay.call(method, `${path}/${id}`)).status).toBe(404)
    expect((await assay.call('GET', path)).body.webhooks.map((one: { id: string }) => one.id)).not.toContain(id)
  }
})

test('one that is made without a secret gets one, shown this once and nowhere else', async () => {
  const { body } = await assay.call('POST', own, { url: host.url, events: ['job.failed'] })
  expect(body.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  const read = await assay.call('GET', `${own}/${body.id}`)
  expect(read.text).not.toContain(body.secret)
  const { text } = await assay.call('GET', `/api/workspace/${workspace}/audit?limit=200`)
  expect(text).toContain('webhook.create')
  for (const hidden of [body.secret, secret]) expect(text).not.toContain(hidden)
})

test('a platform by another of its names is the same, and one that is not known is FEED_001', async () => {
  const { id, webhook } = await make('/api/v1/feeds/search-shopping/webhooks', { events: ['feed.updated'] })
  expect(webhook.platform).toBe('google')
  expect((await assay.call('GET', `${feeds}/${id}`)).status).toBe(200)
  expect((await assay.call('GET', `${own}/${id}`)).status).toBe(404)
  const unknown = await assay.call('POST', '/api/v1/feeds/nowhere/webhooks', {
    url: host.url,
    events: ['feed.failed'],
    secret,
  })
  expect([unknown.status, unknown.body.error.code]).toEqual([400, 'FEED_001'])
})

test('what is wrong is refused with 400 and names its field', async () => {
  for (const { path, event, other } of channels) {
    const good = { url: host.url, events: [event], secret }
    const wrong: [string, object][] = [
      ['events', { ...good, events: [other] }],
      ['events', { ...good, events: [] }],
      ['events', { ...good, events: ['webhook.ping'] }],
      ['url', { ...good, url: 'no address' }],
      ['url', { ...good, url: 'ftp://shop.example/' }],
      ['url', { ...good, url: 'http://shop.example:25/' }],
      ['url', { ...good, url: 'https://user:word@shop.example/' }],
      ['secret', { ...good, secret: '' }],
      ['secret', { ...good, secret: 'zwölf' }],
      ['surprise', { ...good, surprise: 1 }],
    ]
    for (const [field, body] of wrong) {
      const answer = await assay.call('POST', path, body)
      expect([field, answer.status]).toEqual([field, 400])
      expect(answer.text).toContain(field)
    }
  }
})

test('KF-40: loopback in other clothes is refused with one text, and no packet leaves', async () => {
  const before = host.received.length
  const texts = new Set<string>()
  for (const { path, event } of channels)
    for (const url of loopbackClothes) {
      const answer = await assay.call('POST', path, { url, events: [event], secret })
      expect([url, answer.status]).toEqual([url, 400])
      texts.add(answer.body.details?.message ?? answer.body.error.message)
    }
  expect(texts.size).toBe(1)
  expect(host.received).toHaveLength(before)
})

test('a role that may not manage webhooks may not see them either', async () => {
  for (const { path, event } of channels)
    for (const role of ['viewer', 'editor'] as const) {
      const as = { authorization: `Bearer ${await assay.token(role)}` }
      expect((await assay.call('GET', path, undefined, as)).status).toBe(403)
      expect((await assay.call('POST', path, { url: host.url, events: [event], secret }, as)).status).toBe(403)
    }
})

test('a publish is told to the feed of its platform and to the workspace, each with its position, from which readers go on', async () => {
  const [feed, whole] = [`/feed/${randomUUID()}`, `/own/${randomUUID()}`]
  await make(feeds, { url: host.url + feed, events: ['feed.generated', 'feed.updated', 'feed.failed'] })
  await make(own, { url: host.url + whole, events: ['catalog.version.published', 'job.completed'] })
  const catalog = await assay.newCatalog('Told')
  const line = 'F-1,Mug,A white mug,4.00,EUR,https://shop.example/mug,https://shop.example/mug.jpg,in stock,new,Lumo'
  await assay.ingest(catalog, `sku,title,description,price,currency,link,image,availability,condition,brand\n${line}\n`)
  await assay.publish(catalog)
  const named = (path: string) => at(path).map(({ headers }) => headers['x-service-event'])
  await expect.poll(() => named(feed), { timeout: 20_000 }).toEqual(['feed.generated', 'feed.updated'])
  const [generated] = at(feed)
  expect(JSON.parse(generated?.body ?? '')).toEqual({
    event: 'feed.generated',
    workspace_id: workspace,
    platform: 'google',
    feed_url: `https://assay.example/api/v1/feeds/google?catalog_id=${catalog}`,
    product_count: (await assay.feed(catalog)).length,
    generated_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
  })
  expect(generated?.headers).toMatchObject({
    'x-service-position': expect.stringMatching(/^t\.\d+\.1\.f{8}-/),
    'x-service-sequence': '1',
  })
  // Whoever reads the feed has the same.
  const after = encodeURIComponent(String(generated?.headers['x-service-position']))
  const readOn = await assay.call(
    'GET',
    `/api/v1/feeds/google?catalog_id=${catalog}&format=ndjson&positions=1&after=${after}`,
  )
  expect(
    readOn.text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toMatchObject([{ _trailer: { count: 0, position: String(generated?.headers['x-service-position']) } }])
  expect(isSigned(secret, Buffer.from(generated?.body ?? ''), String(generated?.headers['x-service-signature']))).toBe(
    true,
  )
  await expect
    .poll(() => named(whole), { timeout: 20_000 })
    .toEqual(['job.completed', 'catalog.version.published', 'job.completed'])
  const [imported, published] = at(whole).map(({ body }) => JSON.parse(body))
  const end = endOfVersion(1)
  expect(at(whole).map(({ headers }) => headers['x-service-position'])).toEqual([undefined, end, end])
  expect(JSON.parse(at(whole)[2]?.body ?? '').data.result).toMatchObject({ version: 1, position: end })
  expect(imported.data).toMatchObject({
    kind: 'import',
    status: 'completed',
    catalog_id: catalog,
    result: { created: 1 },
  })
  expect(published).toMatchObject({
    type: 'catalog.version.published',
    data: { catalog_id: catalog, version: 1, added: 1 },
  })

  // The same content again is generated again, and its bytes are the same; with nothing in it there is no feed.
  await assay.publish(catalog)
  await expect
    .poll(() => named(feed), { timeout: 20_000 })
    .toEqual(['feed.generated', 'feed.updated', 'feed.generated'])
  const [mug] = await assay.products(catalog)
  await assay.call('DELETE', `/api/workspace/${workspace}/catalog/products/${mug?.id}`)
  await assay.publish(catalog)
  await expect.poll(() => named(feed).at(-1), { timeout: 20_000 }).toBe('feed.failed')
  expect(JSON.parse(at(feed).at(-1)?.body ?? '')).toMatchObject({ event: 'feed.failed', product_count: 0 })
})

test('a held import and a failed job are told', async () => {
  // Of this run of the test.
  const path = `/held/${randomUUID()}`
  await make(own, { url: host.url + path, events: ['import.held', 'job.failed'] })
  const told = () => at(path).map(({ body }) => JSON.parse(body))
  const pool = assay.system.catalog.pipeline
  const catalog = await assay.newCatalog('Held')
  const rows = Array.from({ length: 40 }, (_, i) => `H-${i},Mug ${i},${i + 1}.00`)
  const file = (lines: string[]) => `sku,title,price\n${lines.join('\n')}\n`
  await assay.ingest(catalog, file(rows), { source: 'held' })
  await pool.query(
    `update settings_version set body = jsonb_set(body, '{guardShare}', '0.1') where workspace_id = $1`,
    [workspace],
  )
  const held = await assay.ingest(catalog, file(rows.map((row) => `${row}9`)), { source: 'held' })
  expect(held.result).toMatchObject({ state: 'held' })
  await expect.poll(() => told().length, { timeout: 20_000 }).toBe(1)
  expect(told()[0]).toMatchObject({
    type: 'import.held',
    data: { import_id: held.result.importId, catalog_id: catalog, source: 'file:held', reasons: [expect.any(String)] },
  })
  const { rows: brands } = await pool.query('select brand_id as id from catalog where catalog_id = $1', [catalog])
  const job = { id: randomUUID(), workspace, brand: brands[0].id, catalog, kind: 'publish', input: {}, by: 'ada' }
  await insertJob(pool, job)
  await failJob(pool, job.id, 'gave_up', 'It failed again and again.')
  await expect.poll(() => told().length, { timeout: 20_000 }).toBe(2)
  expect(told()[1]?.data).toMatchObject({
    ...{ job_id: job.id, kind: 'publish', catalog_id: catalog, status: 'failed' },
    error: { code: 'gave_up', message: 'It failed again and again.' },
  })
})

test('a ping shows what was sent and what came back, also of a webhook that is inactive, and counts for nothing', async () => {
  for (const { path, event } of channels) {
    const { id } = await make(path, { url: `${host.url}/ping`, events: [event] })
    await assay.call('PATCH', `${path}/${id}`, { active: false })
    for (status of [500, 204]) {
      const { body } = await assay.call('POST', `${path}/${id}/ping`)
      expect(body.delivery).toMatchObject({
        event: 'webhook.ping',
        sequence: null,
        state: status < 300 ? 'delivered' : 'failed',
        status,
      })
      expect(body.delivery.log).toMatchObject([
        { attempt: 1, status, requestHeaders: { 'webhook-id': body.delivery.id } },
      ])
      const sent = at('/ping').at(-1)
      expect(sent?.body).toBe(body.delivery.body)
      expect(
        new Webhook(secret, { format: 'raw' }).verify(sent?.body ?? '', sent?.headers as Record<string, string>),
      ).toBeTruthy()
    }
    expect((await assay.call('GET', `${path}/${id}`)).body.webhook.state).toBe('inactive')
    const { delivery } = (await assay.call('POST', `${path}/${id}/ping`)).body
    await assay.call('PATCH', `${path}/${id}`, { active: true })
    expect((await assay.call('POST', `${path}/${id}/deliveries/${delivery.id}/redeliver`)).status).toBe(409)
  }
})

test('deliveries are listed newest first by pages, read with each attempt, and sent again one by one or by range', async () => {
  const to = `/again/${randomUUID()}`
  const { id } = await make(own, { url: host.url + to, events: ['job.completed'] })
  const catalog = await assay.newCatalog('Again')
  for (const n of [1, 2, 3]) await assay.ingest(catalog, `sku,title\nA-${n},Mug\n`)
  await expect.poll(() => at(to).length, { timeout: 20_000 }).toBe(3)
  const path = `${own}/${id}/deliveries`
  const listed = async (query = '') => (await assay.call('GET', `${path}${query}`)).body
  await expect.poll(async () => (await listed('?state=delivered')).deliveries.length).toBe(3)
  const first = await listed('?limit=2')
  const second = await listed(`?limit=2&after=${first.next}`)
  const all = [...first.deliveries, ...second.deliveries]
  expect(all.map(({ sequence }) => sequence)).toEqual([3, 2, 1])
  expect(second.next).toBeNull()
  const read = (await assay.call('GET', `${path}/${all[0].id}`)).body.delivery
  expect(read.body).toBe(at(to)[2]?.body)
  expect(read.log).toMatchObject([
    { attempt: 1, status: 204, error: null, answer: '', requestHeaders: { 'x-service-sequence': '3' } },
  ])
  expect((await assay.call('POST', `${path}/${all[2].id}/redeliver`)).body).toEqual({ deliveries: 1 })
  await expect.poll(() => at(to).length, { timeout: 20_000 }).toBe(4)
  expect(at(to)[3]?.headers['webhook-id']).toBe(all[2].id)
  expect((await assay.call('POST', `${own}/${id}/redeliver`, { from: 2, to: 99 })).body).toEqual({ deliveries: 2 })
  await expect
    .poll(
      () =>
        at(to)
          .slice(4)
          .map(({ headers }) => headers['webhook-id']),
      { timeout: 20_000 },
    )
    .toEqual([all[1].id, all[0].id])
  expect((await assay.call('POST', `${own}/${id}/redeliver`, { from: 3, to: 2 })).status).toBe(400)
  await assay.call('PATCH', `${own}/${id}`, { active: false })
  expect((await assay.call('POST', `${own}/${id}/redeliver`, { from: 1, to: 2 })).status).toBe(409)
  expect((await assay.call('GET', `${path}/${randomUUID()}`)).status).toBe(404)
})

test('a secret is rotated with an overlap, within which both sign', async () => {
  const { id } = await make(own, { url: `${host.url}/rotated`, events: ['job.failed'] })
  const { status, body } = await assay.call('POST', `${own}/${id}/rotate`, { overlap_minutes: 60 })
  expect(status).toBe(201)
  expect(Date.parse(body.formerUntil) - Date.now()).toBeGreaterThan(59 * 60_000)
  await assay.call('POST', `${own}/${id}/ping`)
  const sent = at('/rotated').at(-1)
  const headers = sent?.headers as Record<string, string>
  expect(isSigned(secret, Buffer.from(sent?.body ?? ''), headers['x-service-signature'])).toBe(true)
  expect(isSigned(body.secret, Buffer.from(sent?.body ?? ''), headers['x-service-signature-next'])).toBe(true)
  for (const receives of [new Webhook(secret, { format: 'raw' }), new Webhook(body.secret)])
    expect(receives.verify(sent?.body ?? '', headers)).toBeTruthy()
  // Without an overlap the former one is out at once.
  const last = await assay.call('POST', `${own}/${id}/rotate`, { overlap_minutes: 0, secret: 'the last' })
  expect(last.body.secret).toBeUndefined()
  await assay.call('POST', `${own}/${id}/ping`)
  const after = at('/rotated').at(-1)?.headers as Record<string, string>
  expect(String(after['webhook-signature']).split(' ')).toHaveLength(1)
  expect(isSigned('the last', Buffer.from(at('/rotated').at(-1)?.body ?? ''), after['x-service-signature'])).toBe(true)
})

test('a receiver that wants no more is told by mail in the outbox, without a link to a job', async () => {
  const { rows } = await assay.system.catalog.pipeline.query(
    `insert into member (workspace_id, subject, email, role, all_brands, created_by) values ($1, 'test:admin', 'ada@shop.example', 'admin', true, 'test') returning 1`,
    [workspace],
  )
  expect(rows).toHaveLength(1)
  const gone = await receiver((reply) => reply.writeHead(410).end(), allowed)
  const { id } = await make(own, { url: gone.url, events: ['job.completed'] })
  await assay.ingest(await assay.newCatalog('Gone'), 'sku,title\nG-1,Mug\n')
  await expect
    .poll(async () => (await assay.call('GET', `${own}/${id}`)).body.webhook, { timeout: 20_000 })
    .toMatchObject({ state: 'inactive', reason: 'gone' })
  const outbox = join(assay.config.dataFolder, 'outbox')
  const written = async () => (await readdir(outbox).catch(() => [])).filter((name) => name.endsWith('.eml'))
  await expect.poll(written, { timeout: 20_000 }).toHaveLength(1)
  const text = await readFile(join(outbox, (await written())[0] ?? ''), 'utf8')
  expect(text).toContain('Subject: Assay: A webhook is inactive')
  expect(text).toContain('To: ada@shop.example')
  expect(text).not.toContain('Job:')
  await gone.close()
})
