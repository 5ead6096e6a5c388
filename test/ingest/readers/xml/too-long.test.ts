import { expect, test } from 'vitest'
import { open, rowsOf } from '../opened.ts'

const longer = 2 ** 24 + 10
const feed = (...items: string[]) =>
  `<rss xmlns:g="http://base.google.com/ns/1.0"><channel>\n${items.map((item) => `<item>${item}</item>`).join('\n')}\n</channel></rss>`
const product = (id: number, text = `Mug ${id}`) =>
  `<g:id>${id}</g:id><title>${text}</title><g:price>1.50 EUR</g:price>`

async function readFeed(text: string) {
  const table = await open(text)
  const rows = await rowsOf(table)
  return {
    header: table.header,
    good: rows.filter(({ fault }) => !fault).map(({ row, cells }) => [row, cells[0]]),
    faults: rows.flatMap(({ row, fault, cells, shown }) => (fault ? [{ row, fault, cells, shown }] : [])),
  }
}

test('a text that is too long rejects its own row, which names the column and keeps what else it has', async () => {
  const { good, faults } = await readFeed(feed(product(1), product(2, `Long ${'x'.repeat(longer)}`), product(3)))
  expect(good).toEqual([
    [1, '1'],
    [3, '3'],
  ])
  expect(faults).toMatchObject([
    {
      row: 2,
      cells: ['2', '', '1.50 EUR'],
      shown: ['2', '\ufffd', '1.50 EUR'],
      fault: {
        code: 'unreadable',
        column: 'title',
        says: 'Line 3, column "title": what begins here has more than 16 million characters, too long for one product; shorten it',
        raw: expect.stringMatching(/^Long x{995}$/),
      },
    },
  ])
})

test('two columns that only a prefix tells apart are not taken for each other', async () => {
  const { faults } = await readFeed(
    feed(`${product(1)}<g:title>a</g:title>`, `${product(2)}<g:title><![CDATA[${'x'.repeat(longer)}]]></g:title>`),
  )
  expect(faults).toMatchObject([{ row: 2, fault: { column: 'g:title' } }])
})

test('so does a text deep in it, one beside its elements, and an attribute of more than a million characters', async () => {
  const { good, faults } = await readFeed(
    feed(
      `${product(1)}<a><b c="d">e</b></a>`,
      `${product(2)}<a><b c="d">${'x'.repeat(longer)}</b></a>`,
      product(3) + 'y '.repeat(longer / 2),
      `${product(4)}<a><b c="${'&amp;z'.repeat(2 ** 20)}">e</b></a>`,
      `${product(5)}<a><b c="${'z'.repeat(200_000)}">e</b></a>`,
    ),
  )
  expect(good.map(([row]) => row)).toEqual([1, 5])
  expect(faults.map(({ row, fault }) => [row, fault.column, fault.raw?.slice(0, 3)])).toEqual([
    [2, 'a.b', 'xxx'],
    [3, 'item', 'y y'],
    [4, 'a.b.@c', '&z&'],
  ])
})

test('what is too long by many elements names no column, and ends where its item does', async () => {
  const { good, faults } = await readFeed(feed(product(1), '<a>b</a> '.repeat(300_000) + product(2), product(3)))
  expect(good.map(([row]) => row)).toEqual([1, 3])
  expect(faults).toMatchObject([
    { row: 2, fault: { says: expect.stringMatching(/^Line 3: by here the product has more than 16 million/) } },
  ])
  expect(faults[0]?.fault).not.toHaveProperty('column')
})

test('each variant of a product with such a text is rejected with it', async () => {
  const shop = (id: number, description: string) =>
    `<product><id>${id}</id><title>Mug</title><description>${description}</description><variants><variant><sku>${id}-a</sku></variant><variant><sku>${id}-b</sku></variant></variants></product>`
  const { good, faults } = await readFeed(`<shop>${shop(1, 'a')}${shop(2, 'x'.repeat(longer))}${shop(3, 'c')}</shop>`)
  expect(good.map(([row]) => row)).toEqual([1, 2, 5, 6])
  expect(faults.map(({ row, fault }) => [row, fault.column])).toEqual([
    [3, 'description'],
    // What the family has in common stands on its first row alone.
    [4, undefined],
  ])
})

test('a file of nothing else is refused', async () => {
  await expect(readFeed(feed(product(1, 'x'.repeat(longer))))).rejects.toMatchObject({
    code: 'too_large',
    says: expect.stringMatching(/No product of the file can be read. Line 2: .*16 million/),
  })
})

test('what is nested more than 100 levels deep rejects its own row, and its neighbours are read', async () => {
  const deep = (levels: number) => `<n>${'<a>'.repeat(levels)}x${'</a>'.repeat(levels)}</n>`
  const items = [product(1), product(2) + deep(50_000), product(3) + deep(96), product(4) + deep(97), product(5)]
  for (const text of [feed(...items), feed(...items).replaceAll(/(<\/?)(rss|channel|item)/g, '$1$2-of-ours')]) {
    const { good, faults } = await readFeed(text)
    expect(good.map(([row]) => row)).toEqual([1, 3, 5])
    expect(faults.map(({ row, cells, fault }) => [row, cells[0], fault.column, fault.says])).toEqual(
      [2, 4].map((row) => [
        row,
        String(row),
        'n',
        `Line ${row + 1}, column "n": the file is nested more than 100 levels deep here; send the product as flatter XML`,
      ]),
    )
  }
})
