import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Running } from '../../running.ts'
import { sharedAssay, workspace } from '../../shared-assay.ts'
import { expectSamplesForm } from '../envelopes.ts'

let assay: Running
let brand: string
let catalog: string
const base = `/api/workspace/${workspace}`
const products = `${base}/catalog/products`

/** Everything that the three platforms ask for. */
const mug = {
  title: 'Lumo enamel mug, white, 350 ml',
  description: 'A mug of thick enamel with a white rim that keeps coffee warm for a long while.',
  price: '12.50',
  currency: 'EUR',
  availability: 'in_stock',
  brand: 'Lumo',
  condition: 'new',
  link: 'https://shop.example/mug',
  image: 'https://cdn.example.test/mug.jpg',
}
const rows = [
  { sku: 'FOR-ALL', ...mug },
  { sku: 'NO-CONDITION', ...mug, condition: '' },
  { sku: 'NO-BRAND', ...mug, brand: '' },
  { sku: 'PREORDER', ...mug, availability: 'preorder' },
  { sku: 'WEBP', ...mug, image: 'https://cdn.example.test/mug.webp' },
  { sku: 'FOR-NONE', ...mug, price: '' },
]

beforeAll(async () => {
  assay = await sharedAssay()
  const made = await assay.call('POST', `${base}/brands`, { name: 'Lumo' })
  brand = made.body.brand.id
  catalog = (await assay.call('GET', `${base}/catalogs?brand_id=${brand}`)).body.catalogs[0].id
  await assay.ingest(catalog, Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join('')))
})
afterAll(() => assay.close())

const configure = async (platforms: string[]) =>
  (await assay.call('PATCH', `${base}/brands/${brand}`, { platforms })).body.brand
const skus = async (query: Record<string, string>) =>
  (await assay.products(catalog, query)).map(({ sku }) => sku).sort()
const readyOnes = async () =>
  (await assay.products(catalog)).flatMap(({ sku, feedReady }) => (feedReady ? sku : [])).sort()

describe('a product is feed-ready', () => {
  test('for each platform by what that platform refuses, whatever the brand is configured for', async () => {
    const found = await assay.products(catalog)
    expect(Object.fromEntries(found.map(({ sku, feedReadyFor }) => [sku, feedReadyFor]))).toEqual({
      'FOR-ALL': { google: true, meta: true, openai: true },
      'NO-CONDITION': { google: true, meta: false, openai: true },
      'NO-BRAND': { google: true, meta: false, openai: false },
      PREORDER: { google: false, meta: true, openai: true },
      WEBP: { google: true, meta: false, openai: false },
      'FOR-NONE': { google: false, meta: false, openai: false },
    })
    for (const { optimizationScore } of found) expect(optimizationScore).toBeGreaterThanOrEqual(40)
  })

  test.each([
    [[], ['FOR-ALL', 'NO-BRAND', 'NO-CONDITION', 'WEBP']],
    [['google'], ['FOR-ALL', 'NO-BRAND', 'NO-CONDITION', 'WEBP']],
    [['google', 'meta'], ['FOR-ALL']],
    [['openai'], ['FOR-ALL', 'NO-CONDITION', 'PREORDER']],
    [
      ['meta', 'openai'],
      ['FOR-ALL', 'PREORDER'],
    ],
  ])('where its brand is configured for %j, at once and in lists too', async (platforms, ready) => {
    expect((await configure(platforms)).platforms).toEqual(platforms)
    expect(await readyOnes()).toEqual(ready)
    expect(await skus({ feed_ready: 'true' })).toEqual(ready)
    expect(await skus({ feed_ready: 'false' })).toHaveLength(rows.length - ready.length)
    const bulk = { catalog_id: catalog, filter: { feed_ready: true }, changes: { mpn: 'X' }, dry_run: true }
    expect((await assay.call('POST', `${products}/bulk`, bulk)).body).toEqual({ matched: ready.length })
  })

  test('and lists can ask for one platform alone', async () => {
    await configure(['google', 'meta'])
    expect(await skus({ feed_ready: 'true', platform: 'openai' })).toEqual(['FOR-ALL', 'NO-CONDITION', 'PREORDER'])
    expect(await skus({ feed_ready: 'false', platform: 'meta' })).toEqual([
      'FOR-NONE',
      'NO-BRAND',
      'NO-CONDITION',
      'WEBP',
    ])
    const bulk = { catalog_id: catalog, filter: { feed_ready: true, platform: 'openai' }, deleted: true, dry_run: true }
    expect((await assay.call('POST', `${products}/bulk`, bulk)).body).toEqual({ matched: 3 })
  })

  test('once what the platform refused it for is mended', async () => {
    await configure(['google', 'meta'])
    const [product] = await assay.products(catalog, { sku: 'NO-CONDITION' })
    expect(product?.feedReady).toBe(false)
    const { body } = await assay.call('PATCH', `${products}/${product?.id}`, { condition: 'new' })
    expect(body.product).toMatchObject({ feedReady: true, feedReadyFor: { google: true, meta: true, openai: true } })
  })
})

test('400: a platform that nobody knows or that is named twice, and one without a question', async () => {
  for (const platforms of [['tiktok'], ['google', 'google'], 'google', null])
    expectSamplesForm(
      await assay.call('PATCH', `${base}/brands/${brand}`, { platforms }),
      400,
      'INVALID_REQUEST',
      Array.isArray(platforms) && platforms[0] === 'tiktok' ? 'platforms.0' : 'platforms',
    )
  for (const query of ['platform=meta', 'feed_ready=true&platform=tiktok'])
    expectSamplesForm(
      await assay.call('GET', `${products}?catalog_id=${catalog}&${query}`),
      400,
      'INVALID_REQUEST',
      'platform',
    )
})
