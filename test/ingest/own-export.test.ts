import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exportOf, rowsOf, withTable } from '../exported.ts'
import type { Running } from '../running.ts'
import { sharedAssay } from '../shared-assay.ts'
import { overShared, realPath, sharedIsThere } from './expected-figures.ts'

let assay: Running
beforeAll(async () => {
  assay = await sharedAssay()
})
afterAll(() => assay.close())

const groups = ['V1,Oak stool black,10,EUR,black,M,oak,plain,G1', 'V2,Oak stool white,10,EUR,white,M,oak,plain,G1']
const others = ['X1,Single stool,10,EUR,red,L,pine,dots,G9', 'S1,"=1+1, a stool",10.5,EUR,red,L,pine,dots,']
const stools = `sku,title,price,currency,color,size,material,pattern,item_group_id\n${[...groups, ...others].join('\n')}\n`

/** What a Shopify file without SKUs tells apart by its handles and options alone; two products share a barcode. */
const handles = [
  'Handle,Title,Vendor,Tags,Option1 Name,Option1 Value,Option2 Name,Option2 Value,Variant Price,Variant Barcode,Image Src',
  'mug,Mug,Lumo,"one, two",Color,Red,Size,L,10,,https://cdn.example.test/1.jpg',
  'mug,,,,,Blue,,S,11,,https://cdn.example.test/2.jpg',
  'mug,,,,,Blue,,L,12,,',
  'plate,Plate,Lumo,,Title,Default Title,,,5,4006381333931,',
  'dish,Dish,Lumo,,Title,Default Title,,,6,4006381333931,',
].join('\n')

/** Amounts of three digits, which nothing but our own form tells from thousands. */
const dinars = 'sku,title,price,currency\nD1,Stool,"12,5",KWD\nD2,Table,"99,25",KWD\n'

/** The cells as they stand: an export has guarded them already. */
const csvOf = (cells: readonly string[]) => `${cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')}\n`

/** What each product that is there is, whatever its id. */
async function productsOf(catalog: string, withParents = true): Promise<string[]> {
  const { rows } = await assay.system.catalog.pipeline.query<{ kind: string; refined: object }>(
    'select kind, refined from products where catalog_id = $1 and alive',
    [catalog],
  )
  return rows
    .filter(({ kind }) => withParents || kind !== 'parent')
    .map(({ kind, refined }) => JSON.stringify([kind, Object.entries(refined).sort()]))
    .sort()
}

async function scoresOf(catalog: string) {
  const all = (await assay.products(catalog)).filter(({ kind }) => kind !== 'parent')
  return all
    .map(({ title, optimizationScore, feedReadyFor }) => JSON.stringify([title, optimizationScore, feedReadyFor]))
    .sort()
}

/** An export without some of its columns, and without some of its rows. */
async function less(
  catalog: string,
  format: 'csv' | 'ndjson',
  dropped: readonly string[],
  keep: (kind: string) => boolean = () => true,
): Promise<string> {
  const { bytes } = await exportOf(assay, catalog, format)
  if (format === 'ndjson') {
    const lines = bytes
      .toString()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    const kept = lines.filter((line) => keep(String(line.assay_kind)))
    return kept
      .map(
        (line) => `${JSON.stringify({ ...line, ...Object.fromEntries(dropped.map((name) => [name, undefined])) })}\n`,
      )
      .join('')
  }
  return withTable(bytes, async (table) => {
    const at = table.header.flatMap((name, i) => (dropped.includes(name) ? [] : [i]))
    const kind = table.header.indexOf('assay_kind')
    const rows = (await rowsOf(table)).filter(({ cells }) => keep(String(cells[kind])))
    return [table.header, ...rows.map(({ cells }) => cells)]
      .map((cells) => csvOf(at.map((i) => String(cells[i] ?? ''))))
      .join('')
  })
}

describe.each(['csv', 'ndjson'] as const)('our own export as %s', (format) => {
  test.each([
    ['variants by their groups', stools, 5],
    ['variants without SKUs', handles, 6],
    ['amounts with a point before three digits', dinars, 2],
  ])('comes back whole without its ids: %s', async (_, file, count) => {
    const catalog = await assay.newCatalog()
    await assay.ingest(catalog, file)
    const back = await assay.newCatalog()
    const { result } = await assay.ingest(back, await less(catalog, format, ['assay_id']))
    expect(result).toMatchObject({ created: count, rejected: 0, duplicate: 0 })
    expect(result?.warnings).toEqual({})
    expect(await productsOf(back)).toEqual(await productsOf(catalog))
    expect(await scoresOf(back)).toEqual(await scoresOf(catalog))
  })

  test('comes back whole without any column of ours, its parents left out', async () => {
    const catalog = await assay.newCatalog()
    await assay.ingest(catalog, stools)
    const back = await assay.newCatalog()
    const dropped = ['assay_id', 'assay_kind', 'assay_family']
    const file = await less(catalog, format, dropped, (kind) => kind !== 'parent')
    expect((await assay.ingest(back, file)).result).toMatchObject({ rejected: 0, duplicate: 0 })
    expect(await productsOf(back, false)).toEqual(await productsOf(catalog, false))
  })

  test('changes nothing when it comes a second time', async () => {
    const catalog = await assay.newCatalog()
    await assay.ingest(catalog, handles)
    const file = await less(catalog, format, ['assay_id'])
    const back = await assay.newCatalog()
    await assay.ingest(back, file)
    expect((await assay.ingest(back, file)).result).toMatchObject({ created: 0, updated: 0, unchanged: 6, rejected: 0 })
  })
})

describe('options that a row says itself', () => {
  const line = (more: object) => `${JSON.stringify({ title: 'Stool', price: '10', currency: 'EUR', ...more })}\n`

  test('are taken as an object, and stand before the columns that mean the same', async () => {
    const catalog = await assay.newCatalog()
    const rows = [
      line({ sku: 'V1', item_group_id: 'G1', options: { color: 'black', Finish: 'oiled' } }),
      line({ sku: 'V2', item_group_id: 'G1', options: { Farbe: 'white' }, size: 'M' }),
      line({ sku: 'S1', options: { color: 'red' } }),
    ]
    await assay.ingest(catalog, rows.join(''))
    const found = new Map((await assay.products(catalog)).map((one) => [one.sku, one]))
    expect(found.get('V1')).toMatchObject({ color: 'black', options: { color: 'black', Finish: 'oiled' } })
    expect(found.get('V2')).toMatchObject({ color: 'white', size: 'M', options: { Farbe: 'white', size: 'M' } })
    expect(found.get('S1')).toMatchObject({ color: 'red' })
  })

  test('are taken as an object of a JSON document too', async () => {
    const catalog = await assay.newCatalog()
    const rows = ['black', 'white'].map((color, i) => line({ sku: `V${i}`, item_group_id: 'G1', options: { color } }))
    await assay.ingest(catalog, `{"products":[${rows.join(',')}]}`)
    const found = new Map((await assay.products(catalog)).map((one) => [one.sku, one]))
    expect(found.get('V0')).toMatchObject({ color: 'black', options: { color: 'black' }, kind: 'variant' })
    expect(found.get('V1')).toMatchObject({ color: 'white', options: { color: 'white' }, kind: 'variant' })
  })

  test('are told where they cannot be read', async () => {
    const catalog = await assay.newCatalog()
    const rows = ['A', 'B'].map((sku) => line({ sku, item_group_id: 'G', options: 'black or white' }))
    const job = await assay.ingest(catalog, rows.join(''))
    expect(job.result).toMatchObject({ rejected: 0, warnings: { options_unreadable: 2 } })
  })
})

test.skipIf(!sharedIsThere)(overShared("a Shopify file's products come back, each with its score"), async () => {
  const catalog = await assay.newCatalog()
  await assay.ingest(catalog, await readFile(realPath('shopify/partners-apparel.csv')))
  const back = await assay.newCatalog()
  const { result } = await assay.ingest(back, await less(catalog, 'csv', ['assay_id']))
  expect(result).toMatchObject({ rejected: 0, duplicate: 0 })
  expect(await productsOf(back)).toEqual(await productsOf(catalog))
  expect(await scoresOf(back)).toEqual(await scoresOf(catalog))
})
