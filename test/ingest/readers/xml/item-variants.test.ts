import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { openXml } from '../../../../ingest/readers/xml/open-xml.ts'
import { inPieces } from '../../in-pieces.ts'
import { readXml } from './read-xml.ts'

const catalog = (...products: string[]) =>
  `<catalog>\n${products.map((product) => `<product>${product}</product>`).join('\n')}\n</catalog>`
const shirt = (inner: string) => catalog(`<id>7</id><title>Shirt</title>${inner}`, '<id>8</id><title>Mug</title>')
const small = '<sku>S</sku><price>9.50</price>'
const medium = '<sku>M</sku><price>9.50</price>'

describe('a product of XML that holds variants', () => {
  test('is one row for each, the family on the first, and it is said which list that is', async () => {
    const { products, notes } = await readXml(
      shirt(`<variants><variant>${small}</variant><variant>${medium}</variant></variants>`),
    )
    expect(products).toEqual([
      { id: '7', title: 'Shirt', 'variants.sku': 'S', 'variants.price': '9.50' },
      { id: '7', 'variants.sku': 'M', 'variants.price': '9.50' },
      { id: '8', title: 'Mug', 'variants.id': '8' },
    ])
    expect(notes).toContain(
      '"variants/variant" holds the variants of a product: 2 in 1 of the products, each a row of its own',
    )
  })

  test.each([
    ['of any name in it', `<Variations><item>${small}</item><item>${medium}</item></Variations>`],
    ['of words in any case', `<PRODUCT_VARIANTS><V>${small}</V><V>${medium}</V></PRODUCT_VARIANTS>`],
    ['without an element around it', `<variant>${small}</variant><variant>${medium}</variant>`],
    ['of offers with identifiers', `<offers><offer>${small}</offer><offer>${medium}</offer></offers>`],
    ['of attributes', '<skus><sku sku="S" price="9.50"/><sku sku="M" price="9.50"/></skus>'],
  ])('has them in a list %s', async (_, list) => {
    expect((await readXml(shirt(list))).products.slice(0, 2)).toEqual([
      { id: '7', title: 'Shirt', 'variants.sku': 'S', 'variants.price': '9.50' },
      { id: '7', 'variants.sku': 'M', 'variants.price': '9.50' },
    ])
  })

  test('has sizes that are variants, which the list names', async () => {
    const expected = [
      { id: '7', title: 'Shirt', 'variants.sku': 'S', 'variants.size': 'small' },
      { id: '7', 'variants.sku': 'M', 'variants.size': 'medium' },
    ]
    for (const list of [
      '<sizes><size sku="S">small</size><size sku="M">medium</size></sizes>',
      '<sizes><item><sku>S</sku><size>small</size></item><item><sku>M</sku><size>medium</size></item></sizes>',
    ])
      expect((await readXml(shirt(list))).products.slice(0, 2)).toEqual(expected)
  })

  test('has the number of a size as such, and not as its own, which another product in that size has too', async () => {
    for (const list of [
      '<sizes><size id="3" price="1.00">M</size></sizes>',
      '<sizes><size><id>3</id><name>M</name><price>1.00</price></size></sizes>',
    ]) {
      const { products } = await readXml(shirt(list))
      expect(products[0]).toMatchObject({ 'variants.size': 'M', 'variants.size.@id': '3', 'variants.price': '1.00' })
      expect(products[0]).not.toHaveProperty(['variants.id'])
    }
    const { products } = await readXml(shirt('<sizes><size id="3" sku="A"><size>M</size></size></sizes>'))
    expect(products[0]).toMatchObject({ 'variants.size-own.@id': '3', 'variants.size': 'M' })
  })

  test.each([
    ['sizes without identifier or price', '<sizes><size stock="1">S</size><size stock="2">M</size></sizes>'],
    ['sizes with a number of the size alone', '<sizes><size id="1">S</size><size id="2">M</size></sizes>'],
    [
      'colours with a code of the colour alone',
      '<colors><color code="#fff">W</color><color code="#000">B</color></colors>',
    ],
    ['sizes of text', '<sizes><size>S</size><size>M</size></sizes>'],
    [
      'offers of sellers',
      `<offers><offer><seller>A</seller>${small}</offer><offer><seller>B</seller>${medium}</offer></offers>`,
    ],
    [
      'offers that nothing tells apart',
      '<offers><offer><price>1</price></offer><offer><price>2</price></offer></offers>',
    ],
    ['the values of options', '<variants><v><name>Size</name><values>S</values></v></variants>'],
    ['a text with marks in it', `<variants>In <b>two</b> sizes</variants>`],
    ['elements unlike each other', `<variants><a>${small}</a><b>${medium}</b></variants>`],
  ])('has none in %s', async (_, inner) => {
    const { products, notes } = await readXml(shirt(inner))
    expect(products).toHaveLength(2)
    expect(notes).toHaveLength(1)
  })

  test('has their parameters in one cell, each a name and a value in any form', async () => {
    for (const pair of [
      '<parameter><name>Size</name><value>S</value></parameter>',
      '<PARAM><PARAM_NAME>Size</PARAM_NAME><VAL>S</VAL></PARAM>',
      '<attribute name="Size">S</attribute>',
    ]) {
      const { products } = await readXml(shirt(`<variants><variant>${pair}<sku>S</sku></variant></variants>`))
      expect(Object.values(products[0] ?? {})).toContain('{"Size":"S"}')
    }
  })

  test('has rows at the lines where the variants begin', async () => {
    const list = `<variants>\n<variant>${small}</variant>\n\n<variant>${medium}</variant></variants>`
    expect((await readXml(shirt(list))).places).toEqual([
      [1, 3],
      [2, 5],
      [3, 6],
    ])
  })

  test('is found where there are more variants than products, and says all that it said', async () => {
    const list = Array.from({ length: 20 }, (_, i) => `<variant a="1" b="2" c="3" d="4"><sku>${i}</sku></variant>`)
    const { products, notes } = await readXml(
      catalog(`<id>7</id><title>Shirt</title><variants count="20">${list.join('')}</variants>`),
    )
    expect(products).toHaveLength(20)
    expect(products[0]).toMatchObject({ title: 'Shirt', 'variants-list.@count': '20', 'variants.a': '1' })
    expect(notes[0]).toBe(
      'XML: products are /catalog/product, since each holds its variants, which are variants/variant',
    )
  })

  test('is none where a shop has offers, or a category children', async () => {
    const offer = (id: number) => `<offer id="${id}"><name>A</name><price>1</price><brand>B</brand></offer>`
    const shop = await readXml(`<shop><name>S</name><url>u</url><offers>${offer(1)}${offer(2)}</offers></shop>`)
    expect(shop.notes[0]).toMatch(/products are \/shop\/offers\/offer,/)
    const child = (id: number) => `<product id="${id}"><name>A</name><price>1</price><brand>B</brand></product>`
    const category = (id: number) =>
      `<category><id>${id}</id><name>C</name><children>${child(1)}${child(2)}</children></category>`
    const tree = await readXml(`<all>${category(1)}${category(2)}</all>`)
    expect(tree.notes[0]).toMatch(/products are \/all\/category\/children\/product,/)
  })
})

test("a feed's own format has each variant as an item, and nothing in it is one", async () => {
  const list = `<variants><variant>${small}</variant><variant>${medium}</variant></variants>`
  const { products } = await readXml(`<rss><channel><item><id>7</id>${list}</item></channel></rss>`)
  expect(products).toHaveLength(1)
})

const value = fc.stringMatching(/^[a-z0-9]{1,6}$/)
const variant = fc.record({ price: value, size: value })
const family = fc.record({ title: value, variants: fc.array(variant, { maxLength: 4 }) })

test('any products come out with all their variants, each once, in order, wherever the text is cut', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(family, { minLength: 2, maxLength: 5 }),
      fc.array(fc.nat(2_000)),
      async (families, cuts) => {
        const written = families.map(({ title, variants }, i) => {
          const list = variants.map(
            ({ price, size }) => `<variant><price>${price}</price><size>${size}</size></variant>`,
          )
          return `<id>${i}</id><title>${title}</title>${list.length > 0 ? `<variants>${list.join('')}</variants>` : ''}`
        })
        const { products, places } = await readXml(catalog(...written), cuts)
        expect(products.map((row) => [row.id, row.title, row['variants.price'], row['variants.size']])).toEqual(
          families.flatMap(({ title, variants }, i) =>
            variants.length === 0
              ? [[`${i}`, title, undefined, undefined]]
              : variants.map(({ price, size }, n) => [`${i}`, n === 0 ? title : undefined, price, size]),
          ),
        )
        expect(places.map(([row]) => row)).toEqual(products.map((_, i) => i + 1))
      },
    ),
  )
})

test('tens of thousands of variants of one product come in small batches', async () => {
  const list = Array.from({ length: 40_000 }, (_, i) => `<v s="${i}"/>`).join('')
  const { rows } = await openXml(() => inPieces(shirt(`<variants>${list}</variants>`), []))
  let count = 0
  for await (const batch of rows()) {
    expect(batch.length).toBeLessThanOrEqual(500)
    count += batch.length
  }
  expect(count).toBe(40_001)
})

test('more variants of one product than can be held reject that product, and its neighbours are read', async () => {
  const list = `<v s="1"/>`.repeat(200_000)
  const { rows } = await openXml(() => inPieces(shirt(`<variants>${list}</variants>`), []))
  const told: unknown[] = []
  for await (const batch of rows()) for (const { row, fault } of batch) told.push([row, fault?.code, fault?.says])
  expect(told).toEqual([
    [1, 'unreadable', expect.stringMatching(/too long for one product/)],
    [2, undefined, undefined],
  ])
})
