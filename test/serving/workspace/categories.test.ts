import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findSettings } from '../../../infra/catalog/settings.ts'
import { openRefining } from '../../../infra/system/refining.ts'
import { openTaxonomy } from '../../../infra/system/taxonomy.ts'
import { type Running, startAssay, workspace } from '../../running.ts'
import { saveSettings, settled } from './pipeline.ts'

let assay: Running
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-taxonomy-'))
  const file = join(folder, 'en.txt')
  await writeFile(
    file,
    '# Google_Product_Taxonomy_Version: 2021-09-21\n2169 - Home & Garden > Tableware > Mugs\n602 - Home & Garden > Decor > Vases\n',
  )
  assay = await startAssay({ ASSAY_TAXONOMY: file })
})
afterAll(async () => {
  await assay.close()
  await rm(folder, { recursive: true })
})

const supplier = [
  'sku,title,category,google_product_category',
  'M-1,Mug,Kitchen > Mugs,',
  'M-2,Mug,Kitchen > Mugs,',
  'V-1,Vase,Living,602',
  'V-2,Vase,Living,999999',
  'X-1,Thing,,',
].join('\n')

const read = async (catalog: string) => {
  const { status, body } = await assay.call('GET', `/api/workspace/${workspace}/catalogs/${catalog}/categories`)
  expect(status).toBe(200)
  return body
}

test('each category is told with its products, and what the taxonomy has for those without one', async () => {
  const catalog = await assay.newCatalog()
  await assay.ingest(catalog, supplier)
  const { categories, taxonomy } = await read(catalog)
  expect(taxonomy).toEqual({ versions: ['2021-09-21'], categories: 2 })
  const none = { google_product_category: null, mapped: false, known_as: null }
  expect(categories).toHaveLength(4)
  // Its 999999 is none of the taxonomy.
  expect(categories).toContainEqual({ path: ['Living'], products: 1, ...none, suggestions: [] })
  expect(categories[0]).toMatchObject({
    path: ['Kitchen', 'Mugs'],
    products: 2,
    ...none,
    suggestions: [{ id: '2169' }],
  })
  expect(categories).toContainEqual({ path: [], products: 1, ...none, suggestions: [] })
  expect(categories).toContainEqual({
    path: ['Living'],
    products: 1,
    google_product_category: '602',
    mapped: false,
    known_as: { id: '602', path: ['Home & Garden', 'Decor', 'Vases'] },
    suggestions: [],
  })
})

test('a category that the taxonomy does not have is a warning and no points, and stays with the product as it was said', async () => {
  const catalog = await assay.newCatalog()
  const rows = ['A,Mug,2169', 'B,Mug,Home & Garden > Tableware > Mugs', 'C,Mug,999999', 'D,Mug,2169 - Home', 'E,Mug,']
  const { result } = await assay.ingest(catalog, ['sku,title,google_product_category', ...rows].join('\n'))
  expect(result?.warnings).toEqual({ unknown_google_category: 1 })
  const products = new Map((await assay.products(catalog)).map((one) => [one.sku, one]))
  const ids = ['A', 'B', 'C', 'D', 'E'].map((sku) => products.get(sku)?.googleProductCategory)
  expect(ids).toEqual(['2169', '2169', null, '2169', null])
  const scores = ['A', 'C', 'E'].map((sku) => products.get(sku)?.optimizationScore ?? 0)
  expect(scores[1]).toBe(scores[2])
  expect(scores[0]).toBeGreaterThan(scores[1] ?? 0)
  const path = `/api/workspace/${workspace}/catalog/products/${products.get('C')?.id}/provenance`
  const { body } = await assay.call('GET', path)
  const field = body.fields.find((one: { field: string }) => one.field === 'google_product_category')
  expect(field).toMatchObject({ value: null, from: { raw: '999999' } })
})

test('other files are settings of their own, so that what was read by the former is read anew', async () => {
  const { catalog, refresher, jobs, categories } = assay.system
  const inForce = async () => (await findSettings(catalog.pipeline, workspace))?.silver
  const startWith = (taxonomy: string | undefined) =>
    openRefining({ catalog, refresher, jobs: () => jobs, taxonomy }).auto()
  await startWith(categories?.key)
  const before = await inForce()
  expect(before?.taxonomy).toBe(categories?.key)
  await startWith(categories?.key)
  expect(await inForce()).toEqual(before)
  await startWith('others')
  expect(await inForce()).toEqual({ ...before, taxonomy: 'others', number: (before?.number ?? 0) + 1 })
  await startWith(undefined)
  expect(await inForce()).not.toHaveProperty('taxonomy')
  await startWith(categories?.key)
})

test('nothing is applied before the map of the settings says it, and what a source says wins over the map', async () => {
  const catalog = await assay.newCatalog()
  await assay.ingest(catalog, supplier)
  const googleOf = async () =>
    Object.fromEntries((await assay.products(catalog)).map((one) => [one.sku, one.googleProductCategory]))
  expect(await googleOf()).toMatchObject({ 'M-1': null, 'V-1': '602', 'X-1': null })
  await saveSettings(assay, { category_map: { 'Kitchen>Mugs': '2169', Living: '2169' } })
  await settled(assay)
  expect(await googleOf()).toMatchObject({ 'M-1': '2169', 'M-2': '2169', 'V-1': '602', 'V-2': '2169', 'X-1': null })
  const { categories } = await read(catalog)
  expect(categories[0]).toMatchObject({
    path: ['Kitchen', 'Mugs'],
    google_product_category: '2169',
    mapped: true,
    suggestions: [],
  })
})

test('a catalog of another workspace is not there', async () => {
  const catalog = await assay.newCatalog()
  const theirs = { authorization: `Bearer ${await assay.token('owner', { workspace: 'ws_other' })}` }
  const { status } = await assay.call(
    'GET',
    `/api/workspace/ws_other/catalogs/${catalog}/categories`,
    undefined,
    theirs,
  )
  expect([403, 404]).toContain(status)
})

test('a taxonomy file that is not there, or is none, is told in a sentence at the start', async () => {
  await expect(openTaxonomy([join(folder, 'none.txt')])).rejects.toThrow(/none\.txt cannot be read \(ENOENT\)/)
  await writeFile(join(folder, 'bad.txt'), 'Home & Garden\n')
  await expect(openTaxonomy([join(folder, 'bad.txt')])).rejects.toThrow(/bad\.txt is not understood: line 1/)
})
