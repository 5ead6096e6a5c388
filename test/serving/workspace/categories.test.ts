import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
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
  expect(
    categories.find((one: { google_product_category: string }) => one.google_product_category === '999999'),
  ).toMatchObject({ known_as: null })
})

test('nothing is applied before the map of the settings says it, and what a source says wins over the map', async () => {
  const catalog = await assay.newCatalog()
  await assay.ingest(catalog, supplier)
  const googleOf = async () =>
    Object.fromEntries((await assay.products(catalog)).map((one) => [one.sku, one.googleProductCategory]))
  expect(await googleOf()).toMatchObject({ 'M-1': null, 'V-1': '602', 'X-1': null })
  await saveSettings(assay, { category_map: { 'Kitchen>Mugs': '2169', Living: '2169' } })
  await settled(assay)
  expect(await googleOf()).toMatchObject({ 'M-1': '2169', 'M-2': '2169', 'V-1': '602', 'V-2': '999999', 'X-1': null })
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
