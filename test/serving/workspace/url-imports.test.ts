import { readFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type LocalHost, localHost } from '../../infra/egress/local-host.ts'
import { loopbackClothes, otherRefused } from '../../infra/egress/loopback-clothes.ts'
import { overShared, realPath, sharedIsThere } from '../../ingest/expected-figures.ts'
import { realPages } from '../../ingest/page/real-pages.ts'
import { type Job, type Running, startAssay, workspace } from '../../running.ts'

const base = `/api/workspace/${workspace}/url-import/jobs`
let assay: Running
let catalog: string
beforeAll(async () => {
  assay = await startAssay({ ASSAY_EGRESS_ALLOW: '127.0.0.0/8' })
  catalog = await assay.newCatalog()
})
afterAll(() => assay.close())

const open: LocalHost[] = []
afterEach(async () => {
  for (const host of open.splice(0)) await host.close()
})
let hosts = 0
/** Each on a host of its own, which are asked at the same time. */
async function serve(answer: RequestListener, robots = ''): Promise<LocalHost> {
  const host = await localHost(
    (request, reply) => {
      if (request.url === '/robots.txt') reply.end(robots)
      else answer(request, reply)
    },
    `127.0.0.${2 + (hosts++ % 200)}`,
  )
  open.push(host)
  return host
}
const html =
  (page: () => string): RequestListener =>
  (_, reply) =>
    reply.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page())
const jsonLd = (thing: object) => `<script type="application/ld+json">${JSON.stringify(thing)}</script>`
const stool = (more: object = {}, offer: object = {}) =>
  jsonLd({
    '@type': 'Product',
    name: 'Oak Stool',
    offers: { price: '79.00', priceCurrency: 'EUR', availability: 'https://schema.org/InStock', ...offer },
    ...more,
  })

interface Imported {
  readonly job: Job
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of an answer
  readonly addresses: any[]
}
async function importPages(urls: readonly string[], into = catalog): Promise<Imported> {
  const started = await assay.call('POST', base, { urls, catalog_id: into })
  expect(started.status, started.text).toBe(202)
  const job = await assay.job(started.body.job.id)
  const { addresses } = (await assay.call('GET', `${base}/${job.id}?limit=200`)).body
  return { job, addresses }
}
const outbox = async (job: string) =>
  (
    await assay.system.catalog.pipeline.query<{ kind: string; body: Record<string, unknown> }>(
      `select kind, body from outbox where cause like 'url_import:' || $1 || ':%' order by cause`,
      [job],
    )
  ).rows

describe.skipIf(!sharedIsThere)(overShared('the real pages, served by hosts'), () => {
  test('become products, or fail with the reason, as is expected of each', async () => {
    const into = await assay.newCatalog()
    const urls: string[] = []
    for (const { file } of realPages) {
      const host = await serve(html(() => readFileSync(realPath(file), 'utf8')))
      urls.push(`${host.url}/${file}`)
    }
    const { job, addresses } = await importPages(urls, into)
    for (const [i, page] of realPages.entries()) {
      const found = addresses[i]
      expect([found.address, found.state, found.error?.code ?? null]).toEqual([
        urls[i],
        page.failed ? 'failed' : 'imported',
        page.failed ?? null,
      ])
      for (const [name, value] of Object.entries(page.fields ?? {}))
        expect(found.fields[name].value, `${page.file} ${name}`).toBe(value)
      expect(found.conflicts.map((one: Record<string, string>) => [one.field, one.kept, one.other])).toEqual(
        page.conflicts ?? [],
      )
    }
    expect(job.result).toMatchObject({ read: 7, created: 5, updated: 0, unchanged: 0, duplicate: 0, rejected: 2 })
    const products = await assay.products(into)
    const seen = products.map(({ title, price, currency, originalPrice, availability, condition }) => ({
      ...{ title: title?.slice(0, 15), price, currency, originalPrice, availability, condition },
    }))
    const expected = [
      ['AFA Stainless 3', 329.99, 'USD', null, 'in_stock', null],
      ['EL original he ', 43.9, 'EUR', null, 'in_stock', null],
      ['Executive Anvil', 119.99, 'USD', null, 'in_stock', 'used'],
      ['Duprey 4-Light ', 98.99, 'USD', null, 'in_stock', null],
      ['Keystick Wall S', 120, 'USD', 150, 'in_stock', null],
    ].map(([title, price, currency, originalPrice, availability, condition]) => ({
      ...{ title, price, currency, originalPrice, availability, condition },
    }))
    expect(seen).toHaveLength(5)
    expect(seen).toEqual(expect.arrayContaining(expected))
    const events = await outbox(job.id)
    expect(events.map(({ kind }) => kind).sort()).toEqual([
      ...Array(5).fill('url_import.completed'),
      ...Array(2).fill('url_import.failed'),
    ])
  }, 60_000)
})

describe('a page', () => {
  test('that is imported again changes nothing; one that changed updates its product, and what it says no more is gone', async () => {
    let page = stool({ color: 'oak' })
    const host = await serve(html(() => page))
    const address = `${host.url}/p/stool?x=1#top`
    const first = await importPages([address])
    expect(first.addresses[0]).toMatchObject({
      address: `${host.url}/p/stool?x=1`,
      state: 'imported',
      result: 'created',
    })
    const again = await importPages([address])
    expect(again.addresses[0]).toMatchObject({ result: 'unchanged', productId: first.addresses[0].productId })
    page = stool({}, { price: 85 })
    const changed = await importPages([address])
    expect(changed.addresses[0]).toMatchObject({ result: 'updated', productId: first.addresses[0].productId })
    const { product } = (
      await assay.call('GET', `/api/workspace/${workspace}/catalog/products/${first.addresses[0].productId}`)
    ).body
    expect(product).toMatchObject({ price: 85, color: null, link: `${host.url}/p/stool?x=1` })
    expect((await importPages([address])).addresses[0].result).toBe('unchanged')
    const { body } = await assay.call('GET', `/api/workspace/${workspace}/catalog/products/${product.id}/provenance`)
    const [{ from }] = body.fields.filter(({ field }: { field: string }) => field === 'price')
    expect(from).toMatchObject({ source: 'url', row: 1 })
  })

  test('adds to the product that a file has under the same SKU, and makes no single of a variant', async () => {
    const into = await assay.newCatalog()
    await assay.ingest(
      into,
      'Handle,Title,Variant SKU,Option1 Name,Option1 Value,Variant Price\ntee,Tee,T-S,Size,S,10\ntee,,T-M,Size,M,10\n',
    )
    const host = await serve(html(() => stool({ sku: 'T-M', name: 'Tee in M', description: 'Soft.' })))
    const { addresses } = await importPages([host.url], into)
    const products = await assay.products(into)
    expect(addresses[0]).toMatchObject({ state: 'imported', result: 'updated' })
    expect(products.find(({ sku }) => sku === 'T-M')).toMatchObject({
      ...{ id: addresses[0].productId, kind: 'variant', title: 'Tee in M', description: 'Soft.' },
    })
  })

  test.each<[string, string, RequestListener, string?]>([
    ['http_status', '404', (_, reply) => reply.writeHead(404).end('no')],
    ['not_html', 'no HTML', (_, reply) => reply.writeHead(200, { 'content-type': 'application/pdf' }).end('%PDF')],
    [
      'not_text',
      'no charset',
      (_, reply) => reply.writeHead(200, { 'content-type': 'text/html' }).end(Buffer.from([0x80])),
    ],
    ['no_product', 'no product', html(() => '<h1>Hello</h1>')],
    ['missing_price', 'no price', html(() => stool({}, { price: {} }))],
    ['too_large', 'larger', html(() => 'a'.repeat(5_000_000))],
    [
      'refused_address',
      'cannot be fetched',
      (_, reply) => reply.writeHead(302, { location: 'http://10.0.0.1/' }).end(),
    ],
    ['robots_disallowed', 'robots.txt', html(() => stool()), 'User-agent: AssayBot\nDisallow: /p'],
  ])('fails as %s, and says so in job, ledger and event', async (code, says, answer, robots) => {
    const host = await serve(answer, robots)
    const { job, addresses } = await importPages([`${host.url}/p`])
    expect(addresses[0]).toMatchObject({ state: 'failed', productId: null, error: { code } })
    expect(addresses[0].error.message).toContain(says)
    expect(job).toMatchObject({ status: 'failed', error: { code }, result: { read: 1, created: 0, rejected: 1 } })
    expect(await assay.rows(job.result.importId)).toMatchObject([
      { row: 1, result: 'rejected', code, raw: `${host.url}/p` },
    ])
    expect(await outbox(job.id)).toMatchObject([
      { kind: 'url_import.failed', body: { address: `${host.url}/p`, error: { code } } },
    ])
    if (robots) expect(host.asked.map(({ url }) => url)).toEqual(['/robots.txt'])
  })

  test('that is good is imported beside those that are not; the event has the whole product', async () => {
    const [bad, good] = [await serve((_, reply) => reply.destroy()), await serve(html(() => stool({ sku: 'EV-1' })))]
    const { job, addresses } = await importPages([bad.url, good.url, `${good.url}/`])
    expect(job.status).toBe('completed')
    expect(addresses.map(({ state }) => state)).toEqual(['failed', 'imported'])
    const [, event] = await outbox(job.id)
    expect(event).toMatchObject({
      kind: 'url_import.completed',
      body: {
        ...{ job_id: job.id, catalog_id: catalog, address: `${good.url}/`, result: 'created' },
        product: { id: addresses[1].productId, sku: 'EV-1', title: 'Oak Stool', price: 79, workspaceId: workspace },
      },
    })
  })
})

test('undoing an import of pages takes their products out of the catalog', async () => {
  const into = await assay.newCatalog()
  const host = await serve(html(() => stool()))
  const { job } = await importPages([host.url], into)
  expect(await assay.products(into)).toHaveLength(1)
  const undone = await assay.call('POST', `/api/workspace/${workspace}/imports/${job.result.importId}/undo`)
  expect((await assay.job(undone.body.job.id)).status).toBe('completed')
  expect(await assay.products(into)).toHaveLength(0)
})

describe('the order', () => {
  const refused = (body: object) => assay.call('POST', base, { catalog_id: catalog, ...body })

  test('of an address that is no public one is refused with one neutral text, and nothing is sent (KF-40)', async () => {
    const strict = await startAssay()
    try {
      const into = await strict.newCatalog()
      const texts = new Set<string>()
      for (const url of [...loopbackClothes, ...otherRefused]) {
        const answer = await strict.call('POST', base, { url, catalog_id: into })
        expect([answer.status, answer.body.details.field], url).toEqual([400, 'url'])
        texts.add(answer.body.details.message)
      }
      expect([...texts]).toEqual([
        'This address cannot be fetched; give the public web address, without a user name or password in it',
      ])
    } finally {
      await strict.close()
    }
  })

  test('names the address that is wrong among many, and starts nothing', async () => {
    const answer = await refused({ urls: ['https://shop.example/a', 'http://10.0.0.1/'] })
    expect([answer.status, answer.body.details.field]).toEqual([400, 'urls.1'])
  })

  test.each([
    {},
    { url: 'https://a.example/', urls: ['https://a.example/'] },
    { urls: [] },
    { urls: Array(1_001).fill('https://a.example/') },
  ])('says url or urls, one to a thousand of them: %#', async (body) => expect((await refused(body)).status).toBe(400))
})

test('the list has imports of pages alone, and one that is none is not found here', async () => {
  const file = await assay.ingest(catalog, 'sku,title,price\nL-1,Lamp,3\n')
  const { body } = await assay.call('GET', `${base}?limit=200`)
  expect(body.jobs.length).toBeGreaterThan(0)
  expect(new Set(body.jobs.map(({ kind }: { kind: string }) => kind))).toEqual(new Set(['url_import']))
  expect((await assay.call('GET', `${base}/${file.id}`)).status).toBe(404)
})

test('who sees another brand alone sees neither job nor addresses, and imports into no catalog of this one', async () => {
  const host = await serve(html(() => stool()))
  const { job } = await importPages([host.url])
  const { brand } = (await assay.call('POST', `/api/workspace/${workspace}/brands`, { name: 'Of others' })).body
  const as = { authorization: `Bearer ${await assay.token('editor', { brand: brand.id })}` }
  const ask = (path: string) => assay.call('GET', `${base}${path}`, undefined, as)
  expect((await ask('')).body).toEqual({ jobs: [], next: null })
  expect((await ask(`/${job.id}`)).status).toBe(404)
  const order = await assay.call('POST', base, { url: host.url, catalog_id: catalog }, as)
  expect([order.status, order.body.error]).toEqual([404, 'CATALOG_NOT_FOUND'])
})

test('addresses are paged in the order in which they were given', async () => {
  const host = await serve((_, reply) => reply.writeHead(410).end(), 'Crawl-delay: 0')
  const urls = ['/a', '/b', '/c'].map((path) => `${host.url}${path}`)
  const { job } = await importPages(urls)
  expect(job.error?.message).toContain('None of 3 addresses was imported')
  const seen: string[] = []
  for (let after: string | null = ''; after !== null; ) {
    const { body } = await assay.call('GET', `${base}/${job.id}?limit=2${after && `&after=${after}`}`)
    seen.push(...body.addresses.map(({ address }: { address: string }) => address))
    after = body.next
  }
  expect(seen).toEqual(urls)
})

test('a cancelled import stops, keeps what was imported and says what never had its turn', async () => {
  const into = await assay.newCatalog()
  const [good, slow] = [await serve(html(() => stool())), await serve(() => {})]
  const { body } = await assay.call('POST', base, { urls: [good.url, slow.url, `${slow.url}/b`], catalog_id: into })
  const read = async () => (await assay.call('GET', `${base}/${body.job.id}`)).body
  while ((await read()).addresses[0].state !== 'imported');
  expect((await assay.call('POST', `/api/workspace/${workspace}/jobs/${body.job.id}/cancel`)).status).toBe(200)
  const job = await assay.job(body.job.id)
  expect(job).toMatchObject({ status: 'failed', error: { code: 'cancelled' }, result: { read: 1, created: 1 } })
  expect((await read()).addresses.map(({ state }: { state: string }) => state)).toEqual([
    'imported',
    'stopped',
    'stopped',
  ])
  expect(await assay.products(into)).toHaveLength(1)
})
