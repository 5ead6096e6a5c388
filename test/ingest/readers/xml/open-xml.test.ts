import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readXml } from './read-xml.ts'

const rss = (...items: string[]) =>
  `<?xml version="1.0"?>\n<rss xmlns:g="http://base.google.com/ns/1.0" version="2.0"><channel><title>Shop</title>\n${items.join('\n')}\n</channel></rss>`
const product = async (item: string) => (await readXml(rss(`<item>${item}</item>`))).products[0]

describe("Google's RSS", () => {
  test('has its columns without prefix, the price of the product and not of its shipping', async () => {
    const { products, notes, places } = await readXml(
      rss(
        '<item><g:id>1</g:id><title>Mug</title><g:price>9.50 EUR</g:price><g:shipping><g:country>CZ</g:country><g:price>79 CZK</g:price></g:shipping></item>',
        '<item>\n<g:id>2</g:id></item>',
      ),
    )
    expect(products).toEqual([
      { id: '1', title: 'Mug', price: '9.50 EUR', 'shipping.country': 'CZ', 'shipping.price': '79 CZK' },
      { id: '2' },
    ])
    expect(places).toEqual([
      [1, 3],
      [2, 4],
    ])
    expect(notes[0]).toBe("Google's RSS: products are /rss/channel/item")
  })

  test('keeps two elements apart that only their prefix tells apart', async () => {
    expect(await product('<g:title>Long</g:title><title>Short</title>')).toEqual({ 'g:title': 'Long', title: 'Short' })
  })

  test('has any prefix that is bound to its namespace', async () => {
    const { products } = await readXml(
      '<rss xmlns:c="http://base.google.com/ns/1.0"><channel><item><c:id>1</c:id><x:note>a</x:note></item></channel></rss>',
    )
    expect(products).toEqual([{ id: '1', 'x:note': 'a' }])
  })
})

test("Atom's own link is the address of its page", async () => {
  const entry = '<link rel="self" href="https://shop.example/api/1"/><link href="https://shop.example/1"/><id>1</id>'
  const { products } = await readXml(`<feed xmlns="http://www.w3.org/2005/Atom"><entry>${entry}</entry></feed>`)
  expect(products).toEqual([
    {
      id: '1',
      link: 'https://shop.example/1',
      'link.@href': ['https://shop.example/api/1', 'https://shop.example/1'],
      'link.@rel': ['self', ''],
    },
  ])
})

describe("Atom's own id", () => {
  const id = 'tag:shop.example,2026:1'
  const feed = (entry: string, prefix = '') =>
    `<${prefix}feed xmlns:atom="http://www.w3.org/2005/Atom" xmlns:g="http://base.google.com/ns/1.0"><${prefix}entry>${entry}</${prefix}entry></${prefix}feed>`

  test.each([
    ['before it', feed(`<id>${id}</id><g:id>0012</g:id>`)],
    ['behind it', feed(`<g:id>0012</g:id><id>${id}</id>`)],
  ])('is that of the entry where the product has one, %s', async (_, text) => {
    expect((await readXml(text)).products).toEqual([{ id: '0012', 'entry.id': id }])
  })

  test("is told from the product's by its prefix too", async () => {
    const text = feed(`<atom:id>${id}</atom:id><g:id>0012</g:id>`, 'atom:')
    expect((await readXml(text)).products).toEqual([{ id: '0012', 'atom:id': id }])
  })

  test("is the id where there is no other, and no prefix but Google's makes another one of it", async () => {
    const { products } = await readXml(feed(`<id>${id}</id><x:id>7</x:id><g:id> </g:id>`))
    expect(products).toMatchObject([{ id, 'x:id': '7' }])
  })
})

test("Heureka's parameters are one cell, a name with several values has a list", async () => {
  const param = (name: string, ...values: string[]) =>
    `<PARAM><PARAM_NAME>${name}</PARAM_NAME>${values.map((value) => `<VAL>${value}</VAL>`).join('')}</PARAM>`
  const { products } = await readXml(
    `<SHOP xmlns="urn:x"><SHOPITEM><ITEM_ID>1</ITEM_ID>${param('Barva', 'modrá')}${param('Velikost', '37', '38')}<PARAM><VAL>lost?</VAL></PARAM></SHOPITEM></SHOP>`,
  )
  expect(products).toEqual([
    { ITEM_ID: '1', PARAM: '{"Barva":"modrá","Velikost":["37","38"]}', 'PARAM.other.VAL': 'lost?' },
  ])
})

describe("Yandex's YML", () => {
  const yml = (offers: string, categories = '') =>
    `<!DOCTYPE yml_catalog SYSTEM "shops.dtd">\n<yml_catalog date="2026-01-01"><shop><name>S</name><categories>${categories}</categories><offers>${offers}</offers></shop></yml_catalog>`

  test('has its attributes as fields, its categories by path, and its parameters in one cell', async () => {
    const { products } = await readXml(
      yml(
        '<offer id="7" available="false" group_id="G"><name>Сок</name><categoryId>10</categoryId><picture>a</picture><picture>b</picture><param name="Объём" unit="л">1</param><param name="Цвет">красный</param><delivery-options><option cost="300" days="1"/><option cost="0" days="5-7"/></delivery-options></offer>',
        '<category id="1">Еда</category><category id="10" parentId="1">Соки</category>',
      ),
    )
    expect(products).toEqual([
      {
        id: '7',
        available: 'false',
        group_id: 'G',
        name: 'Сок',
        categoryId: '10',
        category: 'Еда > Соки',
        picture: ['a', 'b'],
        param: '{"Объём":"1 л","Цвет":"красный"}',
        'delivery-options.option.@cost': ['300', '0'],
        'delivery-options.option.@days': ['1', '5-7'],
      },
    ])
  })

  test('makes the name that an offer lacks of prefix, vendor and model, and says so; a vendor alone is no name', async () => {
    const { products, notes } = await readXml(
      yml(
        '<offer id="1"><typePrefix>Принтер</typePrefix><vendor>HP</vendor><model>LJ 5</model></offer><offer id="2"><vendor>HP</vendor></offer>',
      ),
    )
    expect(products.map(({ name }) => name)).toEqual(['Принтер HP LJ 5', undefined])
    expect(notes).toContainEqual(expect.stringMatching(/^1 offers have no name/))
  })

  test('counts offers in undeclared categories, and ends at a category that is its own ancestor', async () => {
    const { products, notes } = await readXml(
      yml(
        '<offer id="1"><categoryId>9</categoryId></offer><offer id="2"><categoryId>1</categoryId></offer>',
        '<category id="1" parentId="2">A</category><category id="2" parentId="1">B</category>',
      ),
    )
    expect(products.map(({ category }) => category)).toEqual([undefined, 'B > A'])
    expect(notes).toContainEqual(expect.stringMatching(/^1 offers are in categories/))
  })
})

describe('an item of any XML', () => {
  test.each([
    ['a text with entities', '<a>x &amp;amp; &#x1F680;&lt;</a>', { a: 'x &amp; 🚀<' }],
    ['CDATA beside text', '<a>1 <![CDATA[< & ]]&gt;]]>&gt;</a>', { a: '1 < & ]]&gt;>' }],
    ['line ends of any system', '<a>1\r\n2\r3\n4&#13;</a>', { a: '1\n2\n3\n4\r' }],
    ['attributes', '<a unit="kg" xml:lang="cs">1</a>', { a: '1', 'a.@unit': 'kg', 'a.@xml:lang': 'cs' }],
    ['a group', '<a><b>1</b><c><d>2</d></c></a>', { 'a.b': '1', 'a.c.d': '2' }],
    ['a list within its own name', '<images><image>1</image><image>2</image></images>', { images: ['1', '2'] }],
    ['repeated groups', '<a><b>1</b></a><a c="2">3</a>', { a: '[{"b":"1"},{"@c":"2","#text":"3"}]' }],
    ['text among elements', '<d>A <b class="x">&amp;</b> B<br/></d>', { d: 'A <b class="x">&amp;</b> B<br/>' }],
    ['a description of paragraphs', '<d><p>A</p><p>B</p></d>', { d: '<p>A</p><p>B</p>' }],
    [
      'names of objects',
      '<__proto__>1</__proto__><constructor>2</constructor>',
      { ['__proto__']: '1', constructor: '2' },
    ],
    [
      'attributes with names of objects',
      '<a hasOwnProperty="1" __proto__="2" toString="3"/>',
      { 'a.@hasOwnProperty': '1', 'a.@__proto__': '2', 'a.@toString': '3' },
    ],
  ])('gives %s as cells, each decoded once', async (_, xml, cells) => {
    const { products } = await readXml(rss(`<item><id>1</id>${xml}</item>`))
    const expected = Object.fromEntries([['id', '1'], ...Object.entries(cells)])
    expect(JSON.stringify(products)).toBe(JSON.stringify([expected]))
  })

  test('that says nothing is no row', async () => {
    const { places } = await readXml(rss('<item/>', '<item><id> </id></item>', '<item><id>1</id></item>'))
    expect(places).toEqual([[1, 5]])
  })
})

const name = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_.-]{0,8}$/)
/** What XML can hold: no control character but tab and line ends, and no half pair. */
const held = fc
  .string({ unit: fc.oneof(fc.constantFrom(...'a <>&"\'\t\n\r];'), fc.string({ unit: 'grapheme', maxLength: 1 })) })
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it cannot hold
  .map((text) => text.replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, ''))
const written = (text: string) => text.replace(/[&<>\r]/g, (mark) => `&#${mark.charCodeAt(0)};`)
const table = fc
  .uniqueArray(name, { minLength: 1, maxLength: 5 })
  .filter((names) => !names.includes('n'))
  .chain((names) =>
    fc.tuple(fc.constant(names), fc.array(fc.tuple(...names.map(() => held)), { minLength: 1, maxLength: 4 })),
  )

test('any table of texts that XML can hold comes back cell by cell, wherever the text is cut', async () => {
  await fc.assert(
    fc.asyncProperty(table, fc.array(fc.nat(2_000)), fc.boolean(), async ([names, rows], cuts, cdata) => {
      const cell = (text: string) =>
        cdata && !text.includes(']]>') && !text.includes('\r') ? `<![CDATA[${text}]]>` : written(text)
      const items = rows.map(
        (row, i) =>
          `<item><n>${i}</n>${names.map((key, k) => `<${key}>${cell(row[k] ?? '')}</${key}>`).join('')}</item>`,
      )
      const { products } = await readXml(rss(...items), cuts)
      expect(products).toEqual(
        rows.map((row, i) =>
          Object.fromEntries([
            ['n', `${i}`],
            ...names.map((key, k) => [key, row[k] ?? ''] as const).filter(([, text]) => text !== ''),
          ]),
        ),
      )
    }),
  )
})

test('the same comes of a document cut at every one of its characters', async () => {
  const text = rss(
    '<!-- a\r\n--><item id="&lt;1"><a>x&amp;\r\ny<![CDATA[]]]]></a><g:b c=\'2\'/></item>\r\n<item><a>🚀</a></item>',
  )
  const whole = await readXml(text)
  expect(whole.products).toHaveLength(2)
  for (let cut = 1; cut < text.length; cut++) expect(await readXml(text, [cut])).toEqual(whole)
  expect(
    await readXml(
      text,
      [...text].map((_, i) => i),
    ),
  ).toEqual(whole)
})
