import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { requiredBits } from '../../../schemas/feeds/required-bits.ts'
import { defaultWeights } from '../../../schemas/score.ts'
import { gapReport } from '../../../serving/workspace/gap-report.ts'
import type { Running } from '../../running.ts'
import { sharedAssay, workspace } from '../../shared-assay.ts'
import { expectSamplesForm } from '../envelopes.ts'

let assay: Running
let catalog: string
beforeAll(async () => {
  assay = await sharedAssay()
  catalog = await assay.newCatalog()
  await assay.ingest(catalog, file)
})
afterAll(() => assay.close())

const text = 'A sturdy stool of oiled oak that fits under any counter. '.repeat(10).trim()
const row = (sku: string, { price = '79.00', link = `https://shop.example.test/${sku}`, description = text } = {}) =>
  [
    sku,
    `Lumo oak stool, number ${sku}, for bars`,
    description,
    price,
    'EUR',
    'in stock',
    link,
    `https://cdn.example.test/${sku}.jpg`,
  ]
    .map((cell) => `"${cell}"`)
    .join(',')
const file = [
  'sku,title,description,price,currency,availability,link,image',
  ...['A-1', 'A-2', 'A-3'].map((sku) => row(sku)),
  ...['B-1', 'B-2'].map((sku) => row(sku, { description: '' })),
  row('C-1', { price: '', link: '' }),
  '',
].join('\n')

const base = `/api/workspace/${workspace}`
const ask = async (query = '', of = catalog) =>
  (await assay.call('GET', `${base}/catalogs/${of}/gaps${query}`)).body.gaps

describe('gaps of a catalog', () => {
  test('200: each field with who lacks it, what it would bring, and its rules', async () => {
    const gaps = await ask()
    const products = await assay.products(catalog)
    const mean = products.reduce((sum, { optimizationScore }) => sum + (optimizationScore ?? 0), 0) / products.length
    expect(gaps).toMatchObject({ weightsNumber: 1, outdated: 0, fixesOf: 6 })
    expect(gaps.now).toMatchObject({
      products: 6,
      avgScore: Math.round(mean * 100) / 100,
      feedReady: products.filter(({ feedReady }) => feedReady).length,
    })
    const of = (name: string) => gaps.fields.find(({ field }: { field: string }) => field === name)
    expect(of('gtin')).toMatchObject({ products: 6, points: 5, becomeFeedReady: 0 })
    expect(of('description')).toMatchObject({ products: 2, becomeFeedReady: 2 })
    expect(of('price')).toMatchObject({ products: 1, becomeFeedReady: 0 })
    expect(
      of('link')
        .rules.map(({ rule }: { rule: string }) => rule)
        .sort(),
    ).toEqual(['feed.link', 'link'])
    expect(of('sku')).toBeUndefined()
  })

  test('200: the fixes bring the catalog to where it lacks nothing, and each says what it adds to those before it', async () => {
    const { now, fixes } = await ask('?by=feed_ready')
    expect(fixes.map(({ field }: { field: string }) => field).slice(0, 3)).toEqual(['description', 'price', 'link'])
    expect(fixes.slice(0, 3).map((fix: { becomeFeedReady: number }) => fix.becomeFeedReady)).toEqual([2, 0, 1])
    expect(fixes[2].after.feedReady).toBe(now.feedReady + 3)
    expect(fixes.at(-1).after).toMatchObject({ products: 6, avgScore: 100, feedReady: 6 })
    expect((await ask('?fixes=2')).fixes).toHaveLength(2)
  })

  test('what a fix is said to bring is what the products have once it is made', async () => {
    const own = await assay.newCatalog()
    await assay.ingest(own, file)
    const { fields } = await ask('', own)
    const said = fields.find(({ field }: { field: string }) => field === 'gtin')
    const before = (await ask('', own)).now
    const products = await assay.products(own)
    for (const [n, { id }] of products.entries())
      await assay.call('PATCH', `${base}/catalog/products/${id}`, { gtin: `952000000${gtinEnds[n]}` })
    const after = (await ask('', own)).now
    // A part number is not asked for beside a GTIN: that rule is met with it.
    const mpn = fields.find(({ field }: { field: string }) => field === 'mpn')
    expect(after.avgScore - before.avgScore).toBeCloseTo(said.points + mpn.points, 0)
  })

  test('200: of one band only the products that are in it now', async () => {
    const all = await ask()
    let products = 0
    for (const band of ['excellent', 'good', 'warning', 'poor']) {
      const { now } = await ask(`?band=${band}`)
      expect(now.products).toBe(all.now.scoreDistribution[band])
      products += now.products
    }
    expect(products).toBe(6)
  })

  test('200: scores of another rubric are counted apart, and an empty catalog has no gaps', async () => {
    const empty = await assay.newCatalog()
    expect(await ask('', empty)).toMatchObject({ now: { products: 0, avgScore: 0 }, fields: [], fixes: [], fixesOf: 0 })
    const old = await assay.newCatalog()
    await assay.ingest(old, file)
    const pool = assay.system.catalog.pipeline
    await pool.query('update product_score set rubric_version = 1 where catalog_id = $1', [old])
    expect(await ask('', old)).toMatchObject({ outdated: 6, now: { products: 0 }, fields: [] })
  })

  test('more patterns than there is room for: prices are of all products, fixes of the commonest, and it is said of how many', async () => {
    const principal = { workspaceId: workspace, brandIds: '*' } as const
    const scoring = { weights: defaultWeights, required: requiredBits([]) }
    const question = { catalog, scoring, band: null, goal: 'points', fixes: 3 } as const
    const report = await gapReport((work) => assay.system.catalog.withTenant(principal, work), question, 1)
    expect(report.now.products).toBe(6)
    expect(report.chosenBy).toBe(3)
    expect(report.fixes[0]?.after.products).toBe(3)
  })

  test('400: no such band, goal or number of fixes', async () => {
    for (const [query, field] of [
      ['band=superb', 'band'],
      ['by=luck', 'by'],
      ['fixes=-1', 'fixes'],
    ] as const)
      expectSamplesForm(
        await assay.call('GET', `${base}/catalogs/${catalog}/gaps?${query}`),
        ...([400, 'INVALID_REQUEST', field] as const),
      )
  })
})

/** Under the GS1 demonstration prefix. */
const gtinEnds = ['0011', '0028', '0035', '0042', '0059', '0066']
