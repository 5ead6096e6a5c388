import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Running } from '../running.ts'
import { sharedAssay, workspace } from '../shared-assay.ts'
import { forSale, topLevel } from './real-cases.ts'

let assay: Running
beforeAll(async () => {
  assay = await sharedAssay()
})
afterAll(() => assay?.close())

async function importOf(xml: string) {
  const catalog = await assay.newCatalog()
  const { result } = await assay.ingest(catalog, xml)
  return { result, products: await assay.products(catalog) }
}

test("the SKU of an entry in Atom is the one that the same product has in Google's RSS", async () => {
  const fields =
    '<g:id>0012</g:id><title>Mug</title><g:price>1.00 EUR</g:price><g:image_link>https://a.test/1.jpg</g:image_link><g:availability>in_stock</g:availability>'
  const entry = `<id>https://shop.example.test/entries/1</id>${fields}<updated>2026-01-01T00:00:00Z</updated>`
  const google = 'xmlns:g="http://base.google.com/ns/1.0"'
  for (const xml of [
    `<feed xmlns="http://www.w3.org/2005/Atom" ${google}><entry>${entry}</entry></feed>`,
    `<rss ${google}><channel><item>${fields}</item></channel></rss>`,
  ])
    expect((await importOf(xml)).products).toMatchObject([{ sku: '0012', title: 'Mug', price: 1 }])
})

describe('an element that stands several times where a product has one value', () => {
  const twice =
    '<sku>A</sku><title>One</title><title>Two</title><brand>Lumo</brand><brand> Lumo </brand><price>1.00</price><price>2.00</price>'
  test.each([
    ['of an unknown format', `<products><product>${twice}</product></products>`],
    ["of Google's RSS", `<rss><channel><item>${twice}</item></channel></rss>`],
  ])('%s is a counted doubt of its row: a text is the first, an amount is none of them', async (_, xml) => {
    const { result, products } = await importOf(xml)
    expect(result).toMatchObject({ read: 1, created: 1, rejected: 0, warnings: { several_values: 2 } })
    expect(products).toMatchObject([{ sku: 'A', title: 'One', brand: 'Lumo', price: null }])
    const notes = (await assay.rows(result.importId)).filter(({ code }) => code === 'several_values')
    expect(notes).toMatchObject([
      { row: 1, field: 'title', raw: 'One | Two', says: expect.stringContaining('the first is read') },
      { row: 1, field: 'price', raw: '1.00 | 2.00', says: expect.stringContaining('none of them is read') },
    ])
  })

  test('and a list of JSON is no other', async () => {
    const products = [{ sku: 'A', title: ['One', 'Two'], price: ['3.00', '3.00'], images: ['https://a.test/1.jpg'] }]
    const { result, products: made } = await importOf(JSON.stringify({ products }))
    expect(result).toMatchObject({ created: 1, warnings: { several_values: 1 } })
    expect(made).toMatchObject([{ sku: 'A', title: 'One', price: 3 }])
  })
})

const param = (name: string, value: string) => `<param name="${name}">${value}</param>`
const offer = (id: string, group: string, ...params: string[]) =>
  `<offer id="${id}" group_id="${group}" available="true"><name>Футболка</name><price>10</price><currencyId>KZT</currencyId>${params.join('')}</offer>`
const pair = (name: string, value: string) => `<PARAM><PARAM_NAME>${name}</PARAM_NAME><VAL>${value}</VAL></PARAM>`
const shopItem = (id: string, ...params: string[]) =>
  `<SHOPITEM><ITEM_ID>${id}</ITEM_ID><PRODUCTNAME>Tričko</PRODUCTNAME><PRICE_VAT>199</PRICE_VAT><ITEMGROUP_ID>G</ITEMGROUP_ID>${params.join('')}</SHOPITEM>`

test.each([
  [
    'Yandex',
    `<yml_catalog><shop><offers>${offer('1', 'G', param('Цвет', 'красный'), param('Плотность', '180'))}${offer('2', 'G', param('Цвет', 'синий'), param('Плотность', '180'))}</offers></shop></yml_catalog>`,
    { Цвет: 'красный' },
    { currency: 'KZT', color: 'красный', attributes: { Плотность: '180' }, availability: 'in_stock' },
  ],
  [
    'Heureka',
    `<SHOP>${shopItem('1', pair('Barva', 'červená'), pair('Střih', 'volný'))}${shopItem('2', pair('Barva', 'modrá'), pair('Střih', 'volný'))}</SHOP>`,
    { Barva: 'červená' },
    { currency: 'CZK', color: 'červená', attributes: { Střih: 'volný' } },
  ],
])('variants of one group in the feed of %s are told apart by what buyers choose', async (_, xml, options, more) => {
  const { result, products } = await importOf(xml)
  expect(result).toMatchObject({ read: 2, created: 2, rejected: 0 })
  expect({ products: topLevel(products).length, variants: forSale(products).length }).toEqual({
    products: 1,
    variants: 2,
  })
  const chosen = forSale(products).find((one) => JSON.stringify(one.options) === JSON.stringify(options))
  expect(chosen).toMatchObject({ itemGroupId: 'G', ...more })
})

test('a product of any XML is known by its fields, and its price by its own currency', async () => {
  const item = (id: number) =>
    `<Product id="${id}"><Name>Mug &amp; spoon</Name><Price currency="UAH">12.50</Price><Images><Image>https://x.example.test/${id}.jpg</Image></Images></Product>`
  const { result, products } = await importOf(`<Export>${item(1)}${item(2)}</Export>`)
  expect(result).toMatchObject({ read: 2, created: 2 })
  expect(result.notes).toContainEqual(
    expect.stringMatching(/^XML: products are \/Export\/Product, since it stands 2 times/),
  )
  expect(products[0]).toMatchObject({ title: 'Mug & spoon', price: 12.5, currency: 'UAH' })
  expect(products[0]?.images).toHaveLength(1)
})

test('is sent as a body of its own type, and says no product where it is a page', async () => {
  const catalog = await assay.newCatalog()
  const path = `/api/workspace/${workspace}/datasets/ingest?catalog_id=${catalog}`
  const send = (type: string, body: string, query = '') =>
    assay.call('POST', `${path}${query}`, Buffer.from(body), { 'content-type': type })
  const products = (id: string) => `<all><product><sku>${id}</sku><title>Mug</title></product></all>`
  for (const [type, query] of [
    ['application/xml', ''],
    ['text/xml; charset=utf-8', '&kind=xml'],
  ] as const) {
    const { status, body } = await send(type, products(type), query)
    expect([status, (await assay.job(body.job.id)).result.created]).toEqual([202, 1])
  }
  const page = await send('application/xml', '<!DOCTYPE html><html></html>')
  expect([page.status, page.text]).toEqual([400, expect.stringContaining('HTML page')])
  const csv = await send('text/csv', 'sku,title\n1,Mug\n', '&kind=xml')
  expect([csv.status, csv.text]).toEqual([400, expect.stringContaining('was sent as xml')])
  const broken = await send('text/xml', `${products('A-9')}<`)
  expect([broken.status, broken.text]).toEqual([400, expect.stringContaining('no well-formed XML at line 1')])
  expect(await assay.products(catalog)).toHaveLength(2)
})
