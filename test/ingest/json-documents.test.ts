import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ProductResource } from '../../serving/workspace/product-resource.ts'
import { enough } from '../enough.ts'
import { type Running, startAssay, workspace } from '../running.ts'
import { overShared, realPath, sharedIsThere } from './expected-figures.ts'
import { forSale, topLevel } from './real-cases.ts'

let assay: Running
beforeAll(async () => {
  assay = await startAssay()
})
afterAll(() => assay.close())

const path = `/api/workspace/${workspace}/datasets/ingest`
const send = (catalog: string, body: unknown, query = '') =>
  assay.call('POST', `${path}?catalog_id=${catalog}${query}`, body, { 'content-type': 'application/json' })

/** The document sent twice, as application/json. */
async function imported(document: Buffer | string) {
  const catalog = await assay.newCatalog()
  const once = async () => {
    const { status, body, text } = await send(catalog, document)
    if (status !== 202) throw new Error(`${status}: ${text}`)
    const { result, error } = await assay.job(body.job.id)
    if (!result) throw new Error(error?.message)
    return result
  }
  const first = await once()
  const products = await assay.products(catalog)
  const second = await once()
  expect(second).toMatchObject({ created: 0, updated: 0, unchanged: first.created, rejected: first.rejected })
  return { first, products }
}

const bySku = (products: readonly ProductResource[]) =>
  forSale(products).toSorted((a, b) => ((a.sku ?? '') < (b.sku ?? '') ? -1 : 1))

test.skipIf(!sharedIsThere)(
  overShared('the ACP document gives its one product at 19.99 USD, out of stock'),
  async () => {
    const { first, products } = await imported(await readFile(realPath('acp/examples.feed.2026-04-17.json')))
    expect(first).toMatchObject({ read: 1, created: 1, rejected: 0 })
    expect([topLevel(products).length, forSale(products).length]).toEqual([1, 1])
    expect(products[0]).toMatchObject({
      sku: 'sku124-red-m',
      title: 'Classic Tee - Red / Medium',
      description: 'Classic cotton tee in red, size medium.',
      price: 19.99,
      currency: 'USD',
      gtin: '00012345600029',
      availability: 'out_of_stock',
      link: 'https://merchant.com/products/classic-tee?variant=sku124-red-m',
      options: { Color: 'Red', Size: 'Medium' },
      color: 'Red',
      size: 'Medium',
    })
    expect(first.notes.join('\n')).toMatch(
      /"upsert_products_request_single_product.products\[\]"[\s\S]*not read: "get_products_response.products\[\]" \(1\)[\s\S]*minor units/,
    )
  },
)

test.skipIf(!sharedIsThere)(
  overShared('the VTEX product gives its eight SKUs, of four sizes and two colours'),
  async () => {
    const { first, products } = await imported(await readFile(realPath('vtex/product-pt-8-skus.json')))
    expect(first).toMatchObject({ created: 8, rejected: 0 })
    const skus = forSale(products)
    expect([topLevel(products).length, skus.length]).toEqual([1, 8])
    const combinations = ['P', 'M', 'G', 'GG'].flatMap((size) => ['Preto', 'Branco'].map((color) => `${size} ${color}`))
    expect(skus.map(({ size, color }) => `${size} ${color}`).sort()).toEqual(combinations.sort())
    expect(skus.map(({ sku }) => sku)).toContain('0034343')
    expect(new Set(skus.map(({ itemGroupId }) => itemGroupId))).toEqual(new Set(['48']))
    for (const sku of skus)
      expect(sku).toMatchObject({ price: 10, quantity: 2, gtin: null, currency: null, availability: 'in_stock' })
    expect(new Set(skus.map(({ images }) => images[0])).size).toBe(8)
    expect(products.find(({ kind }) => kind === 'parent')).toMatchObject({ title: 'Vestido Nathalia', brand: 'M3' })
  },
)

describe("Shopify's JSON", () => {
  const shirt = {
    id: 632910392,
    title: 'Shirt',
    body_html: '<p>Made of <b>linen</b></p>',
    vendor: 'Lumo',
    product_type: 'Shirts',
    handle: 'shirt',
    tags: 'linen, summer',
    options: [
      { name: 'Size', position: 1, values: ['S', 'M'] },
      { name: 'Farbe', position: 2, values: ['Blau'] },
    ],
    images: [
      { id: 1, src: 'https://cdn.example.test/1.jpg' },
      { id: 2, src: 'https://cdn.example.test/2.jpg' },
    ],
    variants: ['S', 'M'].map((size, i) => ({
      id: 808950810 + i,
      title: `${size} / Blau`,
      sku: `SHIRT-${size}`,
      option1: size,
      option2: 'Blau',
      option3: null,
      price: '199.00',
      compare_at_price: '249.00',
      barcode: '4006381333931',
      inventory_quantity: 3 * i,
      inventory_management: 'shopify',
      inventory_policy: 'deny',
      grams: 200,
    })),
  }
  const gift = {
    ...shirt,
    id: 921728736,
    title: 'Gift card',
    handle: 'gift',
    options: [{ name: 'Title', position: 1, values: ['Default Title'] }],
    variants: [
      { ...shirt.variants[0], id: 5, title: 'Default Title', sku: 'GIFT', option1: 'Default Title', option2: null },
    ],
  }

  test('gives families with options, and a single where there is only the default', async () => {
    const { first, products } = await imported(JSON.stringify({ products: [shirt, gift] }))
    expect(first).toMatchObject({ read: 3, rejected: 0 })
    const [one, m, s] = bySku(products)
    expect(one).toMatchObject({ sku: 'GIFT', kind: 'single', title: 'Gift card', options: {} })
    expect(m).toMatchObject({
      kind: 'variant',
      title: 'Shirt',
      brand: 'Lumo',
      price: 199,
      originalPrice: 249,
      quantity: 3,
      options: { Size: 'M', Farbe: 'Blau' },
      images: ['https://cdn.example.test/1.jpg', 'https://cdn.example.test/2.jpg'],
    })
    expect(s).toMatchObject({ options: { Size: 'S', Farbe: 'Blau' }, availability: 'out_of_stock' })
    expect(s?.familyId).toBe(m?.familyId)
    expect(products.filter(({ kind }) => kind === 'parent')).toMatchObject([{ title: 'Shirt', sku: null }])
  })
})

test('variants of any shop come with what their family says, beside products without any', async () => {
  const document = {
    result: {
      list: [
        {
          product_id: 'p-1',
          name: 'Chair',
          brand: { name: 'Lumo' },
          variations: [
            { sku: 'C-R', attributes: { color: 'red' }, price: { amount: '49.90', currency: 'EUR' } },
            { sku: 'C-B', attributes: { color: 'blue' }, price: { amount: '59.90', currency: 'EUR' } },
          ],
        },
        { product_id: 'p-2', name: 'Table', sku: 'T', price: { amount: '99.00', currency: 'EUR' } },
      ],
    },
  }
  const { products } = await imported(JSON.stringify(document))
  const [blue, red, table] = bySku(products)
  expect(blue).toMatchObject({
    title: 'Chair',
    price: 59.9,
    currency: 'EUR',
    options: { color: 'blue' },
    color: 'blue',
  })
  expect(red).toMatchObject({ title: 'Chair', price: 49.9, itemGroupId: 'p-1', kind: 'variant' })
  expect(table).toMatchObject({ title: 'Table', price: 99, sku: 'T', kind: 'single' })
  expect(products).toHaveLength(4)
})

test.each([
  ['value', 'a document', (list: object[]) => JSON.stringify(list)],
  ['amount', 'lines', (list: object[]) => list.map((one) => JSON.stringify(one)).join('\n')],
])('an object under a price gives amount and currency: %s in %s', async (key, _, write) => {
  const one = (sku: string, price: string, sale: string) => ({
    sku,
    title: { en: `Mug ${sku}`, de: `Becher ${sku}` },
    price: { [key]: price, currency: 'EUR' },
    sale_price: { [key]: sale, currency: 'EUR' },
  })
  const { products } = await imported(write([one('A', '2.50', '1.50'), one('B', '3.50', '3.25')]))
  expect(bySku(products)).toMatchObject([
    { sku: 'A', title: 'Mug A', price: 2.5, salePrice: 1.5, currency: 'EUR' },
    { sku: 'B', title: 'Mug B', price: 3.5, salePrice: 3.25, currency: 'EUR' },
  ])
})

test('products under keys of their own are all read, and said so', async () => {
  const one = (sku: string) => ({ sku, title: sku, price: 1 })
  const { first, products } = await imported(JSON.stringify({ products: { p1: one('A'), p2: one('B') } }))
  expect(first).toMatchObject({ read: 2, created: 2, rejected: 0 })
  expect(bySku(products).map(({ sku }) => sku)).toEqual(['A', 'B'])
  expect(first.notes.join()).toMatch(/at "products\.\*"[\s\S]*key of its own/)
})

test('no variant takes what names its family, and one known by its options alone is found again', async () => {
  const variants = ['S', 'M', 'L'].map((size) => ({ options: [{ name: 'Size', value: size }], price: '9.50' }))
  const { products } = await imported(
    JSON.stringify({ products: [{ product_id: 7, sku: 'SHIRT', title: 'Shirt', variants }] }),
  )
  expect(
    forSale(products)
      .map(({ size, sku, title }) => [size, sku, title])
      .sort(),
  ).toEqual([
    ['L', null, 'Shirt'],
    ['M', null, 'Shirt'],
    ['S', null, 'Shirt'],
  ])
})

test.each([
  ['UTF-8 with a mark', (text: string) => Buffer.from(`\ufeff${text}`)],
  ['UTF-16LE', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')],
  ['UTF-16BE', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
])('a document in %s is read, and no GTIN becomes a number', async (_, encode) => {
  const { products } = await imported(encode('[{"sku":"007","title":"Müg","gtin":"00012345600029","price":1.10}]'))
  expect(products).toMatchObject([{ sku: '007', title: 'Müg', gtin: '00012345600029', price: 1.1 }])
})

test('one bad product is rejected with its line, and the others are imported', async () => {
  const { first, products } = await imported(
    '{"products":[\n{"sku":"A","title":"Mug"},\n{"sku":"B",},\n{"sku":"C","title":"Cup"}]}',
  )
  expect(first).toMatchObject({ read: 3, created: 2, rejected: 1 })
  expect(bySku(products).map(({ sku }) => sku)).toEqual(['A', 'C'])
  expect(await assay.rows(first.importId)).toMatchObject([
    { row: 2, result: 'rejected', says: expect.stringMatching(/^Line 3 /) },
  ])
})

describe('a document is refused with nothing of it taken', () => {
  test.each([
    ['cut off behind many products', `[${'{"sku":"A","title":"Mug"},'.repeat(20_000)}`, /cut off/],
    ['with comments', '[{"sku":"A","title":"Mug"}, // red\n{"sku":"B","title":"Cup"}]', /Line 1 has a comment/],
    ['with something after its end', '[{"sku":"A","title":"Mug"}]\n<html>', /goes on after its end, on line 2/],
    ['nested 10,000 deep', '['.repeat(10_000) + ']'.repeat(10_000), /\w/],
    ['that is a table', 'sku,title\nA,Mug\n', /s[^ ]* where JSON has no place/],
    ['that is a message', '{"error":"not found"}', /says which product/],
  ])('%s', async (_, text, says) => {
    const catalog = await assay.newCatalog()
    const { status, body, text: refusal } = await send(catalog, text, '&kind=json')
    const answer = status === 202 ? (await assay.job(body.job.id)).error?.message : refusal
    expect(answer).toMatch(says)
    expect(status).not.toBe(500)
    expect(await assay.products(catalog)).toEqual([])
  })
})

/** Run by another process, so that what is measured here is the reading and not the sending. */
const sender = `
  const [megabytes, url, authorization] = process.argv.slice(-3)
  async function* document() {
    const piece = Buffer.alloc(2 ** 16, 'x')
    yield Buffer.from('{"note":"')
    for (let i = 0; i < megabytes * 16; i++) yield piece
    yield Buffer.from('","products":[{"sku":"A","title":"Mug"}]}')
  }
  const headers = { authorization, 'content-type': 'application/json' }
  const answer = await fetch(url, { method: 'POST', headers, body: document(), duplex: 'half' })
  console.log(await answer.text())`

const longLineMb = enough(64, 200)

test(`a line of ${longLineMb} MB beside the products takes no memory`, async () => {
  const { app } = assay
  if (!app.server.listening) await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as { port: number }
  const taken = async (megabytes: number) => {
    const url = `http://127.0.0.1:${port}${path}?catalog_id=${await assay.newCatalog()}`
    const more = [String(megabytes), url, `Bearer ${await assay.token('admin')}`]
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', sender, ...more])
    const { result } = await assay.job(JSON.parse(stdout).job.id)
    expect(result).toMatchObject({ read: 1, created: 1 })
  }
  // What reading takes at all is taken by then.
  await taken(20)
  const before = process.memoryUsage().rss
  let most = before
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss)
  }, 10)
  await taken(longLineMb).finally(() => clearInterval(watch))
  expect(most - before).toBeLessThan(0.75 * longLineMb * 2 ** 20)
})
