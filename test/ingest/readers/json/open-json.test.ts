import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { chooseProducts } from '../../../../ingest/readers/json/choose.ts'
import { openJson } from '../../../../ingest/readers/json/open-json.ts'
import type { TableRow } from '../../../../ingest/readers/table.ts'
import type { CellValue } from '../../../../schemas/pipeline.ts'
import { inPieces } from '../../in-pieces.ts'

async function read(text: string, cuts: readonly number[] = []) {
  const open = () => inPieces(text, cuts)
  const table = await openJson(open, await chooseProducts(open()))
  const rows: TableRow[] = []
  for await (const batch of table.rows()) rows.push(...batch)
  return { header: table.header, notes: table.notes, rows }
}

/** Records by column, blank cells left out. */
async function records(value: unknown): Promise<Record<string, CellValue>[]> {
  const { header, rows } = await read(typeof value === 'string' ? value : JSON.stringify(value))
  expect(rows.map(({ fault }) => fault)).toEqual(rows.map(() => undefined))
  return rows.map(({ cells }) =>
    Object.fromEntries(header.map((name, i) => [name, cells[i] ?? '']).filter(([, cell]) => cell !== '')),
  )
}

const mug = { sku: 'A', title: 'Mug' }
const stool = { sku: 'B', title: 'Stool' }

describe('a number with a point is told from a text', () => {
  const pointed = async (value: unknown) => {
    const { header, rows } = await read(typeof value === 'string' ? value : JSON.stringify(value))
    return rows.map((row) => (row.pointed ?? []).map((i) => header[i]))
  }

  test('in a product, in what is nested in it, and in its variants', async () => {
    const variants = [{ sku: 'A-1', price: 12.345 }, { sku: 'A-2', price: '12,50' }, { price: { amount: 1.5 } }]
    expect(
      await pointed({
        products: [
          { ...mug, variants },
          { ...stool, price: 1.299 },
        ],
      }),
    ).toEqual([['variants.price'], [], ['variants.price.amount'], ['price', 'variants.price']])
  })

  test('in an array of arrays', async () => {
    expect(await pointed('[["sku","price"],["A",12.345],["B","12,50"],["C",7]]')).toEqual([['price'], [], []])
  })
})

describe('products are found', () => {
  test.each<[string, unknown]>([
    ['in an array', [mug, stool]],
    ['in an envelope', { status: 'ok', products: [mug, stool] }],
    ['deep inside', { data: { a: { b: { c: [[{ list: [mug, stool] }]] } } } }],
    [
      'on several pages',
      [
        { page: 1, products: [mug] },
        { page: 2, products: [stool] },
      ],
    ],
    [
      'beside other arrays',
      { categories: [{ id: 1, name: 'Kitchen' }, { id: 2, name: 'Bar' }, { id: 3 }], items: [mug, stool] },
    ],
    [
      'in an envelope that looks like a product itself',
      { id: 'feed-1', title: 'Our shop', link: 'https://shop.example', items: [mug, stool] },
    ],
    [
      'under each category',
      {
        categories: [
          { id: 1, name: 'Kitchen', products: [mug] },
          { id: 2, name: 'Bar', products: [stool] },
        ],
      },
    ],
    ['as members of an object, each under its key', { status: 'ok', products: { p1: mug, p2: stool } }],
    ['as members of the document itself', { p1: mug, p2: stool }],
    [
      'as members of an object that has a few others',
      Object.assign({ p1: mug, p2: stool, total: 2 }, ...Array.from({ length: 10 }, (_, i) => ({ [`e${i}`]: {} }))),
    ],
    [
      'as nodes of a graph',
      {
        data: {
          products: {
            edges: [
              { cursor: 'x', node: mug },
              { cursor: 'y', node: stool },
            ],
          },
        },
      },
    ],
  ])('%s', async (_, document) => {
    expect(await records(document)).toEqual([mug, stool])
  })

  test('as one object alone, or one after another over several lines', async () => {
    expect(await records(JSON.stringify({ product: mug }, null, 2))).toEqual([mug])
    expect(await records(`${JSON.stringify(mug, null, 2)}\n${JSON.stringify(stool, null, 2)}\n`)).toEqual([mug, stool])
  })

  test('in an array of arrays, the first of which names the columns', async () => {
    const { rows } = await read(
      '[["sku","title","images"],\n ["A","Mug",["a.jpg","b.jpg"]],\n ["B",1.10],\n ["C","x","",9], 5]',
    )
    expect(rows.map(({ row, line, cells, fault }) => [row, line, cells, fault?.code])).toEqual([
      [1, 2, ['A', 'Mug', ['a.jpg', 'b.jpg']], undefined],
      [2, 3, ['B', '1.10', ''], undefined],
      [3, 4, ['C', 'x', ''], 'ragged'],
      [4, 4, ['', '', ''], 'unreadable'],
    ])
  })

  test('under keys of their own, however many, and it is said so', async () => {
    const many = Array.from({ length: 3_000 }, (_, i) => [`p${i}`, { sku: `S${i}`, price: { value: i } }])
    const { rows, notes } = await read(JSON.stringify({ products: Object.fromEntries(many) }))
    expect(rows.map(({ cells }) => cells[0])).toEqual(many.map((_, i) => `S${i}`))
    expect(notes).toEqual([
      'a JSON document; products are the objects (3000) at "products.*", since their keys give sku, price',
      'each product stands under a key of its own, which is not read as a value of it',
    ])
  })

  test('as one, where its nested objects are unlike, or only parts of it', async () => {
    const parts = { price: { value: 1, currency: 'EUR' }, sale_price: { value: 1, currency: 'EUR' } }
    expect((await read(JSON.stringify({ product: { ...mug, ...parts } }))).rows).toHaveLength(1)
    expect((await read(JSON.stringify({ shop: { name: 'x', url: 'y' }, product: { ...mug } }))).rows).toHaveLength(1)
  })

  test('and a second object unlike the first is told, where it is not read', async () => {
    const other = { sku: 'B', ean: '1', weight: 2, color: 'red', size: 'M' }
    const { rows, notes } = await read(JSON.stringify({ product: mug, other }))
    expect(rows).toHaveLength(1)
    expect(notes.join()).toMatch(/and not read: "(?:other|product)" \(1\)/)
  })

  test('beside lists of them and in these, each with its own line', async () => {
    const text = `[\n${JSON.stringify(mug)},\n[\n${JSON.stringify(stool)},[],\n[${JSON.stringify(mug)}]]\n]`
    const { rows } = await read(text)
    expect(rows.map(({ row, line, cells, fault }) => [row, line, cells[0], fault])).toEqual([
      [1, 2, 'A', undefined],
      [2, 4, 'B', undefined],
      [3, 5, 'A', undefined],
    ])
  })

  test('and a list of anything else among them is one row that is rejected', async () => {
    const { rows } = await read(JSON.stringify([mug, [stool, 1], stool]))
    expect(rows.map(({ cells, fault }) => fault?.code ?? cells[0])).toEqual(['A', 'unreadable', 'B'])
  })

  test('and it is said where, why, and what else looks so', async () => {
    const { notes } = await read(
      JSON.stringify({ old: { products: [{ title: 'x' }] }, data: { products: [mug, stool] } }),
    )
    expect(notes).toEqual([
      'a JSON document; products are the objects (2) at "data.products[]", since their keys give sku, title',
      'also like products, and not read: "old.products[]" (1)',
    ])
  })
})

describe('a product', () => {
  test('keeps its digits, and its nested objects are columns with dots', async () => {
    const document =
      '[{"sku":"00123","gtin":4006381333931,"price":{"amount":1.10,"currency":"EUR"},"tags":["a","b"],"specs":[{"n":1.0}],"none":null,"empty":{}}]'
    expect(await records(document)).toEqual([
      {
        sku: '00123',
        gtin: '4006381333931',
        'price.amount': '1.10',
        'price.currency': 'EUR',
        tags: ['a', 'b'],
        specs: '[{"n":1.0}]',
      },
    ])
  })

  test('has its row number, and the line where it begins', async () => {
    const { rows } = await read(
      '[\r\n{"sku":"A"},\r{"sku":\n"B"}, {},\n\n{"sku":"C","variants":[\n{"id":1},\n\n{"id":2}]}]',
    )
    expect(rows.map(({ row, line }) => [row, line])).toEqual([
      [1, 2],
      [2, 3],
      [3, 7],
      [4, 9],
    ])
  })

  test('with variants is one row for each, the family on the first', async () => {
    const shirt = {
      id: 7,
      title: 'Shirt',
      variants: [
        { sku: 'S', price: '9.50' },
        { sku: 'M', price: '9.50' },
      ],
    }
    expect(await records({ products: [shirt] })).toEqual([
      { id: '7', title: 'Shirt', 'variants.sku': 'S', 'variants.price': '9.50' },
      { id: '7', 'variants.sku': 'M', 'variants.price': '9.50' },
    ])
  })

  test('without variants beside such is its own only variant', async () => {
    const shirt = { id: 7, title: 'Shirt', variants: [{ sku: 'S' }] }
    const [, second] = await records([shirt, { id: 8, title: 'Mug', sku: 'MUG', mpn: 'm' }])
    const own = { id: '8', title: 'Mug', sku: 'MUG', mpn: 'm' }
    expect(second).toEqual({ ...own, 'variants.id': '8', 'variants.sku': 'MUG', 'variants.mpn': 'm' })
  })

  test('that nothing names says the family on each of its rows', async () => {
    expect(await records([{ brand: 'Lumo', variants: [{ sku: 'S' }, { sku: 'M' }] }])).toEqual([
      { brand: 'Lumo', 'variants.sku': 'S' },
      { brand: 'Lumo', 'variants.sku': 'M' },
    ])
  })

  test.each<[string, unknown]>([
    ['in lists of a list', { variants: [[{ sku: 'S' }, { sku: 'M' }], [], [[{ sku: 'L' }]]] }],
    ['beside lists', { variants: [{ sku: 'S' }, [{ sku: 'M' }, { sku: 'L' }]] }],
    ['in its offers', { offers: [{ variants: [{ sku: 'S' }, { sku: 'M' }] }, { variants: [[{ sku: 'L' }]] }] }],
    ['in its colours', { colors: [{ skus: [{ sku: 'S' }, { sku: 'M' }] }, { skus: [{ sku: 'L' }] }] }],
    ['in its variants', { variants: [{ variants: [{ sku: 'S' }, { sku: 'M' }] }, { sku: 'L' }] }],
  ])('with variants %s is one row for each', async (_, held) => {
    const shirt = { title: 'Shirt', brand: 'Lumo', ...(held as object) }
    const list = Object.hasOwn(shirt, 'colors') ? 'skus' : 'variants'
    const skus = [
      { title: 'Shirt', brand: 'Lumo', [`${list}.sku`]: 'S' },
      { title: 'Shirt', [`${list}.sku`]: 'M' },
      { title: 'Shirt', [`${list}.sku`]: 'L' },
    ]
    expect(await records([shirt])).toEqual(skus)
    expect(await records({ items: [shirt] })).toEqual(skus)
    expect(await records(shirt)).toEqual(skus)
  })

  test('whose variants stand by colour has the colour on each size, and no name of the colour for several', async () => {
    const variants = [
      {
        sku: 'R',
        color: 'red',
        price: '9.50',
        skus: [
          { sku: 'R-S', size: 'S' },
          { size: 'M', price: '8.00' },
        ],
      },
      { sku: 'B', color: 'blue', skus: [{ size: 'S' }] },
    ]
    expect(await records([{ id: 1, title: 'Shirt', variants }])).toEqual([
      {
        ...{ id: '1', title: 'Shirt', 'variants.color': 'red', 'variants.price': '9.50', 'variants.size': 'S' },
        ...{ 'variants.sku': 'R-S', 'variants.of sku': 'R' },
      },
      {
        ...{ id: '1', 'variants.color': 'red', 'variants.price': '8.00', 'variants.size': 'M' },
        'variants.of sku': 'R',
      },
      { id: '1', 'variants.color': 'blue', 'variants.sku': 'B', 'variants.size': 'S' },
    ])
  })

  test('has lists of other things as the JSON text that they are', async () => {
    const other = {
      colors: [{ name: 'red', codes: [1] }],
      offers: [{ seller: 'A', variants: ['S'] }],
      variants: [['S']],
    }
    expect(await records([{ sku: 'A', ...other }])).toEqual([
      { sku: 'A', ...Object.fromEntries(Object.entries(other).map(([key, list]) => [key, JSON.stringify(list)])) },
    ])
  })

  test('lists the values of options under `variations`, and they are no variants', async () => {
    expect(await records([{ sku: 'A', variations: [{ name: 'Size', values: ['S', 'M'] }] }])).toEqual([
      { sku: 'A', variations: '[{"name":"Size","values":["S","M"]}]' },
    ])
  })

  test.each([
    ['KWD', 1234567, '1234.567 KWD'],
    ['JPY', 500, '500 JPY'],
    ['USD', 5, '0.05 USD'],
  ])('of ACP has amounts in minor units: %s %i', async (currency, amount, price) => {
    const variant = { id: 'a', title: 'A', price: { amount, currency } }
    expect(await records({ products: [{ id: 'p', title: 'P', variants: [variant] }] })).toMatchObject([
      { 'variants.price': price, 'variants.price.amount': String(amount) },
    ])
  })

  test('of another form has amounts as they stand', async () => {
    const product = {
      id: 'p',
      title: 'P',
      stock: 1,
      variants: [{ id: 'a', title: 'A', price: { amount: 20, currency: 'USD' } }],
    }
    expect((await records([product]))[0]).not.toHaveProperty(['variants.price'])
  })
})

test('a comma behind the last product, or the last member around them, costs nothing', async () => {
  const { rows } = await read('{"items":[{"sku":"A"},\n{"sku":"B"},\n],"total":2,}')
  expect(rows.map(({ line, cells }) => [line, cells])).toEqual([
    [1, ['A']],
    [2, ['B']],
  ])
})

describe('what cannot be read', () => {
  const among = (item: string) => `{"items":[\n{"sku":"A"},\n${item},\n{"sku":"C"}\n]}`

  test.each([
    ['a value that is no JSON', '{"sku":NaN}', 'no valid JSON'],
    ['a trailing comma', '{"sku":"B",}', 'no valid JSON'],
    ['no object', '"B"', 'no JSON object'],
    ['null', 'null', 'no JSON object'],
    ['half a surrogate pair', '{"sku":"\\ud83d"}', 'half of a surrogate pair'],
    ['nesting beyond measure', `{"sku":${'['.repeat(10_000)}${']'.repeat(10_000)}}`, 'nested more than 100'],
    ['more text than a product has', `{"sku":"${'x'.repeat(2 ** 24)}"}`, 'too long for one product'],
  ])('%s is a fault of its row, its neighbours are good', async (_, item, says) => {
    const { rows } = await read(among(item))
    expect(rows.map(({ row, line, cells }) => [row, line, cells])).toEqual([
      [1, 2, ['A']],
      [2, 3, ['']],
      [3, 4, ['C']],
    ])
    const raw = item.slice(0, 1_000)
    expect(rows[1]?.fault).toEqual({ code: 'unreadable', says: expect.stringMatching(`^Line 3.*${says}`), raw })
  })

  test.each([
    ['a document cut off in an array', '[{"sku":"A"},\n{"sku":"B"}', 'not_a_table', 'cut off: what opens on line 1'],
    ['a document cut off in a product', '[{"sku":"A"},\n{"sku":"B', 'not_a_table', 'cut off: what opens on line 2'],
    ['a comment', '[{"sku":"A"},\n// more\n{"sku":"B"}]', 'not_a_table', 'Line 2 has a comment'],
    ['a comment in a product', '[{"sku":"A"},\n{"sku":"B" /* red */}]', 'not_a_table', 'Line 2 has a comment'],
    ['something after its end', '[{"sku":"A"}]\nOK', 'not_a_table', 'goes on after its end, on line 2'],
    ['a second array', '[{"sku":"A"}][{"sku":"B"}]', 'not_a_table', 'goes on after its end'],
    ['two products without a comma', '[{"sku":"A"}\n{"sku":"B"}]', 'not_a_table', 'has "{" where .* on line 2'],
    ['a bracket that closes another', '{"products":[{"sku":"A"}}', 'not_a_table', 'has "}"'],
    ['a word that is none of JSON', '{"ok":nope,"products":[{"sku":"A"}]}', 'not_a_table', '"nope" on line 1'],
    ['an array nested 10,000 deep', `${'['.repeat(10_000)}${']'.repeat(10_000)}`, 'unreadable_header|empty_file', ''],
    [
      'an object nested 10,000 deep',
      `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`,
      'not_a_table',
      'nested more than 100',
    ],
    ['no products', '{"products":[]}', 'empty_file', ''],
    ['only bad products', '{"products":[{"sku":1,}]}', 'not_a_table', 'No product'],
    ['numbers', '[1,2,3]', 'empty_file', ''],
  ])('%s is refused in a sentence', async (_, text, code, says) => {
    const error = await read(text).catch((error: unknown) => error)
    expect(error).toMatchObject({ code: expect.stringMatching(code), says: expect.stringMatching(says || /\w/) })
  })

  test('keys without end are left nested, and refused where they stand at the top', async () => {
    const many = (from: number) => Object.fromEntries(Array.from({ length: 1500 }, (_, i) => [`k${from + i}`, 'x']))
    const { header, notes } = await read(
      JSON.stringify([
        { sku: 'A', more: many(0) },
        { sku: 'B', more: many(1500) },
      ]),
    )
    expect(header).toEqual(['sku', 'more'])
    expect(notes).toContainEqual(expect.stringContaining('left as JSON text'))
    await expect(read(JSON.stringify([many(0), many(1500)]))).rejects.toMatchObject({ code: 'too_many_columns' })
  })
})

const name = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 8 })
  .filter((text) => text.trim() !== '' && !text.includes('\0'))
/** Keys that would nest or list are another promise's. */
const header = fc.uniqueArray(fc.oneof(fc.constantFrom('sku', '__proto__', 'constructor', '"', '\\', 'a.b'), name), {
  minLength: 1,
  maxLength: 5,
})
const table = header.chain((names) => {
  const cell = fc.string({ unit: 'grapheme', maxLength: 10 })
  const cells = fc.array(cell, { minLength: names.length, maxLength: names.length })
  return fc.record({ names: fc.constant(names), rows: fc.array(cells, { minLength: 1, maxLength: 6 }) })
})

test('any table of texts comes back cell by cell, from an array or an envelope, wherever the text is cut', async () => {
  const isBlank = (cell: string) => /^[\p{White_Space}\ufeff]*$/u.test(cell)
  await fc.assert(
    fc.asyncProperty(
      table,
      fc.constantFrom(
        ['[', ']'],
        ['{"status":"ok","data":{"rows":[', ']},"next":null}'],
        ['{"n":[1,"]"],"products":[', ']}'],
      ),
      fc.constantFrom('', '\n', '\r\n  '),
      fc.array(fc.nat(400)),
      async ({ names, rows }, [before = '', after = ''], space, cuts) => {
        fc.pre(!rows.flat().every(isBlank))
        // Written by hand: an object would put number-like keys first and lose __proto__.
        const objects = rows.map(
          (cells) =>
            `{${names.map((name, i) => `${JSON.stringify(name)}:${space}${JSON.stringify(cells[i])}`).join(`,${space}`)}}`,
        )
        const found = await read(`${before}${space}${objects.join(`,${space}`)}${after}`, cuts)
        expect(found.header).toEqual(names)
        expect(found.rows.map(({ cells }) => cells)).toEqual(rows.filter((cells) => !cells.every(isBlank)))
      },
    ),
  )
})

test('a cut at any place gives the same rows', async () => {
  const text =
    '\n{"a":[1,{"b":"\\"]"}],"products":[\r\n{"id":"p\\\\","variants":[{"sku":"é\\n"},\r{"sku":-1.0e+5}]},{"id":tru}, 12 ]}\r\n'
  const whole = await read(text)
  expect(whole.rows).toHaveLength(4)
  for (let at = 0; at <= text.length; at++) expect(await read(text, [at])).toEqual(whole)
  expect(
    await read(
      text,
      Array.from(text, (_, at) => at),
    ),
  ).toEqual(whole)
})
