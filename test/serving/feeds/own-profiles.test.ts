import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Running } from '../../running.ts'
import { sharedAssay, workspace } from '../../shared-assay.ts'
import { expectSamplesForm, expectStandardForm } from '../envelopes.ts'

let assay: Running
let catalog: string
const base = `/api/workspace/${workspace}`
const header = 'sku,title,description,brand,price,currency,stock,image,link,condition'
const row = (sku: string, { brand = 'Lumo', stock = '5' } = {}) =>
  `${sku},Title of ${sku},A description that says more than enough of it.,${brand},"12,50",EUR,${stock},https://cdn.example.test/${sku}.jpg,https://shop.example.test/${sku},new`

beforeAll(async () => {
  assay = await sharedAssay()
  catalog = await assay.newCatalog()
  await assay.ingest(catalog, `${header}\n${row('P-1')}\n${row('P-2', { stock: '0' })}\n${row('P-3', { brand: '' })}\n`)
  await assay.publish(catalog)
})
afterAll(() => assay.close())

const profiles = `${base}/feed-profiles`
const feed = (name: string, query = '&format=ndjson', of = catalog) =>
  assay.call('GET', `/api/v1/feeds/${name}?catalog_id=${of}${query}`)
const lines = ({ text }: { text: string }) =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))

const inStock = { kind: 'condition', field: 'availability', is: ['out_of_stock'], does: 'exclude' }
const renamed = { kind: 'rename', field: 'id', to: 'article' }

test('a profile of one’s own is read by its name in every form, changes by versions, and is gone when it is withdrawn', async () => {
  const made = await assay.call('POST', profiles, {
    ...{ name: 'partner', platform: 'google' },
    rules: [inStock, renamed, { kind: 'template', field: 'title', text: '{brand}: {title}' }],
  })
  expect(made.status).toBe(201)
  expect(made.body.profile).toMatchObject({ name: 'partner', version: 1, platform: 'google', platformVersion: 4 })
  expect(made.body.profile.warnings).toEqual([expect.stringContaining('"id"')])
  const read = await feed('partner', '&format=ndjson&positions=1')
  expect(
    lines(read)
      .slice(0, -1)
      .map(({ article, title }) => [article, title])
      .toSorted(),
  ).toEqual([
    ['P-1', 'Lumo: Title of P-1'],
    ['P-3', 'Title of P-3'],
  ])
  expect((await feed('partner', '&format=csv')).text.split(',')[0]).toBe('article')
  expect((await feed('partner', '')).text).toContain('<g:article>P-1</g:article>')
  const report = (await assay.call('GET', `/api/v1/feeds/partner/validation?catalog_id=${catalog}`)).body
  expect(report).toMatchObject({ platform: 'partner', profileVersion: 1, counts: { valid: 2, refused: 0 } })

  const same = await assay.call('PUT', `${profiles}/partner`, { platform: 'google', rules: made.body.profile.rules })
  expect(same.body.profile.version).toBe(1)
  const next = await assay.call('PUT', `${profiles}/partner`, { platform: 'google', rules: [renamed] })
  expect(next.body.profile.version).toBe(2)
  expect(lines(await feed('partner'))).toHaveLength(3)
  const { position } = lines(read).at(-1)._trailer
  expectStandardForm(await feed('partner', `&format=ndjson&after=${position}`), 410, 'NOT_FOUND')
  expect((await assay.call('GET', `${profiles}/partner`)).body).toMatchObject({
    profile: { version: 2 },
    versions: [2, 1],
  })
  expect((await assay.call('GET', `${profiles}/partner?version=1`)).body.profile.rules).toHaveLength(3)
  expect((await assay.call('GET', profiles)).body.profiles).toMatchObject([{ name: 'partner', version: 2 }])

  expect((await assay.call('DELETE', `${profiles}/partner`)).body).toEqual({ withdrawn: true })
  expectStandardForm(await feed('partner'), 400, 'FEED_001')
  expectSamplesForm(await assay.call('GET', `${profiles}/partner`), 404, 'NOT_FOUND', 'name')
  const again = await assay.call('POST', profiles, { name: 'partner', platform: 'meta', rules: [] })
  expect(again.body.profile.version).toBe(3)
})

test('a brand is on it at the version that it has set; former versions stay servable, and it is not withdrawn meanwhile', async () => {
  const { brand } = (await assay.call('POST', `${base}/brands`, { name: 'Of its own' })).body
  const { catalogs } = (await assay.call('GET', `${base}/catalogs?limit=200`)).body
  const of = catalogs.find(({ brandId }: { brandId: string }) => brandId === brand.id).id as string
  await assay.ingest(of, `${header}\n${row('P-1')}\n${row('P-2', { stock: '0' })}\n`)
  await assay.publish(of)
  await assay.call('POST', profiles, { name: 'shelf', platform: 'google', rules: [inStock] })
  await assay.call('PUT', `${profiles}/shelf`, { platform: 'google', rules: [] })
  const path = `${base}/brands/${brand.id}/distribution`
  const set = (version: number | null) =>
    assay.call('PUT', `${path}/shelf`, { enabled: true, profile_version: version, tracking: { utm_source: 'shelf' } })
  expect((await set(1)).body.distribution).toMatchObject({ platform: 'shelf', profileVersion: 1 })
  const first = lines(await feed('shelf', '&format=ndjson', of))
  expect(first.map(({ id }) => id)).toEqual(['P-1'])
  expect(first[0].link).toBe('https://shop.example.test/P-1?utm_source=shelf')
  await set(null)
  expect(lines(await feed('shelf', '&format=ndjson', of))).toHaveLength(2)
  const unknown = await set(9)
  expectSamplesForm(unknown, 400, 'FEED_001', 'profile_version')
  expect(JSON.stringify(unknown.body)).toContain('there are 1, 2')
  expectStandardForm(await feed('google', '&format=ndjson', of), 400, 'FEED_001')
  const refused = await assay.call('DELETE', `${profiles}/shelf`)
  expectSamplesForm(refused, 409, 'CONFLICT', 'name')
  expect(JSON.stringify(refused.body)).toContain(brand.id)
})

test('former and coming versions of a platform are served by their number', async () => {
  const { brand } = (await assay.call('POST', `${base}/brands`, { name: 'Former' })).body
  const { catalogs } = (await assay.call('GET', `${base}/catalogs?limit=200`)).body
  const of = catalogs.find(({ brandId }: { brandId: string }) => brandId === brand.id).id as string
  await assay.ingest(of, `${header}\n${row('P-1')}\n`)
  await assay.publish(of)
  const path = `${base}/brands/${brand.id}/distribution`
  const read = async (platform: string, version: number | null) => {
    const options = { seller_name: 'Lumo' }
    await assay.call('PUT', `${path}/${platform}`, { enabled: true, profile_version: version, options })
    return lines(await feed(platform, '&format=ndjson', of))[0]
  }
  expect(await read('openai', null)).toMatchObject({ item_id: 'P-1', url: 'https://shop.example.test/P-1' })
  expect(await read('openai', 1)).toMatchObject({
    id: 'P-1',
    link: 'https://shop.example.test/P-1',
    enable_search: true,
  })
  expect(await read('google', 5)).toMatchObject({ id: 'P-1' })
  const refused = await assay.call('PUT', `${path}/google`, { enabled: true, profile_version: 3 })
  expectSamplesForm(refused, 400, 'FEED_001', 'profile_version')
  expect(JSON.stringify(refused.body)).toContain('4, 5 (from 2027-01-31)')
})

test('of products that come to one id the first goes out, the others are counted and named, and one comes when it is free', async () => {
  const of = await assay.newCatalog()
  const skus = ['T-1', 'T-2', 'T-3']
  const brands = (brand: string) => skus.map((sku) => row(sku, { brand })).join('\n')
  await assay.ingest(of, `${header}\n${brands('Lumo')}\n`)
  await assay.publish(of)
  const rules = [{ kind: 'template', field: 'id', text: '{brand}' }]
  const made = await assay.call('POST', profiles, { name: 'by-brand', platform: 'google', rules })
  expect(made.body.profile.warnings).toEqual([
    expect.stringContaining('of those that come to one id the first goes out'),
  ])
  const own = [{ kind: 'template', field: 'id', text: 'shop-{id}' }]
  const safe = await assay.call('POST', profiles, { name: 'by-id', platform: 'google', rules: own })
  expect(safe.body.profile.warnings).toEqual([])

  const [first] = lines(await feed('by-brand', '&format=ndjson&positions=1', of))
  expect(lines(await feed('by-brand', '&format=ndjson', of)).map(({ id }) => id)).toEqual(['Lumo'])
  expect(lines(await feed('by-brand', '&format=ndjson&q=title', of))).toHaveLength(1)
  const report = async () => (await assay.call('GET', `/api/v1/feeds/by-brand/validation?catalog_id=${of}`)).body
  expect(await report()).toMatchObject({ counts: { valid: 1, refused: 2 } })
  expect((await report()).products[0].problems).toMatchObject([
    {
      field: 'id',
      reason: expect.stringContaining(`under which product ${first._product} goes out already`),
      fix: expect.stringContaining('what tells them apart'),
    },
  ])

  // It takes another id, and one of those that waited takes the one that is free.
  await assay.call('PATCH', `${base}/catalog/products/${first._product}`, { brand: 'Acme' })
  await assay.publish(of)
  const read = async () => lines(await feed('by-brand', '&format=ndjson&positions=1', of)).slice(0, -1)
  // Who reads while a machine is slow is given what is made by then.
  await expect
    .poll(async () => (await read()).map(({ id }) => id).toSorted(), { timeout: 20_000 })
    .toEqual(['Acme', 'Lumo'])
  const after = await read()
  expect(after.find(({ id }) => id === 'Acme')._product).toBe(first._product)
  expect(await report()).toMatchObject({ counts: { valid: 2, refused: 1 } })

  const { pipeline } = assay.system.catalog
  await pipeline.query(
    `insert into feed_untold (catalog_id, version, platform, workspace_id, brand_id)
     select catalog_id, published_version, 'by-brand', workspace_id, brand_id from catalog where catalog_id = $1`,
    [of],
  )
  const told = `select body ->> 'event' as event, body -> 'product_count' as products from outbox where catalog_id = $1 and platform = 'by-brand' order by 1`
  await expect
    .poll(async () => (await pipeline.query(told, [of])).rows, { timeout: 10_000 })
    .toEqual(['feed.generated', 'feed.updated'].map((event) => ({ event, products: 2 })))
})

test('400, 409: what no profile can be made of, with where it is', async () => {
  const make = (body: object) => assay.call('POST', profiles, { name: 'wrong', platform: 'google', rules: [], ...body })
  expectSamplesForm(await make({ platform: 'nobody' }), 400, 'FEED_001', 'platform')
  expectSamplesForm(await make({ platform_version: 3 }), 400, 'FEED_001', 'platform_version')
  expectSamplesForm(await make({ name: 'social' }), 409, 'CONFLICT', 'name')
  expectSamplesForm(await make({ name: 'No Name' }), 400, 'INVALID_REQUEST', 'name')
  for (const [rule, field] of [
    [{ kind: 'rename', field: 'colour', to: 'x' }, 'rules.0.field'],
    [{ kind: 'template', field: 'title', text: 'no field' }, 'rules.0.text'],
    [{ kind: 'constant', field: 'condition', value: 'brand new' }, 'rules.0.value'],
    [{ kind: 'constant', field: '__proto__', value: 'x' }, 'rules.0.field'],
  ] as const)
    expectSamplesForm(await make({ rules: [rule] }), 400, 'INVALID_REQUEST', field)
  expectSamplesForm(
    await assay.call('PUT', `${profiles}/nobody`, { platform: 'google', rules: [] }),
    404,
    'NOT_FOUND',
    'name',
  )
})
