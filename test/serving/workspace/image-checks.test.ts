import type { RequestListener } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type LocalHost, localHost } from '../../infra/egress/local-host.ts'
import { drawn } from '../../ingest/images/drawn.ts'
import { type Answer, type Running, startAssay, workspace } from '../../running.ts'
import { saveSettings } from './pipeline.ts'

const base = `/api/workspace/${workspace}/catalogs`
let assay: Running
let good: Buffer
beforeAll(async () => {
  assay = await startAssay({ ASSAY_EGRESS_ALLOW: '127.0.0.0/8' })
  good = await drawn(1, 600)
})
afterAll(() => assay.close())

const open: LocalHost[] = []
afterEach(async () => {
  for (const host of open.splice(0)) await host.close()
})
let hosts = 0
/** Each on a host of its own. */
async function serve(answer: RequestListener): Promise<LocalHost> {
  const host = await localHost(answer, `127.0.0.${2 + (hosts++ % 200)}`)
  open.push(host)
  return host
}
/** By the path: the rest is a good image. */
const shop =
  (files: Readonly<Record<string, RequestListener>> = {}): RequestListener =>
  (request, reply) =>
    (files[request.url ?? ''] ?? ((_, answer) => answer.end(good)))(request, reply)
const sending =
  (bytes: Buffer | string, status = 200): RequestListener =>
  (_, reply) =>
    reply.writeHead(status).end(bytes)

const file = (...rows: readonly string[]) => `sku,title,images\n${rows.join('\n')}\n`
const list = (catalog: string, query = '', headers = {}) =>
  assay.call('GET', `${base}/${catalog}/checks/images?limit=200${query}`, undefined, headers)
const begin = (catalog: string, body: object = {}, headers = {}): Promise<Answer> =>
  assay.call('POST', `${base}/${catalog}/checks/images`, body, headers)
async function check(catalog: string, body: object = {}) {
  const started = await begin(catalog, body)
  expect(started.status, started.text).toBe(202)
  const job = await assay.job(started.body.job.id)
  expect(job.status, job.error?.message).toBe('completed')
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of a result
  return job.result as any
}
const scoreOf = async (catalog: string, sku: string) =>
  (await assay.products(catalog, { sku }))[0]?.optimizationScore ?? Number.NaN
const records = async () => (await assay.system.log.ends('products.bronze')).reduce((sum, end) => sum + end, 0)

describe('a check of a catalog', () => {
  test('says of every image what it is, and a first image that shows nothing costs its product points', async () => {
    const host = await serve(
      shop({
        '/page.jpg': sending('<html><body>Sorry</body></html>'),
        '/gone.jpg': sending('', 404),
        '/small.png': sending(await drawn(2, 60, 60, 'png')),
        '/busy.jpg': sending('', 503),
      }),
    )
    const catalog = await assay.newCatalog()
    const names = ['good.jpg', 'page.jpg', 'gone.jpg', 'small.png', 'busy.jpg']
    const skus = names.map((name) => name.split('.')[0] ?? '')
    await assay.ingest(catalog, file(...names.map((name, i) => `${skus[i]},Mug,${host.url}/${name}`)))
    const before = await scoreOf(catalog, 'good')
    const result = await check(catalog)
    expect(result).toEqual({
      fetched: 5,
      images: { ok: 1, not_an_image: 1, dead: 1, too_small: 1, unreachable: 1 },
      duplicates: { pictures: 0, addresses: 0 },
      changed: 3,
    })
    const { images } = (await list(catalog)).body
    const said = Object.fromEntries(
      images.map(({ address, ...image }: { address: string }) => [address.replace(`${host.url}/`, ''), image]),
    )
    const products = await assay.products(catalog)
    expect(said['good.jpg']).toMatchObject({
      ...{ state: 'ok', reason: null, type: 'jpeg', width: 600, height: 600, bytes: good.length },
      ...{ productId: products.find(({ sku }) => sku === 'good')?.id, checkedAt: expect.any(String) },
    })
    expect(said['page.jpg']).toMatchObject({
      state: 'not_an_image',
      type: 'html',
      reason: expect.stringContaining('HTML'),
    })
    expect(said['gone.jpg']).toMatchObject({ state: 'dead', status: 404 })
    expect(said['small.png']).toMatchObject({ state: 'too_small', width: 60 })
    expect(said['busy.jpg']).toMatchObject({ state: 'unreachable', status: 503 })
    const after = await Promise.all(skus.map((sku) => scoreOf(catalog, sku)))
    expect([after[0], after[4]]).toEqual([before, before])
    for (const at of [1, 2, 3]) expect(after[at], skus[at]).toBeLessThan(before)
    expect((await list(catalog, '&state=dead')).body.images.map(({ status }: { status: number }) => status)).toEqual([
      404,
    ])
  })

  test('asks for an address once, however many products have it', async () => {
    const host = await serve(shop())
    const catalog = await assay.newCatalog()
    const rows = Array.from({ length: 100 }, (_, i) => `S-${i},Mug ${i},${host.url}/same.jpg`)
    await assay.ingest(catalog, file(...rows))
    expect(await check(catalog)).toMatchObject({ fetched: 1, images: { ok: 1 }, changed: 0 })
    expect(host.asked).toHaveLength(1)
  })

  test('is not repeated for what is known; asked to, it asks whether the file is the same, and appends nothing twice', async () => {
    let gone = sending('', 404)
    const host = await serve(
      shop({
        '/kept.jpg': (request, reply) => {
          if (request.headers['if-none-match'] === '"k"') reply.writeHead(304).end()
          else reply.writeHead(200, { etag: '"k"' }).end(good)
        },
        '/gone.jpg': (...asked) => gone(...asked),
      }),
    )
    const catalog = await assay.newCatalog()
    await assay.ingest(catalog, file(`K-1,Mug,${host.url}/kept.jpg`, `G-1,Mug,${host.url}/gone.jpg`))
    expect(await check(catalog)).toMatchObject({ fetched: 2, changed: 1 })
    const [asked, appended] = [host.asked.length, await records()]
    expect(await check(catalog)).toMatchObject({ fetched: 0, changed: 0 })
    expect(host.asked).toHaveLength(asked)
    expect(await check(catalog, { recheck: true })).toMatchObject({
      fetched: 2,
      images: { ok: 1, dead: 1 },
      changed: 0,
    })
    expect(
      host.asked
        .slice(asked)
        .map(({ headers }) => headers['if-none-match'] ?? null)
        .sort(),
    ).toEqual(['"k"', null])
    expect(await records()).toBe(appended)
    gone = sending(good)
    expect(await check(catalog, { recheck: true })).toMatchObject({ images: { ok: 2 }, changed: 1 })
    expect(await scoreOf(catalog, 'G-1')).toBe(await scoreOf(catalog, 'K-1'))
  })

  test('leaves what an import says of the product alone: a repeat of the file changes nothing', async () => {
    const host = await serve(shop({ '/gone.jpg': sending('', 404) }))
    const catalog = await assay.newCatalog()
    const rows = file(`G-1,Mug,${host.url}/gone.jpg`)
    await assay.ingest(catalog, rows)
    await check(catalog)
    const score = await scoreOf(catalog, 'G-1')
    expect((await assay.ingest(catalog, rows)).result).toMatchObject({ created: 0, updated: 0, unchanged: 1 })
    expect(await scoreOf(catalog, 'G-1')).toBe(score)
    const other = await assay.ingest(catalog, file(`G-1,Mug,${host.url}/new.jpg`))
    expect(other.result).toMatchObject({ updated: 1 })
    expect(await scoreOf(catalog, 'G-1')).toBeGreaterThan(score)
  })

  test('keeps a product whose first image is known to be dead out of the feed, once that is published', async () => {
    const host = await serve(shop({ '/gone.jpg': sending('', 404) }))
    const catalog = await assay.newCatalog()
    const row = (sku: string, image: string) =>
      `${sku},Mug,9.50,EUR,in stock,Red,https://shop.example/${sku},${host.url}/${image}`
    const header = 'sku,title,price,currency,availability,description,link,images'
    await assay.ingest(catalog, [header, row('A-1', 'good.jpg'), row('B-1', 'gone.jpg'), ''].join('\n'))
    await assay.publish(catalog)
    expect(await assay.feed(catalog)).toHaveLength(2)
    await check(catalog)
    expect(await assay.publish(catalog)).toMatchObject({ modified: 1 })
    expect((await assay.feed(catalog)).map(({ id }) => id)).toEqual(['A-1'])
  })

  test('finds files that show the same picture, in whatever size', async () => {
    const host = await serve(
      shop({ '/large.jpg': sending(await drawn(9, 900)), '/small.png': sending(await drawn(9, 500, 500, 'png')) }),
    )
    const catalog = await assay.newCatalog()
    await assay.ingest(
      catalog,
      file(`A-1,Mug,${host.url}/large.jpg`, `B-1,Mug,${host.url}/small.png`, `C-1,Mug,${host.url}/other.jpg`),
    )
    expect(await check(catalog)).toMatchObject({ duplicates: { pictures: 1, addresses: 2 } })
    const seen: { address: string; picture: string }[] = []
    for (let after: string | null = ''; after !== null; ) {
      const path: string = `${base}/${catalog}/checks/images?duplicates=true&limit=1${after && `&after=${after}`}`
      const { body } = await assay.call('GET', path)
      seen.push(...body.images)
      after = body.next
    }
    expect(seen.map(({ address }) => address).sort()).toEqual([`${host.url}/large.jpg`, `${host.url}/small.png`])
    expect(new Set(seen.map(({ picture }) => picture)).size).toBe(1)
  })

  test('of some products leaves the others alone', async () => {
    const host = await serve(shop())
    const catalog = await assay.newCatalog()
    await assay.ingest(catalog, file(`A-1,Mug,${host.url}/a.jpg`, `B-1,Mug,${host.url}/b.jpg`))
    const [product] = await assay.products(catalog, { sku: 'B-1' })
    expect(await check(catalog, { product_ids: [product?.id] })).toMatchObject({ fetched: 1 })
    expect(host.asked.map(({ url }) => url)).toEqual(['/b.jpg'])
  })

  test('takes what another catalog of the brand knows of the same address', async () => {
    const host = await serve(shop({ '/gone.jpg': sending('', 404) }))
    const [first, second] = [await assay.newCatalog(), await assay.newCatalog()]
    for (const catalog of [first, second]) await assay.ingest(catalog, file(`G-1,Mug,${host.url}/gone.jpg`))
    await check(first)
    expect(await check(second)).toMatchObject({ fetched: 0, images: { dead: 1 }, changed: 1 })
    expect(host.asked).toHaveLength(1)
  })

  test('gives a host up that does not answer, and goes on with the others', async () => {
    const [broken, fine] = [await serve((_, reply) => reply.destroy()), await serve(shop())]
    const catalog = await assay.newCatalog()
    const rows = Array.from({ length: 30 }, (_, i) => `S-${i},Mug,${broken.url}/${i}.jpg`)
    await assay.ingest(catalog, file(...rows, `A-1,Mug,${fine.url}/a.jpg`))
    expect(await check(catalog)).toMatchObject({ images: { unreachable: 30, ok: 1 }, changed: 0 })
    expect(broken.asked).toHaveLength(10)
  })

  test('forgets an image that no product has had for a day', async () => {
    const host = await serve(shop())
    const catalog = await assay.newCatalog()
    await assay.ingest(catalog, file(`A-1,Mug,${host.url}/a.jpg`, `B-1,Mug,${host.url}/b.jpg`))
    await check(catalog)
    await assay.ingest(catalog, file(`A-1,Mug,${host.url}/new.jpg`))
    const sql = `update image_check set seen_at = seen_at - interval '25 hours' where catalog_id = $1`
    await assay.system.catalog.pipeline.query(sql, [catalog])
    await check(catalog)
    const { images } = (await list(catalog)).body
    expect(images.map(({ address }: { address: string }) => address).sort()).toEqual([
      `${host.url}/b.jpg`,
      `${host.url}/new.jpg`,
    ])
  })
})

test('one check of a catalog runs at a time; a cancelled one stops, and what it fetched is kept', async () => {
  const [quick, slow] = [await serve(shop()), await serve(() => {})]
  const catalog = await assay.newCatalog()
  await assay.ingest(catalog, file(`A-1,Mug,${quick.url}/a.jpg`, `B-1,Mug,${slow.url}/b.jpg`))
  const { job } = (await begin(catalog)).body
  const second = await begin(catalog)
  expect([second.status, second.body.error]).toEqual([409, 'JOB_ALREADY_RUNNING'])
  expect(second.body.details.message).toContain(job.id)
  while ((await list(catalog, '&state=ok')).body.images.length === 0) await sleep(20)
  expect((await assay.call('POST', `/api/workspace/${workspace}/jobs/${job.id}/cancel`)).status).toBe(200)
  expect(await assay.job(job.id)).toMatchObject({ status: 'failed', error: { code: 'cancelled' } })
  expect((await list(catalog, '&state=ok')).body.images).toHaveLength(1)
  await slow.close()
  expect(await check(catalog)).toMatchObject({ images: { ok: 1, unreachable: 1 } })
  expect(quick.asked).toHaveLength(1)
})

test('checks follow imports where the workspace says so, and only there', async () => {
  const host = await serve(shop())
  const catalog = await assay.newCatalog()
  const auto = () => assay.system.imageChecks.auto()
  const jobs = async () =>
    (await assay.call('GET', `/api/workspace/${workspace}/jobs?kind=check_images&catalog_id=${catalog}`)).body.jobs
  await assay.ingest(catalog, file(`A-1,Mug,${host.url}/a.jpg`))
  await auto()
  expect(await jobs()).toEqual([])
  await saveSettings(assay, { check_images: 'after_import' })
  try {
    await auto()
    const [job] = await jobs()
    expect((await assay.job(job.id)).status).toBe('completed')
    await auto()
    expect(await jobs()).toHaveLength(1)
    await assay.ingest(catalog, file(`A-1,Mug,${host.url}/a.jpg`, `B-1,Mug,${host.url}/b.jpg`))
    await auto()
    const [next] = await jobs()
    expect((await assay.job(next.id)).result).toMatchObject({ fetched: 1, images: { ok: 2 } })
  } finally {
    await saveSettings(assay, { check_images: 'off' })
  }
})

test('a viewer may look and not begin; who has another brand alone sees nothing', async () => {
  const host = await serve(shop())
  const catalog = await assay.newCatalog()
  await assay.ingest(catalog, file(`A-1,Mug,${host.url}/a.jpg`))
  await check(catalog)
  const viewer = { authorization: `Bearer ${await assay.token('viewer')}` }
  expect((await list(catalog, '', viewer)).body.images).toHaveLength(1)
  expect((await begin(catalog, {}, viewer)).status).toBe(403)
  const { brand } = (await assay.call('POST', `/api/workspace/${workspace}/brands`, { name: 'Of others' })).body
  const other = { authorization: `Bearer ${await assay.token('editor', { brand: brand.id })}` }
  for (const { status, body } of [await list(catalog, '', other), await begin(catalog, {}, other)])
    expect([status, body.error]).toEqual([404, 'CATALOG_NOT_FOUND'])
})

test.each(['&state=bad', '&duplicates=true&state=dead', '&after=abc'])(
  '400: a list that there is not: %s',
  async (query) => {
    const catalog = await assay.newCatalog()
    expect((await list(catalog, query)).status).toBe(400)
  },
)
