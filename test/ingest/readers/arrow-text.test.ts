import {
  Binary,
  Dictionary,
  Field,
  Int32,
  LargeUtf8,
  List,
  Map_,
  makeData,
  makeVector,
  RecordBatch,
  Schema,
  Struct,
  Table,
  tableToIPC,
  Utf8,
  Utf8View,
  type Vector,
  vectorFromArray,
} from 'apache-arrow'
import { describe, expect, test } from 'vitest'
import { rowsIn, withTable } from '../../exported.ts'

const texts = ['Mug', 'Caf?', 'Caf\ufffd', null]
const skus = ['A', 'B', 'C', 'D']

/** As another program writes it; of what is `?` in a text the byte is E9, which is no UTF-8. */
function ipc(columns: Readonly<Record<string, Vector>>, type: 'file' | 'stream' = 'file'): Buffer {
  const bytes = Buffer.from(tableToIPC(new Table(columns), type))
  for (let at = bytes.indexOf('Caf?'); at >= 0; at = bytes.indexOf('Caf?', at)) bytes[at + 3] = 0xe9
  return bytes
}
const sku = vectorFromArray(skus, new Utf8())
const title = vectorFromArray(texts, new Utf8())

/** Arrow's builders make no views: texts of up to twelve bytes stand in the view itself. */
function viewsOf(values: readonly string[]): Vector {
  const views = Buffer.alloc(16 * values.length)
  values.forEach((text, i) => {
    views.writeInt32LE(Buffer.byteLength(text), 16 * i)
    views.write(text, 16 * i + 4)
  })
  return makeVector(makeData({ type: new Utf8View(), length: values.length, nullCount: 0, views, variadicBuffers: [] }))
}

const expected = (column: string, damaged = 'Caf\ufffd') => [
  { row: 1, cells: ['A', 'Mug'] },
  {
    row: 2,
    cells: ['B', ''],
    shown: ['B', damaged],
    fault: {
      code: 'not_text',
      column,
      says: `Row 2, column "${column}": the byte E9 after ${JSON.stringify(damaged.slice(0, damaged.indexOf('\ufffd')))} is not valid UTF-8; write its column as text in UTF-8, or leave that out`,
    },
  },
  { row: 3, cells: ['C', 'Caf\ufffd'] },
]

describe('bytes that are no text reject their own row, and U+FFFD that somebody wrote stays', () => {
  test.each(['file', 'stream'] as const)('in a %s', async (type) => {
    const rows = await rowsIn(ipc({ sku, title }, type))
    expect(rows).toMatchObject([...expected('title'), { row: 4, cells: ['D', ''] }])
  })

  test.each([
    ['large text', vectorFromArray(texts, new LargeUtf8())],
    ['a dictionary', vectorFromArray(texts, new Dictionary(new Utf8(), new Int32()))],
    ['views', viewsOf(['Mug', 'Caf?', 'Caf\ufffd', ''])],
  ])('in %s', async (_, vector) => {
    expect((await rowsIn(ipc({ sku, title: vector }))).slice(0, 3)).toMatchObject(expected('title'))
  })

  test('in binary columns, which nobody said are text', async () => {
    const bytes = vectorFromArray(
      texts.map((text) => (text === null ? null : Buffer.from(text))),
      new Binary(),
    )
    expect((await rowsIn(ipc({ sku, title: bytes }))).slice(0, 3)).toMatchObject(expected('title'))
  })

  test('in lists, objects and maps', async () => {
    const list = vectorFromArray(
      texts.map((text) => [text ?? '', 'b']),
      new List(new Field('item', new Utf8())),
    )
    const faults = (rows: Awaited<ReturnType<typeof rowsIn>>) => rows.map(({ fault }) => fault?.column ?? null)
    const rows = await rowsIn(ipc({ sku, images: list }))
    expect(faults(rows)).toEqual([null, 'images', null, null])
    expect(rows[2]?.cells[1]).toEqual(['Caf\ufffd', 'b'])
    const struct = vectorFromArray(
      texts.map((a) => ({ a })),
      new Struct([new Field('a', new Utf8(), true)]),
    )
    const objects = await rowsIn(ipc({ sku, attributes: struct }))
    expect(faults(objects)).toEqual([null, 'attributes', null, null])
    expect(objects.map(({ shown, cells }) => (shown ?? cells)[1]).slice(0, 3)).toEqual([
      '{"a":"Mug"}',
      '{"a":"Caf\ufffd"}',
      '{"a":"Caf\ufffd"}',
    ])
    const entry = new Struct<{ key: Utf8; value: Utf8 }>([new Field('key', new Utf8()), new Field('value', new Utf8())])
    const map = vectorFromArray(
      texts.map((text) => new Map([[text ?? 'k', 'v']])),
      new Map_(new Field('entries', entry)),
    )
    const maps = await rowsIn(ipc({ sku, attributes: map }))
    expect(faults(maps)).toEqual([null, 'attributes', null, null])
    expect(maps[2]?.cells[1]).toBe('{"Caf\ufffd":"v"}')
  })

  test('in each batch of many', async () => {
    const schema = new Schema([new Field('title', new Utf8(), true)])
    const batch = () => {
      const children = vectorFromArray(texts, new Utf8()).data.slice()
      return new RecordBatch(schema, makeData({ type: new Struct(schema.fields), length: 4, nullCount: 0, children }))
    }
    const bytes = Buffer.from(tableToIPC(new Table(schema, [batch(), batch()]), 'stream'))
    for (let at = bytes.indexOf('Caf?'); at >= 0; at = bytes.indexOf('Caf?', at)) bytes[at + 3] = 0xe9
    await withTable(bytes, async ({ kind }) => expect(kind).toBe('arrow'))
    expect((await rowsIn(bytes)).flatMap(({ line, fault }) => (fault ? [line] : []))).toEqual([2, 6])
  })
})

test.each(['file', 'stream'] as const)(
  'bytes that are no text in a name refuse a %s, and a name with U+FFFD does not',
  async (type) => {
    await expect(rowsIn(ipc({ sku, 'Caf?': sku }, type))).rejects.toMatchObject({
      code: 'not_text',
      says: expect.stringMatching(/^The name of the column "Caf\ufffd" has bytes that are not valid UTF-8/),
    })
    expect(await rowsIn(ipc({ sku, 'Caf\ufffd': sku }, type))).toHaveLength(4)
  },
)
