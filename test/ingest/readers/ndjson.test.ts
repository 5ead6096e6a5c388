import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { headerKey, isListName } from '../../../ingest/readers/header.ts'
import { openNdjson } from '../../../ingest/readers/ndjson.ts'
import type { TableRow } from '../../../ingest/readers/table.ts'
import type { CellValue } from '../../../schemas/pipeline.ts'
import { inPieces } from '../in-pieces.ts'

async function read(text: string, cuts: readonly number[] = []) {
  const table = await openNdjson(() => inPieces(text, cuts), isListName)
  const rows: TableRow[] = []
  for await (const batch of table.rows()) rows.push(...batch)
  return { header: table.header, notes: table.notes, rows }
}

/** The cells of the only record, by column. */
async function record(line: string): Promise<ReadonlyMap<string, CellValue>> {
  const { header, rows } = await read(line)
  return new Map(header.map((key, i) => [key, rows[0]?.cells[i] ?? '']))
}

describe('a value', () => {
  test.each<[string, CellValue]>([
    ['"A \\"x\\" \\u00e9\\n"', 'A "x" é\n'],
    ['1.10', '1.10'],
    ['-0.0', '-0.0'],
    ['1E+2', '1E+2'],
    ['12345678901234567890', '12345678901234567890'],
    ['true', 'true'],
    ['null', ''],
    ['["a", "b,\\"c", ""]', ['a', 'b,"c', '']],
    ['[]', ''],
    ['[1.10, "a"]', '[1.10, "a"]'],
    ['{"amount": 1.10, "x": ["}"]}', '{"amount": 1.10, "x": ["}"]}'],
  ])('%s is the cell %j', async (json, cell) => {
    for (const line of [`{"v":${json}}`, ` { "k" : "x" , "v" : ${json} , "z" : 1 } \r\n`, `{"v":${json},"z":"x"}`]) {
      expect((await record(line)).get('v')).toEqual(cell)
    }
  })

  test('of the key __proto__ is data like any other', async () => {
    const cells = await record('{"__proto__":{"polluted":true},"constructor":"x"}')
    expect([...cells]).toEqual([
      ['__proto__', '{"polluted":true}'],
      ['constructor', 'x'],
    ])
    expect(({} as { polluted?: true }).polluted).toBeUndefined()
  })

  test('of a repeated key: the last one, with a note', async () => {
    const { header, notes, rows } = await read('{"a":"1"}\n{"a":"2","b":"x","\\u0061":"3"}\n')
    expect(header).toEqual(['a', 'b'])
    expect(rows[1]?.cells).toEqual(['3', 'x'])
    expect(notes).toEqual([
      'Line 2 has the key "a" more than once; there and in other such lines the last value counts',
    ])
  })
})

describe('a file of JSON lines', () => {
  test('has all keys as columns in order of first appearance, absent ones blank', async () => {
    const { header, rows } = await read('{"b":"1","a":"2"}\n\n{"c":"3","a":"4"}\r{}\n{"b":null}')
    expect(header).toEqual(['b', 'a', 'c'])
    expect(rows).toEqual([
      { row: 1, line: 1, cells: ['1', '2', ''] },
      { row: 2, line: 3, cells: ['', '4', '3'] },
    ])
  })

  test.each([
    ['cut off', '{"a":', 'is no valid JSON'],
    ['an array', '["a"]', 'is no JSON object'],
    ['an object and something else', '{"a":"1"} x', 'is no valid JSON from character 11 on'],
    ['nested beyond measure', `{"a":${'['.repeat(200)}${']'.repeat(200)}}`, 'nested more than 100'],
    ['nested beyond any stack', `{"a":${'['.repeat(200_000)}`, 'is no valid JSON'],
    ['half a surrogate pair', '{"a":"\\ud83d"}', 'half of a surrogate pair'],
  ])('gives a fault for a line that is %s, its neighbours are good', async (_, line, says) => {
    const { rows } = await read(`{"a":"1"}\n${line}\n{"a":"3"}\n`)
    const fault = { code: 'unreadable', says: expect.stringMatching(`^Line 2 .*${says}`), raw: line.slice(0, 1_000) }
    expect(rows).toEqual([
      { row: 1, line: 1, cells: ['1'] },
      { row: 2, line: 2, cells: [''], fault },
      { row: 3, line: 3, cells: ['3'] },
    ])
  })

  test('gives a row for each object of a line, and a fault for what is left of it', async () => {
    const { rows } = await read('{"a":"}{"}{"a":"2"} {"a":"3"}\n{"a":"4"}{"a":"\\""}{"a":\n{"a":"6"}\n')
    expect(rows.map(({ row, line, cells, fault }) => [row, line, cells[0], fault?.raw])).toEqual([
      [1, 1, '}{', undefined],
      [2, 1, '2', undefined],
      [3, 1, '3', undefined],
      [4, 2, '4', undefined],
      [5, 2, '"', undefined],
      [6, 2, '', '{"a":'],
      [7, 3, '6', undefined],
    ])
  })

  test('may nest 100 levels', async () => {
    const deep = `${'['.repeat(99)}${']'.repeat(99)}`
    expect((await record(`{"a":${deep}}`)).get('a')).toBe(deep)
  })

  test('is refused where no line is an object, or the keys have no end', async () => {
    await expect(read('[1]\n"a"\n{"a":')).rejects.toMatchObject({ code: 'not_a_table' })
    await expect(read('{}\n')).rejects.toMatchObject({ code: 'empty_file' })
    const keys = (n: number) => Array.from({ length: n }, (_, i) => `{"k${i}":"x"}\n`).join('')
    await expect(read(keys(2001))).rejects.toMatchObject({ code: 'too_many_columns' })
    expect((await read(keys(2000))).rows).toHaveLength(2000)
  })
})

test('any records of any values come back, wherever the text is cut', async () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 12 })
  const value = fc.oneof(
    text,
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
    fc.array(text, { minLength: 1 }),
    fc.json().map((json): unknown => ({ nested: JSON.parse(json) })),
  )
  const cellOf = (value: unknown): CellValue => {
    if (value === null) return ''
    if (typeof value === 'string' || Array.isArray(value)) return value
    return JSON.stringify(value)
  }
  const entry = fc.tuple(fc.oneof(fc.constantFrom('a', '__proto__', '"', '\\'), text), value)
  const records = fc.array(fc.uniqueArray(entry, { selector: ([key]) => key, maxLength: 5 }), {
    minLength: 1,
    maxLength: 5,
  })
  await fc.assert(
    fc.asyncProperty(
      records,
      fc.constantFrom('\n', '\r\n', '\r'),
      fc.array(fc.nat(300)),
      async (records, end, cuts) => {
        // Written by hand: an object would put number-like keys first and lose __proto__.
        const lines = [[['id', 'x'] as const], ...records].map((entries, i) => {
          const all = [['n', `${i}`] as const, ...entries]
          return `{${all.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join(',')}}`
        })
        const keys = new Set(['n', 'id', ...records.flat().map(([key]) => key)])
        fc.pre(!records.flat().some(([key]) => key === 'n' || key === 'id'))
        // Keys that differ only in case or blanks are refused, as is promised below.
        fc.pre(new Set([...keys].map(headerKey)).size === keys.size)
        const { header, rows } = await read(lines.join(end), cuts)
        expect(rows).toHaveLength(records.length + 1)
        for (const [i, entries] of records.entries()) {
          const found = header
            .map((key, column) => [key, rows[i + 1]?.cells[column]] as const)
            .filter(([, cell]) => cell !== '')
          const written = [['n', `${i + 1}`] as const, ...entries.map(([key, value]) => [key, cellOf(value)] as const)]
          expect(new Map(found)).toEqual(new Map(written.filter(([, cell]) => cell !== '')))
        }
      },
    ),
  )
})

describe('a number with a point or an exponent', () => {
  const pointed = async (text: string) => (await read(text)).rows.map(({ pointed }) => pointed)

  test('is told from a text, wherever it stands in its line', async () => {
    const lines = ['{"sku":"A","price":12.345}', '{"sku":"B","price":"12,50"}', '{"price":1e3,"sku":"C","old":-1.5}']
    expect(await pointed(lines.join('\n'))).toEqual([[1], undefined, [1, 2]])
    expect(await pointed('{"sku":"A","price":12}')).toEqual([undefined])
    expect(await pointed('{"sku":"A","price":{"amount":12.345,"currency":"KWD"}}')).toEqual([[1]])
  })

  test('of a repeated key is told where it is the last', async () => {
    expect(await pointed('{"a":1.5,"\\u0061":"1,5"}\n{"a":"1,5","\\u0061":1.5}')).toEqual([undefined, [0]])
  })
})

describe('an object', () => {
  test('is a column for each member where one of them has a name that is known', async () => {
    const { header, rows, notes } = await read(
      '{"id":"A","priceInfo":{"price":1.10,"currencyCode":"USD","range":{"low":1,"high":[2]}},"more":{"x":1}}\n{"id":"B","priceInfo":"none"}\n{"id":"C","priceInfo":{}}',
    )
    expect(header).toEqual([
      'id',
      'priceInfo',
      'priceInfo.price',
      'priceInfo.currencyCode',
      'priceInfo.range.low',
      'priceInfo.range.high',
      'more',
    ])
    expect(rows.map(({ cells }) => cells)).toEqual([
      ['A', '', '1.10', 'USD', '1', '[2]', '{"x":1}'],
      ['B', 'none', '', '', '', '', ''],
      ['C', '{}', '', '', '', '', ''],
    ])
    expect(notes).toEqual(['"priceInfo" is read by its members, as "priceInfo.price"'])
  })

  test('that holds the amount of a price is taken apart, though its key is a name of ours', async () => {
    const { header } = await read('{"sku":"A","price":{"amount":"1.10","currency":"USD"}}')
    expect(header).toEqual(['sku', 'price.amount', 'price.currency'])
  })

  test('that is a value of ours stays whole, and so does one with members beyond measure', async () => {
    const names = Array.from({ length: 2_001 }, (_, i) => `"k${i}":1`)
    const { header } = await read(`{"sku":"A","attributes":{"price":"1"},"priceInfo":{"price":1,${names}}}`)
    expect(header).toEqual(['sku', 'attributes', 'priceInfo'])
  })
})

describe('keys that differ only in case or blanks (KF-05)', () => {
  test.each(['{"sku":"A-1","Title":"Mug","title":"Cup"}', '{"sku":"A-1","Title":"Mug"}\n{"sku":"A-2","title ":"Cup"}'])(
    'are refused, naming both: %s',
    async (text) => {
      const says = expect.stringMatching(/"Title" and "title ?" .* differ only in case or blanks/)
      await expect(read(text)).rejects.toMatchObject({ code: 'repeated_header', says })
    },
  )

  test('are one list where that takes one, in order of the line', async () => {
    const { header, rows } = await read('{"Image":"a","image":"b"}\n{"image":"c"}\n{"image":["d","e"],"Image":"f"}')
    expect(header).toEqual(['Image'])
    expect(rows.map(({ cells }) => cells[0])).toEqual([['a', 'b'], 'c', ['d', 'e', 'f']])
  })
})

describe('an object on several lines', () => {
  const one = (sku: string) => ({ sku, title: `Mug ${sku}`, parts: [{ a: 1 }, { b: ['}', '{'] }], none: {} })
  const told = ({ rows }: { rows: TableRow[] }) =>
    rows.map(({ line, cells, fault }) => (fault ? `${line} ${fault.says}` : `${line} ${cells[0]}`))

  test('is read as on one line, among lines or after them, wherever the text is cut', async () => {
    const written = fc.constantFrom<string | number | undefined>(undefined, 1, 2, '\t')
    await fc.assert(
      fc.asyncProperty(
        fc.array(written, { minLength: 1, maxLength: 6 }),
        fc.constantFrom('\n', '\r\n', '\n\n', '\r'),
        fc.array(fc.nat(800)),
        async (spaces, end, cuts) => {
          const objects = spaces.map((_, i) => ({ ...one(`S${i}`), price: { amount: i + 0.5 } }))
          const texts = objects.map((object, i) => JSON.stringify(object, null, spaces[i]).replaceAll('\n', end))
          const { header, rows } = await read(texts.join(end), cuts)
          const plain = await read(objects.map((object) => JSON.stringify(object)).join('\n'))
          expect(header).toEqual(plain.header)
          const compact = (cell: CellValue) =>
            typeof cell === 'string' && cell.startsWith('[') ? JSON.stringify(JSON.parse(cell)) : cell
          expect(rows.map(({ cells }) => cells.map(compact))).toEqual(plain.rows.map(({ cells }) => cells))
          expect(rows.map(({ fault, pointed }) => [fault, pointed])).toEqual(
            plain.rows.map(({ pointed }) => [undefined, pointed]),
          )
          let line = 1
          for (const [i, text] of texts.entries()) {
            expect(rows[i]?.line).toBe(line)
            line += `${text}${end}`.match(/\r\n|\r|\n/g)?.length ?? 0
          }
        },
      ),
    )
  })

  test.each([
    ['cut off in a text', JSON.stringify(one('X')).slice(0, 20)],
    ['cut off behind a key', '{"sku":"X","title":'],
    ['cut off in a list', '{"sku":"X","parts":['],
    ['cut off where it goes on below', JSON.stringify(one('X'), null, 1).slice(0, 40)],
    ['whole, with a comma too many', '{\n"sku": "X",\n}'],
    ['whole, with a key without quotes', '{\n"sku": "X",\ntitle: "Mug"\n}'],
  ])('%s is one row that is rejected, and those beside it are read', async (_, broken) => {
    const lines = [...broken.split('\n')].length
    const text = [JSON.stringify(one('A')), broken, JSON.stringify(one('B')), JSON.stringify(one('C'), null, 2)]
    expect(told(await read(text.join('\n')))).toEqual([
      '1 A',
      expect.stringMatching(/^2 Line 2 is no valid JSON/),
      `${2 + lines} B`,
      `${3 + lines} C`,
    ])
  })

  test('that the file ends in is one row that is rejected', async () => {
    const text = `${JSON.stringify(one('A'))}\n${JSON.stringify({ sku: 'X', title: 'T', size: 1 }, null, 2).slice(0, -3)}`
    expect(told(await read(text))).toEqual(['1 A', expect.stringMatching(/^2 Line 2 is no valid JSON/)])
  })

  test('that never ends costs what lies behind it nothing', async () => {
    const lines = Array.from({ length: 3_000 }, (_, i) => `{"sku":"${i}","a":[`)
    const began = performance.now()
    const { rows } = await read([...lines, '{"sku":"last"}'].join('\n'))
    expect(rows).toHaveLength(3_001)
    expect(rows.at(-1)?.cells).toEqual(['last'])
    expect(performance.now() - began).toBeLessThan(20_000)
  })
})

test('products that hold their variants are read as in a document, and a line that is none is rejected', async () => {
  const shirt = (id: number, ...sizes: string[]) =>
    JSON.stringify({ id, title: `Shirt ${id}`, variants: sizes.map((size) => ({ sku: `${id}-${size}`, size })) })
  const { header, rows, notes } = await read([shirt(1, 'S', 'M'), '{"id":', shirt(2, 'L')].join('\n'))
  expect(header).toEqual(['id', 'title', 'variants.sku', 'variants.size'])
  expect(rows.map(({ line, cells, fault }) => [line, fault?.code ?? cells])).toEqual([
    [1, ['1', 'Shirt 1', '1-S', 'S']],
    [1, ['1', '', '1-M', 'M']],
    [2, 'unreadable'],
    [3, ['2', 'Shirt 2', '2-L', 'L']],
  ])
  expect(notes).toEqual(['"variants" holds the variants of a product: 3 in 2 of the products, each a row of its own'])
})

test('a file with our own ids stays one row a line, whatever lists are in it', async () => {
  const { header } = await read('{"assay_id":"1","variants":[{"sku":"S"}]}')
  expect(header).toEqual(['assay_id', 'variants'])
})

test('objects with a comma behind each, as a list has them, are read', async () => {
  const { rows } = await read('{"sku":"A","title":"Mug"},\n{\n"sku":"B"\n} ,\n{"sku":"C"},,\n{"sku":"D"}')
  expect(rows.map(({ line, cells, fault }) => [line, fault?.code ?? cells[0]])).toEqual([
    [1, 'A'],
    [2, 'B'],
    [5, 'unreadable'],
    [6, 'D'],
  ])
  const variants = '{"id":"A","title":"Mug","variants":[{"sku":"S"},{"sku":"M"}]},\n'
  expect((await read(variants + variants.replace('A', 'B'))).rows).toHaveLength(4)
})
