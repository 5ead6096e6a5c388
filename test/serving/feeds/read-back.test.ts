import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { feedPlatformNames } from '../../../schemas/feeds/profile.ts'
import { profileFor } from '../../../schemas/feeds/registry.ts'
import type { Shape } from '../../../schemas/feeds/shapes.ts'
import { textCuts } from '../../../schemas/feeds/text-cuts.ts'
import type { Running } from '../../running.ts'
import { sharedAssay, workspace } from '../../shared-assay.ts'
import { saveSettings } from '../workspace/pipeline.ts'

let assay: Running
let catalog: string
const header =
  'sku,title,description,brand,price,sale_price,currency,availability,image,image,link,condition,gtin,mpn,category,color,size,item_group_id,weight,gender,age_group,material,google_product_category'
const long = `${'Stool of oak that stands on three legs, '.repeat(6)}and well`
const rows = [
  'P-1,"Stool, oak","A stool, of oak, that stands ""well"" in any room.",Lumo,12.5,,EUR,in stock,"https://cdn.example.test/w_400,h_400/a 1.jpg","https://cdn.example.test/w_400,h_400/b.jpg",https://shop.example.test/ö?a=1&b=2,new,9520000000080,M-1,Furniture > Stools,,,,4.5 kg,,,Oak,443',
  `P-2,"${long}",${'A description of many signs. '.repeat(380)},Lumo,1500,1200,JPY,out of stock,https://cdn.example.test/c.jpg,,https://shop.example.test/2,used,,M-2,,,,,,,,,`,
  'V-1,Shirt red M,A shirt in red of size M with a collar.,Lumo,20,,EUR,in stock,https://cdn.example.test/r.jpg,,https://shop.example.test/v1,new,,,Apparel > Shirts,Red,M,G-1,,male,adult,Cotton,212',
  'V-2,Shirt blue M,A shirt in blue of size M with a collar.,Lumo,21.345,,KWD,in stock,https://cdn.example.test/s.jpg,,https://shop.example.test/v2,new,,,Apparel > Shirts,Blue,M,G-1,,male,adult,Cotton,212',
]

beforeAll(async () => {
  assay = await sharedAssay()
  const { brand } = (await assay.call('POST', `/api/workspace/${workspace}/brands`, { name: 'Read back' })).body
  const { catalogs } = (await assay.call('GET', `/api/workspace/${workspace}/catalogs?limit=200`)).body
  catalog = catalogs.find(({ brandId }: { brandId: string }) => brandId === brand.id).id
  for (const platform of ['google', 'meta', 'pinterest', 'tiktok', 'microsoft', 'openai'])
    await assay.call('PUT', `/api/workspace/${workspace}/brands/${brand.id}/distribution/${platform}`, {
      ...{ enabled: true, options: platform === 'openai' ? { seller_name: 'Lumo' } : {} },
    })
  await assay.ingest(catalog, `${header}\n${rows.join('\n')}\n`, { source: 'shop' })
  await assay.publish(catalog)
})
afterAll(() => assay.close())

const unchanged = { read: 4, created: 0, updated: 0, unchanged: 4, duplicate: 0, rejected: 0 }
const feed = async (platform: string, format: string) =>
  (await assay.call('GET', `/api/v1/feeds/${platform}?catalog_id=${catalog}&format=${format}`)).text

test.each([
  ...['csv', 'tsv', 'xml', 'ndjson'].map((format) => ['google', format]),
  ...['csv', 'xml'].map((format) => ['meta', format]),
  ...[
    ['pinterest', 'xml'],
    ['tiktok', 'csv'],
    ['microsoft', 'tsv'],
    ['openai', 'ndjson'],
    ['openai', 'csv'],
  ],
])(
  'the feed of %s as %s, read back as of the source that its products came from, changes nothing',
  async (platform, format) => {
    const text = await feed(platform ?? '', format ?? '')
    expect(text).toContain(long.slice(0, 140))
    expect(text.includes(long)).toBe(platform === 'pinterest' || platform === 'tiktok')
    const { result } = await assay.ingest(catalog, Buffer.from(text), { source: 'shop' })
    expect(result).toMatchObject(unchanged)
  },
)

describe('a feed whose fields say less or otherwise than the product', () => {
  const own = async (currency: string) => {
    const { brand } = (await assay.call('POST', `/api/workspace/${workspace}/brands`, { name: `In ${currency}` })).body
    const { catalogs } = (await assay.call('GET', `/api/workspace/${workspace}/catalogs?limit=200`)).body
    const of = catalogs.find(({ brandId }: { brandId: string }) => brandId === brand.id).id as string
    const bought = rows.map((row) => row.replace(/,(?:EUR|JPY|KWD),/, `,${currency},`).replace('21.345', '21'))
    const there = bought.map((row) =>
      row.replace('out of stock', 'in stock').replace(/,,M-2,,/, ',,M-2,Furniture > Tables,'),
    )
    await assay.ingest(of, `${header}\n${there.join('\n')}\n`, { source: 'shop' })
    await assay.publish(of)
    return of
  }
  let of: Readonly<Record<string, string>>
  beforeAll(async () => {
    of = { EUR: await own('EUR'), CZK: await own('CZK') }
  })

  test.each([
    ...['ndjson', 'csv', 'tsv', 'xml'].map((format) => ['acp', format]),
    ...['ndjson', 'csv'].map((format) => ['amazon', format]),
    ...['xml', 'csv'].map((format) => ['heureka', format]),
    ...['xml', 'csv', 'ndjson'].map((format) => ['yandex', format]),
  ])(
    'that of %s as %s, read back as of the source of its products or of another, changes nothing',
    async (platform, format) => {
      const into = of[platform === 'heureka' ? 'CZK' : 'EUR'] ?? ''
      const before = await assay.products(into)
      const { text, status } = await assay.call('GET', `/api/v1/feeds/${platform}?catalog_id=${into}&format=${format}`)
      expect(status).toBe(200)
      for (const source of ['shop', `${platform} ${format}`]) {
        const { result } = await assay.ingest(into, Buffer.from(text), { source })
        expect(result).toMatchObject({ created: 0, updated: 0, rejected: 0, unchanged: result.read })
      }
      expect(await assay.products(into)).toEqual(before)
    },
  )

  test('is an edit where it says something else', async () => {
    const into = of.CZK ?? ''
    const { text } = await assay.call('GET', `/api/v1/feeds/heureka?catalog_id=${into}&format=xml`)
    const { result } = await assay.ingest(into, Buffer.from(text.replace('Stool, oak', 'Stool, ash')), {
      source: 'shop',
    })
    expect(result).toMatchObject({ created: 0, updated: 1, unchanged: 3 })
    expect((await assay.products(into, { sku: 'P-1' })).map(({ title }) => title)).toEqual(['Stool, ash'])
  })
})

test('as of a source of its own it changes no product either, but for those whose groups that source names itself', async () => {
  const text = (await feed('google', 'ndjson'))
    .split('\n')
    .filter((line) => line.includes('"P-'))
    .join('\n')
  const { result } = await assay.ingest(catalog, Buffer.from(text))
  expect(result).toMatchObject({ ...unchanged, read: 2, unchanged: 2 })
})

test('a group that is named by the SKU of a parent is that parent’s, whatever the source, and the parent stays as it is', async () => {
  const other = await assay.newCatalog()
  const columns = 'sku,parent_sku,title,description,brand,price,currency,availability,image,link,condition,color'
  const variant = (color: string) =>
    `T-${color},T,Shirt ${color},A shirt in ${color} with a collar of its own.,Lumo,20,EUR,in stock,https://cdn.example.test/${color}.jpg,https://shop.example.test/${color},new,${color}`
  const parent =
    'T,,Shirt,A shirt with a collar that is sold in colours.,Lumo,,,,https://cdn.example.test/t.jpg,https://shop.example.test/t,new,'
  await assay.ingest(other, `${columns}\n${parent}\n${variant('Red')}\n${variant('Blue')}\n`)
  await assay.publish(other)
  const before = await assay.products(other)
  const { text } = await assay.call('GET', `/api/v1/feeds/google?catalog_id=${other}&format=xml`)
  const { result } = await assay.ingest(other, Buffer.from(text))
  expect(result).toMatchObject({ ...unchanged, read: 2, unchanged: 2 })
  expect(await assay.products(other)).toEqual(before)
})

describe('products without a SKU, with what the settings say for them, and options of names of their own', () => {
  let other: string
  beforeAll(async () => {
    await saveSettings(assay, {
      default_condition: 'new',
      link_template: 'https://shop.example.test/{handle}',
      currency: 'EUR',
    })
    other = await assay.newCatalog()
    const columns =
      'Handle,Title,Vendor,Body (HTML),Option1 Name,Option1 Value,Option2 Name,Option2 Value,Variant Price,Variant Inventory Qty,Image Src'
    const of = (name: string, ...cells: string[]) =>
      `tee,${name},Lumo,A tee of cotton that lasts.,${cells.join()},10,5,https://cdn.example.test/t.jpg`
    const file = [
      columns,
      of('Tee', 'Farbe', 'Rot', 'Logo', 'Ja'),
      of('', '', 'Rot', '', 'Nein'),
      of('', '', 'Blau', '', 'Nein'),
    ]
    await assay.ingest(other, `${file.join('\n')}\n`, { source: 'shop' })
    await assay.publish(other)
  })
  afterAll(() => saveSettings(assay, { default_condition: null, link_template: null, currency: null }))

  test.each([
    ['acp', 'ndjson'],
    ['amazon', 'ndjson'],
    ['pinterest', 'csv'],
  ])('that of %s changes nothing', async (platform, format) => {
    const before = await assay.products(other)
    const { text } = await assay.call('GET', `/api/v1/feeds/${platform}?catalog_id=${other}&format=${format}`)
    const { result } = await assay.ingest(other, Buffer.from(text), { source: 'shop' })
    expect(result).toMatchObject({ read: 3, created: 0, updated: 0, unchanged: 3 })
    expect(await assay.products(other)).toEqual(before)
  })
})

test('a text that says something else is an edit, however long', async () => {
  const text = (await feed('google', 'ndjson')).replace('Stool of oak that', 'Chair of oak that')
  const { result } = await assay.ingest(catalog, Buffer.from(text), { source: 'shop' })
  expect(result).toMatchObject({ updated: 1, unchanged: 3 })
})

test('each length at which a profile cuts a title or a description is known to who reads it back', () => {
  for (const platform of feedPlatformNames) {
    const shapes = (profileFor(platform)?.schema.properties ?? {}) as Readonly<Record<string, Shape>>
    for (const field of ['title', 'description'] as const) {
      const most = shapes[field]?.maxLength
      if (typeof most === 'number') expect(textCuts[field]).toContain(most)
    }
  }
})
