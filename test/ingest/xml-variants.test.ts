import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Running } from '../running.ts'
import { sharedAssay, workspace } from '../shared-assay.ts'
import { differences } from '../verified.ts'
import { forSale, topLevel } from './real-cases.ts'

let assay: Running
beforeAll(async () => {
  assay = await sharedAssay()
})
afterAll(() => assay?.close())

/** A file sent twice, the second time to no effect. */
async function imported(xml: string) {
  const catalog = await assay.newCatalog()
  const { result: first } = await assay.ingest(catalog, xml)
  const products = await assay.products(catalog)
  const { result: second } = await assay.ingest(catalog, xml)
  const { read, rejected } = first
  expect(second).toMatchObject({ read, created: 0, updated: 0, unchanged: first.created, rejected })
  expect(await assay.products(catalog)).toEqual(products)
  const { compared, stale, differing } = await differences(assay.system, catalog)
  expect({ compared, stale, differing }).toEqual({ compared: products.length, stale: 0, differing: [] })
  return { catalog, first, products }
}

const parameter = (name: string, value: string) => `<PARAMETER><NAME>${name}</NAME><VALUE>${value}</VALUE></PARAMETER>`
const variant = (code: string, price: string, stock: number, color: string, size: string, more = '') =>
  `<VARIANT id="${stock}${code.length}"><CODE>${code}</CODE><PRICE_VAT>${price}</PRICE_VAT><CURRENCY>CZK</CURRENCY><STOCK><AMOUNT>${stock}</AMOUNT></STOCK>
<PARAMETERS>${parameter('Barva', color)}${parameter('Velikost', size)}</PARAMETERS>${more}</VARIANT>`
const shopItem = (id: number, name: string, more: string) =>
  `<SHOPITEM id="${id}"><NAME>${name}</NAME><GUID>g-${id}</GUID><SHORT_DESCRIPTION>Krátce</SHORT_DESCRIPTION><DESCRIPTION><![CDATA[<p>Dlouze o věci</p>]]></DESCRIPTION>
<MANUFACTURER>Lumo</MANUFACTURER><ITEM_TYPE>product</ITEM_TYPE><CATEGORIES><CATEGORY id="1">Móda</CATEGORY><DEFAULT_CATEGORY id="2">Móda &gt; Trička</DEFAULT_CATEGORY></CATEGORIES>
<IMAGES><IMAGE description="">https://shop.example.test/${id}-1.jpg</IMAGE><IMAGE description="">https://shop.example.test/${id}-2.jpg</IMAGE></IMAGES>
<VISIBILITY>visible</VISIBILITY>${more}</SHOPITEM>`
const shop = (...items: string[]) => `<?xml version="1.0" encoding="UTF-8"?>\n<SHOP>\n${items.join('\n')}\n</SHOP>`

const shirt = shopItem(
  7,
  'Tričko',
  `<VARIANTS>
${variant('T-S', '199', 3, 'modrá', 'S', '<EAN>4006381333931</EAN>')}
${variant('T-M', '209.50', 0, 'modrá', 'M')}
${variant('T-M-C', '199', 5, 'červená', 'M')}
</VARIANTS>`,
)
const mug = shopItem(
  8,
  'Hrnek',
  '<CODE>H-1</CODE><EAN>5901234123457</EAN><PRICE_VAT>99</PRICE_VAT><CURRENCY>CZK</CURRENCY><STOCK><AMOUNT>4</AMOUNT></STOCK>',
)
const card = shopItem(
  9,
  'Karta',
  '<VARIANTS><VARIANT id="90"><CODE>K-1</CODE><PRICE_VAT>50</PRICE_VAT></VARIANT></VARIANTS>',
)

describe("Shoptet's export", () => {
  test('gives families with their options, and singles beside them; a second time nothing', async () => {
    const { first, products } = await imported(shop(shirt, mug, card))
    expect(first).toMatchObject({ read: 5, rejected: 0, duplicate: 0 })
    expect(first.notes).toContainEqual("Shoptet's export: products are /SHOP/SHOPITEM")
    expect(first.notes).toContainEqual(expect.stringMatching(/^"VARIANTS\/VARIANT" holds the variants .*4 in 2 of/))
    expect([topLevel(products).length, forSale(products).length]).toEqual([3, 5])
    const bySku = new Map(products.map((product) => [product.sku, product]))
    const family = {
      brand: 'Lumo',
      description: 'Dlouze o věci',
      categoryPath: ['Móda', 'Trička'],
      images: ['https://shop.example.test/7-1.jpg', 'https://shop.example.test/7-2.jpg'],
    }
    expect(products.find(({ kind }) => kind === 'parent')).toMatchObject({ ...family, title: 'Tričko', sku: null })
    expect(bySku.get('T-S')).toMatchObject({
      ...family,
      kind: 'variant',
      title: 'Tričko',
      price: 199,
      currency: 'CZK',
      quantity: 3,
      gtin: '4006381333931',
      color: 'modrá',
      size: 'S',
      options: { Barva: 'modrá', Velikost: 'S' },
    })
    expect(bySku.get('T-M')).toMatchObject({ ...family, price: 209.5, quantity: 0, gtin: null, size: 'M' })
    expect(bySku.get('T-M-C')).toMatchObject({ ...family, color: 'červená', size: 'M' })
    expect(bySku.get('H-1')).toMatchObject({
      kind: 'single',
      title: 'Hrnek',
      price: 99,
      quantity: 4,
      gtin: '5901234123457',
    })
    expect(bySku.get('K-1')).toMatchObject({ kind: 'single', title: 'Karta', price: 50, options: {} })
  })

  test('without any variants is known too', async () => {
    const { first, products } = await imported(shop(mug))
    expect(first.notes).toContainEqual("Shoptet's export: products are /SHOP/SHOPITEM")
    expect(products).toMatchObject([{ kind: 'single', sku: 'H-1', price: 99, quantity: 4, brand: 'Lumo' }])
  })

  test('is previewed with the list that was taken for variants', async () => {
    const catalog = await assay.newCatalog()
    const path = `/api/workspace/${workspace}/import/preview?catalog_id=${catalog}`
    const { status, body } = await assay.call('POST', path, Buffer.from(shop(shirt, mug)))
    expect(status).toBe(202)
    expect(body.preview).toMatchObject({ format: 'xml', platform: 'shoptet', problem: null })
    expect(body.preview.notes).toContainEqual(expect.stringMatching(/^"VARIANTS\/VARIANT" holds the variants/))
    expect(body.preview.rows).toHaveLength(4)
    expect((await assay.job(body.job.id)).result).toMatchObject({ read: 4, created: 4, rejected: 0 })
  })
})

describe('variants in the products of any XML', () => {
  const product = (id: number, more: string) =>
    `<product><id>${id}</id><title>Shirt ${id}</title><brand>Lumo</brand>${more}</product>`
  const one = (sku: string, size: string) =>
    `<variant><sku>${sku}</sku><price>10.00 EUR</price><qty>2</qty><size>${size}</size></variant>`
  const products = (...all: string[]) => `<products>${all.join('')}</products>`

  test('are rows of one family, and say for themselves what their names mean of a product', async () => {
    const { first, products: made } = await imported(
      products(
        product(1, `<variants>${one('A-S', 'S')}${one('A-M', 'M')}</variants>`),
        product(2, `<variants>${one('B-S', 'S')}</variants>`),
        product(3, '<sku>C</sku><price>3.00 EUR</price>'),
      ),
    )
    expect(first).toMatchObject({ read: 4, rejected: 0 })
    expect([topLevel(made).length, forSale(made).length]).toEqual([3, 4])
    expect(made.find(({ sku }) => sku === 'A-M')).toMatchObject({
      kind: 'variant',
      title: 'Shirt 1',
      brand: 'Lumo',
      price: 10,
      quantity: 2,
      size: 'M',
      options: { size: 'M' },
      itemGroupId: '1',
    })
    expect(made.find(({ sku }) => sku === 'C')).toMatchObject({ kind: 'single', price: 3 })
  })

  test('that are sizes are told apart by what they are', async () => {
    const { products: made } = await imported(
      products(
        product(
          1,
          '<sizes><size ean="4006381333931" price="10.00 EUR">S</size><size ean="5901234123457" price="11.00 EUR">M</size></sizes>',
        ),
        product(2, '<sku>C</sku><price>3.00 EUR</price>'),
      ),
    )
    expect([topLevel(made).length, forSale(made).length]).toEqual([2, 3])
    const sizes = made.filter(({ kind }) => kind === 'variant')
    expect(sizes.map(({ size, price, gtin }) => [size, price, gtin]).toSorted()).toEqual([
      ['M', 11, '5901234123457'],
      ['S', 10, '4006381333931'],
    ])
  })

  test('are rejected one by one, and their file of rejects is read as the same rows', async () => {
    const catalog = await assay.newCatalog()
    const bad = one('A-S', 'M\ufffd').replace('A-S', 'A-M')
    const xml = Buffer.from(
      products(product(1, `<variants>${one('A-S', 'S')}${bad}</variants>`), product(2, '<sku>C</sku>')),
    )
    const at = xml.indexOf('\ufffd')
    const broken = Buffer.concat([xml.subarray(0, at), Buffer.from([0xff]), xml.subarray(at + 3)])
    const { result } = await assay.ingest(catalog, broken)
    expect(result).toMatchObject({ read: 3, rejected: 1 })
    const { text } = await assay.call('GET', `/api/workspace/${workspace}/imports/${result.importId}/rejects`)
    const again = await assay.ingest(catalog, text)
    expect(again.result).toMatchObject({ read: 1, rejected: 1 })
    const repaired = await assay.ingest(catalog, text.replaceAll('\ufffd', ''))
    expect(repaired.result).toMatchObject({ read: 1, rejected: 0 })
    expect(
      forSale(await assay.products(catalog))
        .map(({ sku }) => sku)
        .toSorted(),
    ).toEqual(['A-M', 'A-S', 'C'])
  })
})
