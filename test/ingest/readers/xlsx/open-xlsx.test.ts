import { describe, expect, test } from 'vitest'
import { rowsOf, withTable } from '../../../exported.ts'
import { workbook } from '../../workbook.ts'

const inline = (place: string, text: string) => `<c r="${place}" t="inlineStr"><is><t>${text}</t></is></c>`
const header = `<row r="1">${inline('A1', 'sku')}${inline('B1', 'title')}${inline('C1', 'price')}</row>`
const sheet = (rows: string) => ({ name: 'Products', rows })

const read = async (bytes: Buffer) =>
  withTable(bytes, async (table) => ({
    kind: table.kind,
    notes: table.notes,
    header: table.header,
    rows: await rowsOf(table),
  }))
const cellsIn = async (bytes: Buffer) => (await read(bytes)).rows.map(({ cells }) => cells)

describe('a workbook', () => {
  test('is known by its bytes, and its rows by their place in the sheet', async () => {
    const rows = `${header.replaceAll('1"', '4"')}<row r="7">${inline('B7', 'Mug')}</row>`
    expect(await read(await workbook([sheet(rows)]))).toEqual({
      kind: 'xlsx',
      notes: ['sheet "Products" of a workbook'],
      header: ['sku', 'title', 'price'],
      rows: [{ row: 1, line: 7, cells: ['', 'Mug', ''] }],
    })
  })

  test('gives shared texts with their runs, without their phonetic hints', async () => {
    const shared =
      '<si><t>Mug</t></si><si><r><t>Blue </t></r><r><t xml:space="preserve"> cup</t></r><rPh sb="0" eb="1"><t>NO</t></rPh></si><si><t>a_x000D_b_x005F_x0041_</t></si>'
    const cells =
      '<row r="2"><c r="A2" t="s"><v>2</v></c><c r="B2" t="s"><v>1</v></c><c r="C2" t="s"><v>0</v></c></row>'
    expect(await cellsIn(await workbook([sheet(header + cells)], { shared }))).toEqual([
      ['a\rb_x0041_', 'Blue  cup', 'Mug'],
    ])
  })

  test('gives numbers with the digits that are stored, and truth and errors as Excel shows them', async () => {
    const cells =
      '<row><c><v>04006381333931</v></c><c t="b"><v>1</v></c><c><v>12.50</v></c></row><row><c t="e"><v>#N/A</v></c><c t="b"><v>0</v></c><c t="str"><f>A1&amp;B1</f><v>4E2</v></c></row>'
    expect(await cellsIn(await workbook([sheet(header + cells)]))).toEqual([
      ['04006381333931', 'TRUE', '12.50'],
      ['#N/A', 'FALSE', '4E2'],
    ])
  })

  test.each([
    [false, ['2024-02-29', '2024-02-29T13:30:00', '06:00:00', '45351']],
    [true, ['2028-03-01', '2028-03-01T13:30:00', '1904-01-01T06:00:00', '45351']],
  ])('gives dates as dates where their format shows them so; counted from 1904: %s', async (date1904, expected) => {
    const formats =
      '<numFmt numFmtId="164" formatCode="dd/mm/yyyy\\ hh:mm"/><numFmt numFmtId="165" formatCode="0.00&quot; days&quot;"/>'
    const xfs = '<xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/>'
    const names = ['a', 'b', 'c', 'd'].map((name, i) => inline(`${'ABCD'[i]}1`, name)).join('')
    const cells = `<row r="1">${names}</row><row r="2"><c r="A2" s="1"><v>45351</v></c><c r="B2" s="2"><v>45351.5625</v></c><c r="C2" s="1"><v>0.25</v></c><c r="D2" s="3"><v>45351</v></c></row>`
    expect(await cellsIn(await workbook([sheet(cells)], { formats, xfs, date1904 }))).toEqual([expected])
  })

  test('is its first sheet that people see', async () => {
    const other = (name: string) => `<row>${inline('A1', 'x')}</row><row>${inline('A2', name)}</row>`
    const bytes = await workbook([
      { name: 'Hidden', state: 'hidden', rows: other('hidden') },
      { name: 'Seen', rows: other('seen') },
      { name: 'Later', rows: other('later') },
    ])
    expect(await read(bytes)).toMatchObject({
      notes: [
        'sheet "Seen" of a workbook, the first whose columns look like products; not read: "Hidden" (hidden), "Later" (choose with sheet=)',
      ],
      rows: [{ cells: ['seen'] }],
    })
  })

  test('of three products and many styled empty rows is three products (KF-08)', async () => {
    const empty = Array.from(
      { length: 100_000 },
      (_, i) => `<row r="${i + 5}"><c r="A${i + 5}" s="1"/><c r="B${i + 5}" s="1"/></row>`,
    )
    const products = [2, 3, 4].map((r) => `<row r="${r}">${inline(`A${r}`, `P-${r}`)}</row>`).join('')
    const bytes = await workbook([sheet(header + products + empty.join(''))])
    expect(await cellsIn(bytes)).toEqual([2, 3, 4].map((r) => [`P-${r}`, '', '']))
  })

  test('tells a value beyond the header as ragged, and takes a repeated image column as a list', async () => {
    const names = `<row r="1">${inline('A1', 'sku')}${inline('B1', 'image')}${inline('C1', 'image')}</row>`
    const cells = `<row r="2">${inline('A2', 'P')}${inline('B2', 'b.jpg')}${inline('C2', 'a.jpg')}</row><row r="3">${inline('A3', 'Q')}${inline('E3', 'lost')}</row>`
    expect((await read(await workbook([sheet(names + cells)]))).rows).toMatchObject([
      { row: 1, cells: ['P', ['b.jpg', 'a.jpg']] },
      { row: 2, cells: ['Q', ''], fault: { code: 'ragged' } },
    ])
  })

  test.each([
    ['without a visible sheet', () => workbook([{ name: 'A', state: 'veryHidden', rows: header }]), 'empty_file'],
    ['with an empty sheet', () => workbook([sheet('')]), 'empty_file'],
    ['with a header alone', () => workbook([sheet(header)]), 'empty_file'],
    ['that is cut off', async () => (await workbook([sheet(header)])).subarray(0, 300), 'not_text'],
    ['whose XML is broken', () => workbook([sheet(`${header}<row><c`)]), 'not_text'],
  ])('%s is refused in one sentence', async (_, make, code) => {
    const error = await read(await make()).catch((fault: unknown) => fault)
    expect(error).toMatchObject({ code, says: expect.stringMatching(/\w.{20}/) })
  })
})
