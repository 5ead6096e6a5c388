import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  DateDay,
  Decimal,
  Field,
  Float16,
  Float32,
  List,
  Struct,
  Table,
  tableFromArrays,
  tableToIPC,
  vectorFromArray,
} from 'apache-arrow'
import { describe, expect, test } from 'vitest'
import { openTable } from '../../../ingest/readers/table.ts'
import { exportFormatNames } from '../../../schemas/export.ts'
import { exportColumns } from '../../../transforms/versions/export-row.ts'
import { rowsIn, withTable, written } from '../../exported.ts'
import { parquetOf } from './parquet-of.ts'

describe('a Parquet file', () => {
  test('gives every type as the text that it is written as, to the last digit', async () => {
    const bytes = await parquetOf(
      `select 4006381333931::bigint as gtin, 12.50::decimal(10, 2) as price, 0.1::double as weight, true as sold, date '2024-02-29' as since,
              ['a', 'b'] as images, {fit: 'slim'} as attributes, null::varchar as brand
        union all select null, null, null, null, null, [], null, 'Lumo'`,
    )
    expect((await rowsIn(bytes)).map(({ cells }) => cells)).toEqual([
      ['4006381333931', '12.50', '0.1', 'true', '2024-02-29', ['a', 'b'], '{"fit":"slim"}', ''],
      ['', '', '', '', '', '', '', 'Lumo'],
    ])
  })

  test('keeps the order of its rows, however many there are', async () => {
    const bytes = await parquetOf('select range::varchar as sku from range(30000)')
    const rows = await rowsIn(bytes)
    expect(rows.every(({ row, cells }) => cells[0] === String(row - 1))).toBe(true)
    expect(rows).toHaveLength(30_000)
  })

  test('that has two names which only case tells apart is refused, and a list column has all its cells (KF-05)', async () => {
    // DuckDB writes no such file itself.
    const renamed = async (select: string, from: string, to: string) =>
      Buffer.from((await parquetOf(select)).toString('latin1').replaceAll(from, to), 'latin1')
    const nested = `{title: 'x', more: [{Title: 'y'}]} as attributes, 'P-1' as sku`
    const titles = await renamed(`select ${nested}, 'a' as title, 'b' as "Titlx"`, 'Titlx', 'Title')
    await expect(rowsIn(titles)).rejects.toMatchObject({
      code: 'repeated_header',
      says: expect.stringContaining('"title" and "Title" (columns 3, 4)'),
    })
    const images = await renamed(`select ${nested}, 'a' as image, 'b' as "Imagx"`, 'Imagx', 'Image')
    await withTable(images, async ({ header }) => expect(header).toEqual(['attributes', 'sku', 'image']))
    expect((await rowsIn(images))[0]?.cells[2]).toEqual(['a', 'b'])
  })
})

describe('numbers with a point are told from texts', () => {
  test('by the types of a Parquet file, its texts and counts left out', async () => {
    const bytes = await parquetOf(
      `select 'A' as sku, 12.345::decimal(10, 3) as price, 1.5::double as weight, 2.5::float as size, 7::integer as stock, '12,50' as old, [1.5] as list`,
    )
    const [row] = await rowsIn(bytes)
    expect(row).toMatchObject({ cells: ['A', '12.345', '1.5', '2.5', '7', '12,50', '[1.5]'], pointed: [1, 2, 3] })
  })

  test('by the types of an Arrow file, single precision with the digits that were meant', async () => {
    const table = tableFromArrays({
      sku: ['A'],
      price: Float64Array.of(12.345),
      weight: Float32Array.of(12.34),
      stock: Int32Array.of(7),
    })
    const [row] = await rowsIn(tableToIPC(table, 'stream'))
    expect(row).toMatchObject({ cells: ['A', '12.345', '12.34', '7'], pointed: [1, 2] })
  })
})

describe('whole numbers beyond what their type holds exactly have an exponent', () => {
  const values = [4_006_381_333_931, 16_777_213, 2 ** 53 - 1, 12_345_678_901_234_568]
  const expected = [
    ['4.0063814e+12', '4006381333931'],
    ['16777213', '16777213'],
    ['9.007199e+15', '9007199254740991'],
    ['1.2345678e+16', '1.2345678901234568e+16'],
  ]

  test('in a Parquet file', async () => {
    const bytes = await parquetOf(
      `select v::float as sku, v::double as id from (values ${values.map((value) => `(${value}::double)`).join(', ')}) t(v)`,
    )
    expect((await rowsIn(bytes)).map(({ cells }) => cells)).toEqual(expected)
  })

  test('in an Arrow file', async () => {
    const table = tableFromArrays({ sku: Float32Array.from(values), id: Float64Array.from(values) })
    expect((await rowsIn(tableToIPC(table, 'stream'))).map(({ cells }) => cells)).toEqual(expected)
  })
})

test('an Arrow file has half precision, and decimals and floats within lists and objects, with the digits that were meant', async () => {
  const struct = new Struct<{ f: Float32; d: Decimal; t: DateDay }>([
    new Field('f', new Float32()),
    new Field('d', new Decimal(2, 10)),
    new Field('t', new DateDay()),
  ])
  const table = new Table({
    weight: vectorFromArray([0.1], new Float16()),
    list: vectorFromArray([[0.1, 2.5]], new List(new Field('item', new Float32()))),
    attributes: vectorFromArray([{ f: 12.34, d: Uint32Array.of(1250, 0, 0, 0), t: new Date('2024-02-29') }], struct),
  })
  expect((await rowsIn(tableToIPC(table, 'stream')))[0]?.cells).toEqual([
    '0.1',
    '[0.1,2.5]',
    '{"f":12.34,"d":"12.50","t":"2024-02-29"}',
  ])
})

describe('the bytes of a file decide what it is', () => {
  const row = exportColumns.map((column) => (column === 'sku' ? 'P-1' : ''))

  test.each(exportFormatNames)('%s', async (format) => {
    const kind = await withTable(await written(format, [row]), async (table) => table.kind)
    expect(kind).toBe(format === 'csv' ? 'delimited' : format)
  })

  test.each([
    ['xlsx', 'parquet'],
    ['arrow', 'csv'],
    ['csv', 'xlsx'],
    ['parquet', 'arrow'],
  ] as const)('%s that is sent as %s is refused', async (format, kind) => {
    const path = join(tmpdir(), `assay-${randomUUID()}`)
    await writeFile(path, await written(format, [row]))
    await expect(openTable(path, { kind })).rejects.toMatchObject({
      code: 'not_a_table',
      says: expect.stringContaining(kind),
    })
    await rm(path)
  })

  test.each(['xlsx', 'parquet', 'arrow'] as const)(
    '%s that breaks off is refused in one sentence, at the latest while it is read',
    async (format) => {
      const bytes = await written(
        format,
        Array.from({ length: 50 }, () => row),
      )
      for (const length of [8, 100, Math.floor(bytes.length / 2), bytes.length - 40]) {
        const read = await rowsIn(bytes.subarray(0, length)).catch((error: unknown) => error)
        expect(read).toMatchObject({ name: 'Error', code: expect.stringMatching(/not_text|empty_file/) })
      }
    },
  )

  test('an Arrow stream that ends between two batches is read, and said to have no end', async () => {
    const bytes = await written('arrow', [row])
    const notes = (length: number) => withTable(bytes.subarray(0, length), async (table) => table.notes)
    expect(await notes(bytes.length)).toEqual([])
    expect(await notes(bytes.length - 8)).toEqual([expect.stringContaining('cut off')])
  })
})
