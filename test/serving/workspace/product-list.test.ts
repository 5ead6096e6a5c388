import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bandOf, feedReadyFrom } from '../../../schemas/score.ts'
import type { GoldResult } from '../../../serving/workspace/gold.ts'
import type { ProductResource } from '../../../serving/workspace/product-resource.ts'
import type { Running } from '../../running.ts'
import { sharedAssay, workspace } from '../../shared-assay.ts'
import { expectSamplesForm } from '../envelopes.ts'

let assay: Running
let catalog: string
let all: ProductResource[]
const base = `/api/workspace/${workspace}`
const path = `${base}/catalog/products`

const long = 'A mug of thick enamel with a white rim that keeps coffee warm for a long while and washes well.'
beforeAll(async () => {
  assay = await sharedAssay()
  catalog = await assay.newCatalog()
  const rows = ['sku,title,description,brand,price,currency,gtin,category,image,availability,link,condition']
  for (let i = 0; i < 40; i++) {
    const full = i % 4 === 0
    rows.push(
      [
        `L-${i}`,
        i % 2 ? `Enamel mug ${i}` : `Linen cloth ${i} for the kitchen table`,
        full ? long : '',
        i % 3 ? 'Lumo' : 'Rheingold',
        `${i + 1}.00`,
        i % 5 ? 'EUR' : '',
        full ? '4006381333931' : '',
        i % 2 ? 'Home > Kitchen > Mugs' : 'Home > Textiles',
        full ? `https://cdn.example.test/${i}.jpg` : '',
        i % 2 || full ? 'in stock' : '',
        full ? `https://shop.example/${i}` : '',
        full ? 'new' : '',
      ].join(','),
    )
  }
  await assay.ingest(catalog, `${rows.join('\n')}\n`)
  all = await assay.products(catalog)
  await followed(catalog)
})
afterAll(() => assay.close())

/** Lists by score and by time follow within two seconds. */
async function followed(of: string) {
  const sql = 'select 1 from rank_due where catalog_id = $1'
  while ((await assay.system.catalog.pipeline.query(sql, [of])).rowCount) await sleep(20)
}

const ids = (products: readonly ProductResource[]) => products.map(({ id }) => id).sort()
const listed = async (query: Record<string, string>) => ids(await assay.products(catalog, query))
const where = (holds: (one: ProductResource) => boolean) => ids(all.filter(holds))

describe('filters', () => {
  test('200: band and feed-readiness are those that the products show', async () => {
    expect(all).toHaveLength(40)
    expect(new Set(all.map(({ optimizationScore }) => bandOf(optimizationScore ?? 0))).size).toBeGreaterThan(1)
    for (const band of ['excellent', 'good', 'warning', 'poor'])
      expect(await listed({ band })).toEqual(where((one) => bandOf(one.optimizationScore ?? 0) === band))
    const ready = where((one) => one.feedReady)
    expect(ready.length).toBeGreaterThan(0)
    expect(await listed({ feed_ready: 'true' })).toEqual(ready)
    expect(await listed({ feed_ready: 'false' })).toEqual(where((one) => !one.feedReady))
    for (const one of all) if (one.feedReady) expect(one.optimizationScore).toBeGreaterThanOrEqual(feedReadyFrom)
  })

  test('200: gaps and missing fields are those that gold lists', async () => {
    const { body } = await assay.call('POST', `${base}/catalogs/${catalog}/batch/gold`, { scope: 'all' })
    const results: GoldResult[] = body.results
    for (const field of ['gtin', 'description', 'title', 'currency', 'availability', 'mpn']) {
      const having = (list: 'gaps' | 'missingFields') =>
        results.flatMap((one) => (one[list]?.includes(field) ? one.productId : [])).sort()
      expect(await listed({ gap: field })).toEqual(having('gaps'))
      expect(await listed({ missing: field })).toEqual(having('missingFields'))
    }
  })

  test('200: words, brand, category, stage and time; together they are met together', async () => {
    expect(await listed({ q: 'MUG' })).toEqual(where((one) => one.title?.includes('mug') === true))
    expect(await listed({ q: 'kitchen lumo' })).toEqual(
      where((one) => one.brand === 'Lumo' && one.title?.includes('kitchen') === true),
    )
    expect(await listed({ q: '100% of_' })).toEqual([])
    expect(await listed({ q: '\0 mug\0' })).toEqual(await listed({ q: 'mug' }))
    expect(await listed({ brand: 'Lumo' })).toEqual(where((one) => one.brand === 'Lumo'))
    const mugs = where((one) => one.categoryPath.includes('Mugs'))
    expect(await listed({ category: 'Kitchen > Mugs' })).toEqual(mugs)
    expect(await listed({ category: 'Home' })).toEqual(ids(all))
    expect(await listed({ stage: 'gold', category: 'Mugs', brand: 'Lumo' })).toEqual(
      where((one) => one.brand === 'Lumo' && one.categoryPath.includes('Mugs')),
    )
    expect(await listed({ stage: 'bronze' })).toEqual([])
    const [first] = all
    const { body } = await assay.call('PATCH', `${path}/${first?.id}`, { mpn: 'M-1' })
    expect(await listed({ updated_since: body.product.updatedAt })).toEqual([first?.id])
  })

  test('are compared as products are stored: composed, and without what stands around unseen', async () => {
    const own = await assay.newCatalog()
    await assay.ingest(own, 'sku,title,brand,category\nCAFÉ-1,Tasse élan,Élan,Été > Cafés\nOTHER,Mug,Lumo,Kitchen\n')
    for (const query of [
      { sku: 'CAFÉ-1' },
      { sku: ' CAFÉ-1\u00a0' },
      { sku: 'CAFÉ-1'.normalize('NFD') },
      { sku: '\u200bCAFÉ-1' },
      { brand: ' Élan'.normalize('NFD') },
      { category: 'Été > Cafés'.normalize('NFD') },
      { q: 'élan'.normalize('NFD') },
    ])
      expect(
        (await assay.products(own, query)).map(({ sku }) => sku),
        JSON.stringify(query),
      ).toEqual(['CAFÉ-1'])
    expect(await assay.products(own, { sku: 'café-1' })).toEqual([])
    const bulk = { catalog_id: own, filter: { sku: ' CAFÉ-1'.normalize('NFD') }, changes: { mpn: 'X' }, dry_run: true }
    expect((await assay.call('POST', `${path}/bulk`, bulk)).body).toEqual({ matched: 1 })
  })

  test('400: what is no field, no band, no time; gap and missing of two fields', async () => {
    for (const [query, field] of [
      ['gap=colour', 'gap'],
      ['missing=x', 'missing'],
      ['gap=gtin&missing=mpn', 'missing'],
      ['band=fine', 'band'],
      ['feed_ready=1', 'feed_ready'],
      ['updated_since=yesterday', 'updated_since'],
      ['stage=iron', 'stage'],
      ['sort=price', 'sort'],
      ['q=%20', 'q'],
      ['q=%00', 'q'],
      ['brand=%00', 'brand'],
      ['category=%3E', 'category'],
      ['sku=', 'sku'],
      ['sku=%20%E2%80%8B', 'sku'],
      ['brand=%E2%80%8B', 'brand'],
      ['category=%20%3E%20%3E', 'category'],
    ] as const)
      expectSamplesForm(
        await assay.call('GET', `${path}?catalog_id=${catalog}&${query}`),
        400,
        'INVALID_REQUEST',
        field,
      )
  })
})

describe('orders', () => {
  const keys = {
    score: ({ optimizationScore }: ProductResource) => optimizationScore ?? -1,
    updated_at: ({ updatedAt }: ProductResource) => Date.parse(updatedAt),
  }

  test.each(['score', 'updated_at'] as const)(
    '200: by %s, up and down, each product once, with a time',
    async (sort) => {
      await followed(catalog)
      for (const direction of ['', '-']) {
        const found = await assay.products(catalog, { sort: direction + sort, limit: '7' })
        expect(ids(found)).toEqual(ids(all))
        const order = found.map(keys[sort])
        expect(order).toEqual(order.toSorted((a, b) => (direction ? b - a : a - b)))
      }
      const { body } = await assay.call('GET', `${path}?catalog_id=${catalog}&sort=${sort}`)
      expect(Date.parse(body.as_of)).toBeGreaterThan(Date.now() - 60_000)
    },
  )

  test('200: while others move, each product that stays is shown once', async () => {
    const own = await assay.newCatalog()
    const lines = Array.from({ length: 30 }, (_, i) => `M-${i},Mug ${'x'.repeat(i % 5)} ${i}`)
    await assay.ingest(own, `sku,title\n${lines.join('\n')}\n`)
    await followed(own)
    const moved = new Set<string>()
    const seen: string[] = []
    for (let after = ''; ; ) {
      const { body } = await assay.call('GET', `${path}?catalog_id=${own}&sort=-score&limit=7${after}`)
      seen.push(...body.products.map(({ id }: ProductResource) => id))
      const last = seen.at(-1) ?? ''
      moved.add(last)
      await assay.call('PATCH', `${path}/${last}`, { gtin: '4006381333931', brand: 'Lumo' })
      await followed(own)
      if (body.next === null) break
      after = `&after=${body.next}`
    }
    const stayed = (await assay.products(own)).map(({ id }) => id).filter((id) => !moved.has(id))
    for (const id of stayed) expect(seen.filter((one) => one === id)).toHaveLength(1)
  })

  test('200: a parent has a time and no score', async () => {
    const own = await assay.newCatalog()
    await assay.ingest(own, 'Handle,Title,Variant SKU,Option1 Name,Option1 Value\ncap,Cap,D-S,Size,S\ncap,,D-M,,M\n')
    await followed(own)
    expect((await assay.products(own, { sort: 'score' })).map(({ kind }) => kind)).toEqual(['variant', 'variant'])
    const byTime = await assay.products(own, { sort: '-updated_at' })
    expect(byTime.map(({ kind }) => kind).sort()).toEqual(['parent', 'variant', 'variant'])
    for (const { id } of byTime) await assay.call('DELETE', `${path}/${id}`)
    await followed(own)
    expect(await assay.products(own, { sort: '-updated_at' })).toEqual([])
  })

  test('400: a cursor of another order, filter or catalog, or of none', async () => {
    const ask = (query: string) => assay.call('GET', `${path}?catalog_id=${catalog}&limit=3&${query}`)
    const { next } = (await ask('brand=Lumo')).body
    expect((await ask(`brand=Lumo&after=${next}`)).body.products).toHaveLength(3)
    expect((await ask(`brand=Lumo&after=${next}`.replace('limit=3', 'limit=5'))).status).toBe(200)
    for (const query of ['', 'brand=Rheingold&', 'brand=Lumo&q=mug&', 'brand=Lumo&sort=score&'])
      expectSamplesForm(await ask(`${query}after=${next}`), 400, 'INVALID_REQUEST', 'after')
    const other = await assay.newCatalog()
    const elsewhere = await assay.call('GET', `${path}?catalog_id=${other}&brand=Lumo&after=${next}`)
    expectSamplesForm(elsewhere, 400, 'INVALID_REQUEST', 'after')
    const forged = (text: string) => Buffer.from(text).toString('base64url')
    const [cursor = ''] = (await ask('sort=-updated_at')).body.next.split('.')
    const own = Buffer.from(cursor, 'base64url').toString()
    for (const text of [
      own.replace(/\d{4}-/, '9999-99-'),
      own.replace(/:[\dTZ:.-]*$/, ':-'),
      `${own}1`,
      '4:x',
      own.slice(2),
    ])
      expectSamplesForm(await ask(`sort=-updated_at&after=${forged(text)}`), 400, 'INVALID_REQUEST', 'after')
  })
})

test('200: a product in bronze shows its raw cells, and of its values those that a create gave', async () => {
  const { product } = (await assay.call('POST', path, { title: 'Mug', price: 3, sku: 'B-1' })).body
  const pool = assay.system.catalog.pipeline
  await pool.query(`update products set stage = 'bronze' where product_id = $1`, [product.id])
  const read = async () => (await assay.call('GET', `${path}/${product.id}`)).body.product
  const bronze = { stage: 'bronze', source: 'api', raw: { title: 'Mug', price: '3', sku: 'B-1' } }
  expect(await read()).toMatchObject({ ...bronze, stale: true, optimizationScore: product.optimizationScore })
  await pool.query(
    `update products set settings_number = 0, refined = refined || '{"title": null}' where product_id = $1`,
    [product.id],
  )
  await pool.query('delete from product_score where product_id = $1', [product.id])
  expect(await read()).toMatchObject({ ...bronze, title: 'Mug', price: 3, stale: false, optimizationScore: null })
})
