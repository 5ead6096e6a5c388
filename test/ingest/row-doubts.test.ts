import { tableFromArrays, tableToIPC } from 'apache-arrow'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Running } from '../running.ts'
import { sharedAssay, workspace } from '../shared-assay.ts'
import { gather } from './gathered.ts'
import { parquetOf } from './readers/parquet-of.ts'
import { workbook } from './workbook.ts'

const number = 12_345_678_901_234_568
const text = '1.2345678901234568e+16'
const sheet = (value: string) =>
  workbook([
    {
      name: 'A',
      rows: `<row><c t="str"><v>sku</v></c><c t="str"><v>title</v></c></row><row><c><v>${value}</v></c><c t="str"><v>Mug</v></c></row>`,
    },
  ])

describe('an identifier that was stored as a number too long for it is a warning of its row', () => {
  test.each<[string, () => Buffer | Uint8Array | string | Promise<Buffer>, string]>([
    ['Arrow', () => tableToIPC(tableFromArrays({ sku: Float64Array.of(number), title: ['Mug'] }), 'stream'), text],
    ['Parquet', () => parquetOf(`select ${number}::double as sku, 'Mug' as title`), text],
    ['JSON', () => `{"sku":${text},"title":"Mug"}\n`, text],
    ['XLSX', () => sheet('1.2345678901234568E+16'), '1.2345678901234568E+16'],
  ])('in %s', async (_, file, raw) => {
    const [found] = await gather(await file())
    expect(found?.ids.sku).toBe(raw)
    expect(found?.doubts).toEqual([
      { code: 'identifier_cut', column: 'sku', raw, row: 1, says: expect.stringContaining('store the column as text') },
    ])
  })

  test('in families too, of the row that has it', async () => {
    const rows = ['A', 'B'].map(
      (color, i) => `{"sku":${i === 1 ? text : '"S-1"'},"item_group_id":"G","color":"${color}"}\n`,
    )
    const doubts = (await gather(rows.join(''))).flatMap(({ doubts = [] }) => doubts)
    expect(doubts).toMatchObject([{ code: 'identifier_cut', column: 'sku', row: 2 }])
  })

  test.each([
    ['a text that looks so', '{"sku":"4E2","title":"Mug"}\n'],
    ['a whole number, however long', '{"sku":12345678901234567890,"title":"Mug"}\n'],
    ['an amount', '{"sku":"A","price":2.5e+7}\n'],
  ])('and not %s', async (_, file) => {
    expect((await gather(file))[0]?.doubts).toBeUndefined()
  })
})

describe('a typed file with faults, imported', () => {
  let assay: Running
  beforeAll(async () => {
    assay = await sharedAssay()
  })
  afterAll(() => assay.close())

  test('has its good rows as products, its amounts to the digit, and its bad row in the file of rejects', async () => {
    const table = tableFromArrays({
      sku: ['A', 'B', 'C'],
      title: ['Enamel mug', 'Caf?', 'Jug'],
      price: Float32Array.of(25_000_000, 5, 12.34),
      gtin: Float32Array.of(4_006_381_333_931, 5, 6),
    })
    const bytes = Buffer.from(tableToIPC(table, 'file'))
    bytes[bytes.indexOf('Caf?') + 3] = 0xe9
    const catalog = await assay.newCatalog()
    const { result } = await assay.ingest(catalog, bytes)
    expect(result).toMatchObject({ read: 3, created: 2, rejected: 1, warnings: { gtin_scientific: 1 } })
    const products = await assay.products(catalog)
    expect(products.map(({ sku, price, gtin }) => [sku, price, gtin]).sort()).toEqual([
      ['A', 25_000_000, null],
      ['C', 12.34, null],
    ])
    expect(await assay.rows(result.importId)).toContainEqual(
      expect.objectContaining({ row: 2, result: 'rejected', code: 'not_text', raw: 'Caf\ufffd' }),
    )
    const { text } = await assay.call('GET', `/api/workspace/${workspace}/imports/${result.importId}/rejects`)
    expect(text).toContain('B,Caf\ufffd,5,5\r\n')
  })
})
