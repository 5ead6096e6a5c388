import { describe, expect, test } from 'vitest'
import { rowsIn } from '../../exported.ts'
import { parquetOf } from './parquet-of.ts'

/** Of what is `?` in a text the byte is E9, which is no UTF-8. */
async function damaged(select: string, options?: string): Promise<Buffer> {
  const bytes = await parquetOf(select, options)
  for (let at = bytes.indexOf('Caf?'); at >= 0; at = bytes.indexOf('Caf?', at)) bytes[at + 3] = 0xe9
  return bytes
}
const faults = (rows: Awaited<ReturnType<typeof rowsIn>>) =>
  rows.flatMap(({ row, fault }) => (fault ? [[row, fault.column]] : []))

describe('bytes that are no text in a Parquet file', () => {
  test('reject their own row, by its column, and no other', async () => {
    const select = `select * from (values ('A', 'Mug "x" \\ é', 12.5::double), ('B', 'Caf?', 3), ('C', 'Caf\ufffd', 7), ('D', null, null)) t(sku, title, price)`
    expect(await rowsIn(await damaged(select))).toMatchObject([
      { row: 1, cells: ['A', 'Mug "x" \\ é', '12.5'] },
      {
        row: 2,
        cells: ['B', '', '3'],
        shown: ['B', 'Caf\ufffd', '3'],
        fault: {
          code: 'not_text',
          column: 'title',
          says: 'Row 2, column "title": the byte E9 after "Caf" is not valid UTF-8; write its column as text in UTF-8, or leave that out',
        },
      },
      { row: 3, cells: ['C', 'Caf\ufffd', '7'] },
      { row: 4, cells: ['D', '', ''] },
    ])
  })

  test('are found in lists, objects and maps, all else read as ever', async () => {
    const text = (n: number) => `case when range = ${n} then 'Caf?' else 'c\\x41 "é" 🧦' end`
    const select = `select 'S' || range as sku, [${text(1)}, 'b'] as images, {a: ${text(2)}, n: 12345678901234567890::ubigint, f: 0.5::double} as attributes, map {${text(3)}: 1} as more from range(5)`
    const [bad, good] = [
      await rowsIn(await damaged(select)),
      await rowsIn(await parquetOf(select.replaceAll('Caf?', 'Café'))),
    ]
    expect(faults(bad)).toEqual([
      [2, 'images'],
      [3, 'attributes'],
      [4, 'more'],
    ])
    expect([bad[0], bad[4]]).toEqual([good[0], good[4]])
    expect(good[0]?.cells).toEqual([
      'S0',
      ['c\\x41 "é" 🧦', 'b'],
      '{"a":"c\\\\x41 \\"é\\" 🧦","n":12345678901234567890,"f":0.5}',
      '{"c\\\\x41 \\"é\\" 🧦":1}',
    ])
    expect(bad[2]?.shown?.[2]).toContain('"a":"Caf\ufffd"')
  })

  test('are found far in the file, every row once and in order', async () => {
    const select = `select 'S' || range as sku, case when range in (25000, 29999) then 'Caf?' else 'Mug ' || range end as title from range(30000)`
    const rows = await rowsIn(await damaged(select, ', row_group_size 2048'))
    expect(rows.map(({ row, cells }) => [row, cells[0]])).toEqual(rows.map((_, i) => [i + 1, `S${i}`]))
    expect(rows).toHaveLength(30_000)
    expect(faults(rows)).toEqual([
      [25_001, 'title'],
      [30_000, 'title'],
    ])
  })

  test.each(['json', 'enum'])('are found in what is declared as %s', async (type) => {
    const as = type === 'json' ? `::json` : `::enum('"Mug"', '"Caf?"')`
    const select = `select * from (values ('A', '"Mug"'${as}), ('B', '"Caf?"'${as})) t(sku, title)`
    const rows = await rowsIn(await damaged(select))
    expect(faults(rows)).toEqual([[2, 'title']])
    expect(rows[0]?.cells).toEqual(['A', '"Mug"'])
  })

  test('are found in bytes that nobody said are text', async () => {
    const rows = await rowsIn(
      await damaged(`select * from (values ('A', 'Mug'::blob), ('B', 'Caf?'::blob)) t(sku, title)`),
    )
    expect(faults(rows)).toEqual([[2, 'title']])
    expect(rows[0]?.cells).toEqual(['A', 'Mug'])
  })

  test('of almost all rows refuse the file, from the row on where they begin', async () => {
    const bytes = await damaged(`select 'Caf?' as sku from range(101000)`)
    await expect(rowsIn(bytes)).rejects.toMatchObject({
      code: 'not_a_table',
      says: expect.stringMatching(/correct it from row 1 on. Row 1, column "sku"/),
    })
  })

  test('refuse the file by the column where its footer is written so that rows cannot be told apart', async () => {
    const bytes = await damaged(`select 'A' as sku, 'Caf?' as title`)
    // A scale of zero behind the declaration as text, in place of a name's last bytes.
    const at = bytes.lastIndexOf(Buffer.from('\x18\x05title\x25\x00', 'latin1'))
    expect(at).toBeGreaterThan(0)
    const odd = Buffer.from(bytes)
    odd.write('\x18\x03tit\x25\x00\x15\x00', at, 'latin1')
    await expect(rowsIn(odd)).rejects.toMatchObject({
      code: 'not_text',
      says: 'Texts of the column "tit" are not valid UTF-8; write that as text in UTF-8, or leave it out',
    })
  })
})

test.each([
  ['of a column', `select 'A' as sku, 'x' as "Caf?"`],
  ['within a column', `select 'A' as sku, [{"Caf?": 1}] as more`],
])('bytes that are no text in a name %s refuse the file and are told', async (_, select) => {
  await expect(rowsIn(await damaged(select))).rejects.toMatchObject({
    code: 'not_text',
    says: 'In the name of a column the byte E9 after "Caf" is not valid UTF-8; write names as text in UTF-8',
  })
})
