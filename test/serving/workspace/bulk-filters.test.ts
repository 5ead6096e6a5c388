import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { enough } from '../../enough.ts'
import type { Running } from '../../running.ts'
import { sharedAssay, workspace } from '../../shared-assay.ts'
import { expectSamplesForm } from '../envelopes.ts'

let assay: Running
beforeAll(async () => {
  assay = await sharedAssay()
})
afterAll(() => assay.close())

const base = `/api/workspace/${workspace}/catalog/products`
const post = (body: object) => assay.call('POST', `${base}/bulk`, body)
async function bulk(body: object) {
  const answer = await post(body)
  if (answer.status !== 202) throw new Error(answer.text)
  const { status, result } = await assay.job(answer.body.job.id)
  expect(status).toBe('completed')
  return result
}
const titles = async (catalog: string, query: Record<string, string> = {}) =>
  (await assay.products(catalog, query)).map(({ title }) => title).sort()

async function shop(): Promise<string> {
  const catalog = await assay.newCatalog()
  const rows = [
    'A,Oak stool,79.00,EUR,Lumo,Furniture > Stools,in_stock',
    'B,Oak table,,,Lumo,Furniture > Tables,in_stock',
    'C,Mug,4.00,EUR,Rheingold,Kitchen > Mugs,',
  ]
  await assay.ingest(catalog, ['sku,title,price,currency,brand,category,availability', ...rows].join('\n'))
  return catalog
}

describe('a bulk edit takes the filters of the list, and means the products that the list shows', () => {
  const filters: readonly [Record<string, unknown>, Record<string, string>][] = [
    [{ brand: 'Lumo' }, { brand: 'Lumo' }],
    [{ q: 'oak' }, { q: 'oak' }],
    [{ category: 'Furniture > Tables' }, { category: 'Furniture > Tables' }],
    [{ missing: 'price' }, { missing: 'price' }],
    [{ gap: 'availability' }, { gap: 'availability' }],
    [{ band: 'poor' }, { band: 'poor' }],
    [
      { stage: 'gold', kind: 'single' },
      { stage: 'gold', kind: 'single' },
    ],
    [{ feed_ready: false }, { feed_ready: 'false' }],
    [{ updated_since: '2100-01-01T00:00:00Z' }, { updated_since: '2100-01-01T00:00:00Z' }],
    [
      { sku: 'C', brand: 'Rheingold' },
      { sku: 'C', brand: 'Rheingold' },
    ],
  ]
  test.each(filters)('%j', async (filter, query) => {
    const catalog = await shop()
    const meant = (await assay.products(catalog, query)).map(({ id }) => id).sort()
    const dry = await post({ catalog_id: catalog, filter, changes: { mpn: 'BULK' }, dry_run: true })
    expect(dry.body).toEqual({ matched: meant.length })
    expect(await bulk({ catalog_id: catalog, filter, changes: { mpn: 'BULK' } })).toMatchObject({
      matched: meant.length,
      changed: meant.length,
    })
    const changed = (await assay.products(catalog)).filter(({ mpn }) => mpn === 'BULK')
    expect(changed.map(({ id }) => id).sort()).toEqual(meant)
  })

  test('202: a change that takes its products out of the filter still reaches each of them once', async () => {
    const catalog = await shop()
    const result = await bulk({ catalog_id: catalog, filter: { brand: 'Lumo' }, changes: { brand: 'Nimbus' } })
    expect(result).toEqual({ matched: 2, changed: 2, unchanged: 0, refused: 0, missing: 0 })
    expect(await titles(catalog, { brand: 'Nimbus' })).toEqual(['Oak stool', 'Oak table'])
  })

  test.each([
    [{ colour: 'red' }, 'filter.colour'],
    [{ band: 'best' }, 'filter.band'],
    [{ feed_ready: 'true' }, 'filter.feed_ready'],
    [{ gap: 'price', missing: 'title' }, 'missing'],
    [{ category: ' > ' }, 'category'],
    [{ brand: 'Lumo', category: '>' }, 'category'],
  ])('400: %j is no filter', async (filter, field) => {
    const catalog = await shop()
    expectSamplesForm(await post({ catalog_id: catalog, filter, deleted: true }), 400, 'INVALID_REQUEST', field)
  })
})

describe('every product', () => {
  test('400: an empty filter deletes nothing that was not said to be all', async () => {
    const catalog = await shop()
    for (const filter of [{}, { category: undefined }])
      for (const dry_run of [true, false])
        expectSamplesForm(
          await post({ catalog_id: catalog, filter, deleted: true, dry_run }),
          400,
          'INVALID_REQUEST',
          'filter',
        )
    expect(await assay.products(catalog)).toHaveLength(3)
    expect(await bulk({ catalog_id: catalog, filter: {}, all: true, deleted: true })).toMatchObject({ changed: 3 })
    expect(await assay.products(catalog)).toEqual([])
  })

  test('400: some are named and all are said', async () => {
    const catalog = await shop()
    const product_ids = (await assay.products(catalog)).map(({ id }) => id)
    for (const which of [{ filter: { brand: 'Lumo' } }, { product_ids }]) {
      const body = { catalog_id: catalog, ...which, all: true, deleted: true }
      expectSamplesForm(await post(body), 400, 'INVALID_REQUEST', 'all')
    }
    expect(await assay.products(catalog)).toHaveLength(3)
  })
})

describe('a family', () => {
  const file = [
    'handle,sku,title,price,option1 name,option1 value,brand',
    'tee,T-S,Tee,10,Size,S,Lumo',
    'tee,T-M,Tee,10,Size,M,Lumo',
    'tee,T-L,Tee,10,Size,L,Lumo',
    'mug,M-1,Mug,4,,,Lumo',
  ]
  async function family() {
    const catalog = await assay.newCatalog()
    const shopify = file
      .join('\n')
      .replace(
        'handle,sku,title,price,option1 name,option1 value,brand',
        'Handle,Variant SKU,Title,Variant Price,Option1 Name,Option1 Value,Vendor',
      )
    await assay.ingest(catalog, `${shopify}\n`)
    const all = await assay.products(catalog)
    const parent = all.find(({ kind }) => kind === 'parent')
    const variants = all.filter(({ kind }) => kind === 'variant')
    if (!parent || variants.length !== 3) throw new Error('no family was read')
    return { catalog, parent, variants }
  }
  const skus = async (catalog: string) =>
    (await assay.products(catalog)).flatMap(({ sku, kind }) => (kind === 'parent' ? [] : [sku])).sort()

  test('goes with its parent and comes back with it, but for what was deleted before', async () => {
    const { catalog, parent, variants } = await family()
    const own = variants.find(({ sku }) => sku === 'T-M')
    await assay.call('DELETE', `${base}/${own?.id}`)
    expect((await assay.call('DELETE', `${base}/${parent.id}`)).status).toBe(200)
    expect(await skus(catalog)).toEqual(['M-1'])
    expect((await assay.call('POST', `${base}/${parent.id}/undelete`)).status).toBe(200)
    expect(await skus(catalog)).toEqual(['M-1', 'T-L', 'T-S'])
  })

  test.each(['alone', 'in bulk'] as const)(
    'whose parent was deleted has it back with a variant, brought back %s',
    async (how) => {
      const { catalog, parent, variants } = await family()
      const small = variants.find(({ sku }) => sku === 'T-S')
      await assay.call('DELETE', `${base}/${parent.id}`)
      if (how === 'alone') expect((await assay.call('POST', `${base}/${small?.id}/undelete`)).status).toBe(200)
      else
        expect(await bulk({ catalog_id: catalog, product_ids: [small?.id], deleted: false })).toEqual({
          matched: 1,
          changed: 1,
          unchanged: 0,
          refused: 0,
          missing: 0,
        })
      expect(await skus(catalog)).toEqual(['M-1', 'T-S'])
      expect((await assay.call('GET', `${base}/${parent.id}`)).body.product).toMatchObject({ kind: 'parent' })
    },
  )

  test('is not widened by its own edits: variants that follow a parent are not meant by the time of their change', async () => {
    const { catalog, parent, variants } = await family()
    await new Promise((resolve) => setTimeout(resolve, 50))
    const since = new Date().toISOString()
    await assay.call('PATCH', `${base}/${parent.id}`, { attributes: { care: 'cold' } })
    const meant = (await assay.products(catalog, { updated_since: since })).map(({ id }) => id)
    expect(meant).toContain(parent.id)
    const changes = { brand: 'Nimbus' }
    const result = await bulk({ catalog_id: catalog, filter: { updated_since: since }, changes })
    expect(result).toMatchObject({ matched: meant.length, changed: meant.length })
    expect((await assay.products(catalog, { brand: 'Nimbus' })).length).toBe(1 + variants.length)
  })

  test('is counted one by one where all of it is meant, over as many pages as it takes', async () => {
    const catalog = await assay.newCatalog()
    // A page has 500.
    const families = enough(180, 400)
    const rows = Array.from(
      { length: families },
      (_, i) => `t${i},T-${i}-S,Tee ${i},10,Size,S,Lumo\nt${i},T-${i}-M,,10,,M,`,
    )
    const header = 'Handle,Variant SKU,Title,Variant Price,Option1 Name,Option1 Value,Vendor'
    await assay.ingest(catalog, `${header}\n${rows.join('\n')}\n`)
    const all = { changed: 3 * families, matched: 3 * families, missing: 0, refused: 0, unchanged: 0 }
    expect(await bulk({ catalog_id: catalog, filter: {}, changes: { brand: 'Nimbus' } })).toEqual(all)
    expect(await bulk({ catalog_id: catalog, filter: {}, all: true, deleted: true })).toEqual(all)
    expect(await assay.products(catalog)).toEqual([])
    expect(await bulk({ catalog_id: catalog, filter: {}, deleted: false })).toEqual(all)
  }, 60_000)

  test('goes with its parent in bulk, and takes what it has from its family of a bulk change', async () => {
    const { catalog, parent } = await family()
    const product_ids = [parent.id]
    expect(await bulk({ catalog_id: catalog, product_ids, changes: { brand: 'Nimbus' } })).toMatchObject({
      matched: 1,
      changed: 1,
    })
    expect((await assay.products(catalog, { brand: 'Nimbus' })).length).toBe(4)
    expect(await bulk({ catalog_id: catalog, product_ids, deleted: true })).toMatchObject({ matched: 1, changed: 1 })
    expect(await skus(catalog)).toEqual(['M-1'])
    expect(await bulk({ catalog_id: catalog, product_ids, deleted: false })).toMatchObject({ matched: 1 })
    expect(await skus(catalog)).toEqual(['M-1', 'T-L', 'T-M', 'T-S'])
  })
})

test('403: what would come back beyond the plan stays deleted, whole', async () => {
  const catalog = await shop()
  expect(await bulk({ catalog_id: catalog, filter: {}, all: true, deleted: true })).toMatchObject({ changed: 3 })
  const pool = assay.system.catalog.pipeline
  await pool.query(`update workspace set plan = 'free' where workspace_id = $1`, [workspace])
  await pool.query(
    `insert into products (catalog_id, product_id, workspace_id, brand_id, kind, stage, rev, source_identifier, alive, content_hash, settings_number, created_at, updated_at, refined, layers)
     select c.catalog_id, gen_random_uuid(), c.workspace_id, c.brand_id, 'single', 'gold', 1, '', true, '', 1, now(), now(), '{}', '{}'
       from catalog c, generate_series(1, 999) where c.catalog_id = $1`,
    [await assay.newCatalog()],
  )
  expectSamplesForm(await post({ catalog_id: catalog, filter: {}, deleted: false }), 403, 'PLAN_LIMIT')
  expect(await assay.products(catalog)).toEqual([])
})
