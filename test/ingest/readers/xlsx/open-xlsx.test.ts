import { describe, expect, test } from 'vitest'
import { enough } from '../../../enough.ts'
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
const chosen = async (bytes: Buffer, sheet: string) =>
  withTable(bytes, async (table) => ({ notes: table.notes, rows: await rowsOf(table) }), { sheet })
const cellsIn = async (bytes: Buffer) => (await read(bytes)).rows.map(({ cells }) => cells)

/** As many as a sheet has, in the long form. */
const styledRows = enough(250_000, 1_048_571)

describe('a workbook', () => {
  test.each(['xl/workbook.xml', 'xl/sharedStrings.xml', 'xl/worksheets/sheet0.xml'])(
    'is refused where a byte of %s is not what was packed',
    async (part) => {
      const shared = '<si><t>A-1</t></si><si><t>Enamel mug</t></si>'
      const row = '<row r="2"><c r="A2" t="s"><v>0</v></c><c r="B2" t="s"><v>1</v></c><c r="C2"><v>12.50</v></c></row>'
      const bytes = await workbook([sheet(header + row)], { shared })
      expect(await cellsIn(bytes)).toEqual([['A-1', 'Enamel mug', '12.50']])
      const begins = bytes.indexOf(part) + part.length
      const ends = bytes.indexOf(Buffer.from('PK', 'latin1'), begins)
      for (let at = begins; at < ends; at += at < ends - 3 ? enough(3, 1) : 1) {
        const odd = Buffer.from(bytes)
        odd[at] = (odd[at] ?? 0) ^ 4
        const outcome = await read(odd).catch((error: { code?: string }) => error.code)
        // The last bits of what is deflated say nothing.
        if (at < ends - 1 || typeof outcome === 'string') expect(outcome).toMatch(/^(not_text|empty_file|too_large)$/)
        else expect(outcome).toEqual(await read(bytes))
      }
    },
  )

  test('is known by its bytes, and its rows by their place in the sheet', async () => {
    const rows = `${header.replaceAll('1"', '4"')}<row r="7">${inline('B7', 'Mug')}</row>`
    expect(await read(await workbook([sheet(rows)]))).toEqual({
      kind: 'xlsx',
      notes: ['sheet "Products" of a workbook'],
      header: ['sku', 'title', 'price'],
      rows: [{ row: 1, line: 7, cells: ['', 'Mug', ''] }],
    })
  })

  test.each(['-5', '0', '1', 'x', '1.5', '99999999999999999999'])(
    'whose second row says that it is row %s loses none',
    async (number) => {
      const rows = `${header}<row r="${number}">${inline('A2', 'A')}</row><row>${inline('A3', 'B')}</row>`
      const found = (await read(await workbook([sheet(rows)]))).rows
      expect(found.map(({ line, cells }) => [line, cells[0]])).toEqual([
        [2, 'A'],
        [3, 'B'],
      ])
    },
  )

  test('gives shared texts with their runs, without their phonetic hints', async () => {
    const shared =
      '<si><t>Mug</t></si><si><r><t>Blue </t></r><r><t xml:space="preserve"> cup</t></r><rPh sb="0" eb="1"><t>NO</t></rPh></si><si><t>a_x000D_b_x005F_x0041_</t></si>'
    const cells =
      '<row r="2"><c r="A2" t="s"><v>2</v></c><c r="B2" t="s"><v>1</v></c><c r="C2" t="s"><v>0</v></c></row>'
    expect(await cellsIn(await workbook([sheet(header + cells)], { shared }))).toEqual([
      ['a\rb_x0041_', 'Blue  cup', 'Mug'],
    ])
  })

  test('gives numbers with the digits that are stored, and truth as Excel shows it', async () => {
    const cells =
      '<row><c><v>04006381333931</v></c><c t="b"><v>1</v></c><c><v>12.50</v></c></row><row><c t="e"><v>#N/A</v></c><c t="b"><v>0</v></c><c t="str"><f>A1&amp;B1</f><v>4E2</v></c></row>'
    expect(await cellsIn(await workbook([sheet(header + cells)]))).toEqual([
      ['04006381333931', 'TRUE', '12.50'],
      ['', 'FALSE', '4E2'],
    ])
  })

  test("gives a formula's error as blank, and says so of its cell", async () => {
    const failing = '<row r="2"><c r="A2" t="e"><f>B9</f><v>#REF!</v></c><c r="B2" t="str"><v>#REF!</v></c></row>'
    const bytes = await workbook([sheet(`${header}${failing}<row r="3"><c r="A3" t="e"><v>#N/A</v></c></row>`)])
    expect((await read(bytes)).rows).toEqual([
      {
        row: 1,
        line: 2,
        cells: ['', '#REF!', ''],
        doubts: [{ code: 'spreadsheet_error', column: 'sku', raw: '#REF!', says: expect.stringContaining('#REF!') }],
      },
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

  test('is the first sheet that names as many fields as the richest, titles above its header left out', async () => {
    const text = (...cells: string[]) =>
      `<row>${cells.map((cell) => `<c t="inlineStr"><is><t>${cell}</t></is></c>`).join('')}</row>`
    const products = text('sku', 'title', 'price') + text('A-1', 'Mug', '9.50')
    const bytes = await workbook([
      { name: 'Terms', rows: text('Terms of sale') + text('Net 30 days') },
      { name: 'List', rows: text('Prices, spring') + products },
      { name: 'Copy', rows: products.replace('price', 'price</t></is></c><c t="inlineStr"><is><t>brand') },
    ])
    expect(await read(bytes)).toMatchObject({
      notes: [
        expect.stringMatching(/^sheet "List" .*not read: "Terms", "Copy"/),
        expect.stringContaining('"Prices, spring"'),
      ],
      header: ['sku', 'title', 'price'],
      rows: [{ cells: ['A-1', 'Mug', '9.50'] }],
    })
  })

  test.each(['Hidden', ' hidden', '1'])('is the sheet that the caller asks for, hidden or not: %j', async (asked) => {
    const other = (name: string) => `<row>${inline('A1', 'x')}</row><row>${inline('A2', name)}</row>`
    const bytes = await workbook([
      { name: 'Hidden', state: 'hidden', rows: other('hidden') },
      { name: 'Seen', rows: other('seen') },
    ])
    expect(await chosen(bytes, asked)).toMatchObject({
      notes: ['sheet "Hidden" of a workbook, as the caller says; not read: "Seen"'],
      rows: [{ cells: ['hidden'] }],
    })
    await expect(chosen(bytes, '3')).rejects.toMatchObject({
      code: 'no_sheet',
      says: 'The workbook has no sheet "3"; its sheets are 1 "Hidden", 2 "Seen"',
    })
  })

  test('whose sheet inflates to more than it may is refused while it is read, nothing held', async () => {
    const bytes = await workbook([sheet(`${header}<row>${inline('A2', 'P')}</row>${' '.repeat(5_000_000)}`)])
    const bounds = { mostBytes: 2 ** 40, freeBytes: 1_000_000, mostRatio: 200 }
    await expect(withTable(bytes, rowsOf, { bounds })).rejects.toMatchObject({ code: 'too_large' })
    expect(await withTable(bytes, rowsOf)).toHaveLength(1)
  })

  test('is what sheet= is for, and encoding= is not', async () => {
    const bytes = await workbook([sheet(`${header}<row>${inline('A2', 'P')}</row>`)])
    const notes = await withTable(bytes, async (table) => table.notes, { encoding: 'koi8-r' })
    expect(notes[0]).toBe('encoding= says nothing of an Excel workbook; it was left out')
    await expect(withTable(Buffer.from('sku\nA\n'), rowsOf, { sheet: '1' })).rejects.toMatchObject({ code: 'no_sheet' })
  })

  test(`of three products and ${styledRows} styled empty rows is three products, within seconds and little memory (KF-08)`, async () => {
    const empty = Array.from(
      { length: styledRows },
      (_, i) => `<row r="${i + 6}"><c r="A${i + 6}" s="1"/><c r="B${i + 6}" s="1"/></row>`,
    )
    const products = [2, 3, 4].map((r) => `<row r="${r}">${inline(`A${r}`, `P-${r}`)}</row>`).join('')
    const bytes = await workbook([sheet(header + products + empty.join(''))])
    empty.length = 0
    const before = process.memoryUsage.rss()
    const start = performance.now()
    expect(await cellsIn(bytes)).toEqual([2, 3, 4].map((r) => [`P-${r}`, '', '']))
    expect(performance.now() - start).toBeLessThan(enough(5_000, 20_000))
    expect(process.memoryUsage.rss() - before).toBeLessThan(enough(75, 300) * 2 ** 20)
  })

  test('tells a value beyond the header as ragged, and takes a repeated image column as a list', async () => {
    const names = `<row r="1">${inline('A1', 'sku')}${inline('B1', 'image')}${inline('C1', 'image')}</row>`
    const cells = `<row r="2">${inline('A2', 'P')}${inline('B2', 'b.jpg')}${inline('C2', 'a.jpg')}</row><row r="3">${inline('A3', 'Q')}${inline('E3', 'lost')}</row>`
    expect((await read(await workbook([sheet(names + cells)]))).rows).toMatchObject([
      { row: 1, cells: ['P', ['b.jpg', 'a.jpg']] },
      { row: 2, cells: ['Q', ''], fault: { code: 'ragged' } },
    ])
  })

  test('tells numbers with a point from texts, whatever their place', async () => {
    const cells = `<row r="2">${inline('A2', 'P')}<c r="B2"><v>5</v></c><c r="C2"><v>1.299</v></c></row><row r="3">${inline('A3', 'Q')}${inline('C3', '12,50')}</row><row r="4"><c r="A4"><v>1E-3</v></c><c r="C4" t="str"><f>A1</f><v>1.5</v></c></row>`
    expect((await read(await workbook([sheet(header + cells)]))).rows.map(({ pointed }) => pointed)).toEqual([
      [2],
      undefined,
      [0],
    ])
  })

  test('gives of a stored double the digits that Excel shows, and every digit of an identifier', async () => {
    const numbers = ['0.30000000000000004', '1.1000000000000001', '12345678901234567']
    const cells = `<row>${numbers.map((number) => `<c><v>${number}</v></c>`).join('')}</row>`
    expect(await cellsIn(await workbook([sheet(header + cells)]))).toEqual([['0.3', '1.1', '12345678901234567']])
  })

  test('says of a shared text that the workbook does not have that its cell is read as blank', async () => {
    const text = (place: string, index: string) => `<c r="${place}" t="s"><v>${index}</v></c>`
    const cells = `<row r="2">${text('A2', '0')}${text('B2', '7')}</row><row r="3">${text('A3', '9')}</row><row r="4">${text('A4', '0')}${text('C4', '-1')}</row>`
    const { rows } = await read(await workbook([sheet(header + cells)], { shared: '<si><t>P</t></si>' }))
    expect(rows).toMatchObject([
      { row: 1, cells: ['P', '', ''], doubts: [{ code: 'missing_text', column: 'title', raw: '7' }] },
      { row: 2, line: 3, fault: { code: 'unreadable', says: expect.stringContaining('Row 3') } },
      { row: 3, cells: ['P', '', ''], doubts: [{ code: 'missing_text', column: 'price', raw: '-1' }] },
    ])
  })

  test('says of a formula without its result that its cell is read as blank, and what to do', async () => {
    const cells = [
      `<row r="2">${inline('A2', 'P')}<c r="B2"><f>A2&amp;"!"</f></c><c r="C2"><f>D2*2</f><v></v></c></row>`,
      `<row r="3">${inline('A3', 'Q')}<c r="B3" t="str"><f>""</f><v></v></c><c r="C3"><f>D3*2</f><v>7</v></c></row>`,
      `<row r="4"><c r="C4"><f t="shared" si="0"/><v/></c></row>`,
    ]
    const { rows } = await read(await workbook([sheet(header + cells.join(''))]))
    expect(rows).toMatchObject([
      {
        row: 1,
        cells: ['P', '', ''],
        doubts: [
          {
            code: 'no_result',
            column: 'title',
            raw: '=A2&"!"',
            says: '"=A2&\\"!\\"" is a formula without a stored result, read as a blank cell; open the workbook in a spreadsheet program, and save it',
          },
          { code: 'no_result', column: 'price', raw: '=D2*2' },
        ],
      },
      { row: 2, cells: ['Q', '', '7'] },
      { row: 3, fault: { code: 'unreadable', says: expect.stringMatching(/^Row 4 .*formulas .*open the workbook/) } },
    ])
    expect(rows[1]?.doubts).toBeUndefined()
  })

  test('takes no zero for a result where the program that wrote it has calculated none', async () => {
    const cells = `<row r="2">${inline('A2', 'P')}<c r="B2"><f>A2&amp;"!"</f><v>0</v></c><c r="C2"><f>D2*2</f><v>7</v></c></row>
      <row r="3">${inline('A3', 'Q')}<c r="B3"><v>0</v></c><c r="C3"><f>D3*2</f><v>0</v></c></row>`
    const { rows } = await read(await workbook([sheet(header + cells)], { uncalculated: true }))
    expect(rows).toMatchObject([
      { cells: ['P', '', '7'], doubts: [{ code: 'no_result', column: 'title' }] },
      { cells: ['Q', '0', ''], doubts: [{ code: 'no_result', column: 'price' }] },
    ])
    const calculated = await read(await workbook([sheet(header + cells)]))
    expect(calculated.rows).toMatchObject([{ cells: ['P', '0', '7'] }, { cells: ['Q', '0', '0'] }])
  })

  test('names the sheet and the row where its XML breaks', async () => {
    const rows = Array.from({ length: 3_000 }, (_, i) => `<row r="${i + 2}">${inline(`A${i + 2}`, `P-${i}`)}</row>`)
    const broken = await workbook([sheet(`${header}${rows.join('')}<row r="3002"><c r="A3002"></row>`)])
    await expect(read(broken)).rejects.toMatchObject({
      code: 'not_text',
      says: expect.stringMatching(
        /^The sheet "Products" \(xl\/worksheets\/sheet0.xml\) .* in row 3002 .*save it again$/,
      ),
    })
  })

  test.each([
    ['xl/worksheets/sheet0.xml', /^The sheet "Products" \(xl\/worksheets\/sheet0.xml\) .* in row \d+ or behind it/],
    ['xl/sharedStrings.xml', /^The part xl\/sharedStrings.xml of the workbook is damaged/],
  ])('names the part whose packed bytes are damaged: %s', async (part, says) => {
    // Texts without a pattern: little of them is packed, and a damaged byte ends the packing.
    const text = (i: number) => `${(i * 2_654_435_761) % 4_294_967_291}`
    const rows = Array.from({ length: 20_000 }, (_, i) => `<row r="${i + 2}">${inline(`A${i + 2}`, text(i))}</row>`)
    const shared = Array.from({ length: 20_000 }, (_, i) => `<si><t>${text(i)}</t></si>`).join('')
    const bytes = await workbook([sheet(header + rows.join(''))], { shared })
    const at = bytes.indexOf(part) + part.length
    bytes.fill(0xff, at + 100_000, at + 100_100)
    await expect(read(bytes)).rejects.toMatchObject({ code: 'not_text', says: expect.stringMatching(says) })
  })

  test('names the sheet that the archive does not have', async () => {
    const bytes = await workbook([sheet(`${header}<row>${inline('A2', 'P')}</row>`)])
    const odd = Buffer.from(
      bytes.toString('latin1').replaceAll('worksheets/sheet0.xml', 'worksheets/sheet9.xml'),
      'latin1',
    )
    await expect(read(odd)).rejects.toMatchObject({ says: expect.stringMatching(/^The sheet "Products" .*sheet0.xml/) })
  })

  test.each(['ZZZZZZ2', 'XFD2'])('rejects a row with a value beyond the columns that are kept: %s', async (place) => {
    const rows = `<row r="2">${inline('A2', 'P')}${inline(place, 'lost')}</row><row r="3">${inline('A3', 'Q')}<c r="XFD3" s="1"/></row>`
    expect((await read(await workbook([sheet(header + rows)]))).rows).toMatchObject([
      {
        row: 1,
        cells: ['P', '', ''],
        fault: { code: 'ragged', says: expect.stringMatching(/^Row 2 .* column \d+/) },
        beyond: ['lost'],
      },
      { row: 2, cells: ['Q', '', ''] },
    ])
  })

  test.each([
    ['without a visible sheet', () => workbook([{ name: 'A', state: 'veryHidden', rows: header }]), 'empty_file'],
    ['with an empty sheet', () => workbook([sheet('')]), 'empty_file'],
    ['with a header alone', () => workbook([sheet(header)]), 'empty_file'],
    ['that is cut off', async () => (await workbook([sheet(header)])).subarray(0, 300), 'not_text'],
    ['whose XML is broken', () => workbook([sheet(`${header}<row><c`)]), 'not_text'],
    [
      'with a cell of 20 million characters',
      () => workbook([sheet(`${header}<row>${inline('A2', 'x'.repeat(20_000_000))}</row>`)]),
      'too_large',
    ],
    [
      'with a row of one long text many times',
      () =>
        workbook([sheet(`${header}<row>${'<c t="s"><v>0</v></c>'.repeat(300)}</row>`)], {
          shared: `<si><t>${'x'.repeat(100_000)}</t></si>`,
        }),
      'too_large',
    ],
    [
      'with four million shared texts of nothing',
      () => workbook([sheet(header)], { shared: '<si/>'.repeat(4_300_000) }),
      'too_large',
    ],
    [
      'with elements in elements without end',
      () => workbook([sheet(`${header}${'<row>'.repeat(10_000)}`)]),
      'not_text',
    ],
    [
      'with an element of endless attributes',
      () => workbook([sheet(`${header}<row ${Array.from({ length: 5_000 }, (_, i) => `a${i}=""`).join(' ')}/>`)]),
      'not_text',
    ],
  ])('%s is refused in one sentence', async (_, make, code) => {
    const error = await read(await make()).catch((fault: unknown) => fault)
    expect(error).toMatchObject({ code, says: expect.stringMatching(/\w.{20}/) })
  })
})
