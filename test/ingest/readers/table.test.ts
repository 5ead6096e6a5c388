import { describe, expect, test } from 'vitest'
import { good, open, read, rowsOf } from './opened.ts'

describe('a delimited table', () => {
  const csv = 'sku,title,price\nA-1,Mug,9.5\n'

  test.each([
    ['UTF-8', Buffer.from(csv)],
    ['UTF-8 with mark', Buffer.from(`\ufeff${csv}`)],
    ['UTF-16LE', Buffer.from(`\ufeff${csv}`, 'utf16le')],
    ['UTF-16BE', Buffer.from(`\ufeff${csv}`, 'utf16le').swap16()],
  ])('in %s has exactly the names and cells that were written (KF-01)', async (_, bytes) => {
    const table = await open(bytes)
    expect(table).toMatchObject({ kind: 'delimited', header: ['sku', 'title', 'price'] })
    expect(await rowsOf(table)).toEqual([good(1, 2, 'A-1', 'Mug', '9.5')])
  })

  test('tells how it was read', async () => {
    expect((await open('\ufeffsku;image;image\n1;a;b\n')).notes).toEqual([
      'encoding UTF-8, with mark',
      'delimiter semicolon: cuts the header into 3 cells, and 1 of the first 1 records alike',
      'columns 2, 3 are one list, "image"',
    ])
  })

  test('can be read twice, each time the same', async () => {
    const table = await open(Array.from({ length: 1200 }, (_, i) => `${i},"x\n${i}"\n`).join(''))
    const rows = await rowsOf(table)
    expect(rows).toHaveLength(1199)
    expect(await rowsOf(table)).toEqual(rows)
  })

  test('keeps cells exactly as given, and skips records of blank cells without counting them', async () => {
    expect(await read('\n , \nsku,title\n,\n A ,\u00a0\n\u3000,\ufeff\n\nB,x')).toEqual([
      good(1, 5, ' A ', '\u00a0'),
      good(2, 8, 'B', 'x'),
    ])
  })

  test('takes the images of a repeated column in order, blank ones left out (KF-05)', async () => {
    const table = await open('sku,image,image,price,image\nP-1,a.jpg,b.jpg,9,c.jpg\nP-2,,b.jpg,9,\nP-3,,,9,\n')
    expect(table.header).toEqual(['sku', 'image', 'price'])
    expect(await rowsOf(table)).toEqual([
      good(1, 2, 'P-1', ['a.jpg', 'b.jpg', 'c.jpg'], '9'),
      good(2, 3, 'P-2', ['b.jpg'], '9'),
      good(3, 4, 'P-3', '', '9'),
    ])
  })

  test('is refused where another name repeats (KF-05)', async () => {
    await expect(open('sku,title,title\n1,a,b\n')).rejects.toMatchObject({ code: 'repeated_header' })
    await expect(open('sku,pic,pic\n1,a,b\n', { listColumn: (name) => name === 'pic' })).resolves.toMatchObject({
      header: ['sku', 'pic'],
    })
  })

  test("passes over remarks above the header, as Meta's templates have them", async () => {
    const table = await open('\ufeff# Required | the id,# Optional | a name\nid,title\n# 1,Mug\n')
    expect(table.header).toEqual(['id', 'title'])
    expect(await rowsOf(table)).toEqual([good(1, 3, '# 1', 'Mug')])
  })
})

describe('an XML file', () => {
  const xml = (encoding: string) =>
    `<?xml version="1.0" encoding="${encoding}"?>\n<a><p><sku>A</sku><title>Mug é</title></p></a>`

  test.each([
    ['UTF-8', Buffer.from(xml('UTF-8'))],
    ['UTF-8 with mark', Buffer.from(`\ufeff${xml('utf-8')}`)],
    ['UTF-16LE', Buffer.from(`\ufeff${xml('UTF-16')}`, 'utf16le')],
    ['UTF-16BE', Buffer.from(`\ufeff${xml('UTF-16')}`, 'utf16le').swap16()],
  ])('is known by its bytes in %s, and can be read twice, each time the same', async (_, bytes) => {
    const table = await open(bytes)
    expect(table).toMatchObject({ kind: 'xml', header: ['sku', 'title'] })
    expect(await rowsOf(table)).toEqual([good(1, 2, 'A', 'Mug é')])
    expect(await rowsOf(table)).toEqual(await rowsOf(await open(bytes, { kind: 'xml' })))
  })

  test('is refused where it says another encoding than it has, and where it was sent as XML and is none', async () => {
    await expect(open(xml('UTF-16'))).rejects.toMatchObject({ code: 'not_text' })
    await expect(open('sku,title\n1,Mug\n', { kind: 'xml' })).rejects.toMatchObject({ code: 'not_a_table' })
  })
})

describe('a record', () => {
  test('that is short is a fault of its own, its neighbours are good and nothing is shifted', async () => {
    const header = 'name , slug , facets , sku , price , tax , stock , track , variants , more'
    const rows = await read(
      `${header}\nEasel ,,, M02 , 910.7 , standard , 10 , false ,,\nPencils ,, 225400 , 4.16 , standard ,, 10 , false\n\nSmock ,,, 10112 , 11.99 , standard , 10 , false ,,\n`,
    )
    expect(rows.map(({ row, line, fault }) => [row, line, fault?.code])).toEqual([
      [1, 2, undefined],
      [2, 3, 'ragged'],
      [3, 5, undefined],
    ])
    expect(rows[1]?.fault?.says).toContain('Line 3 has 8 cells where the header has 10')
    expect(rows[1]?.cells).toHaveLength(10)
  })

  test('that is long is a fault unless the surplus is blank', async () => {
    const rows = await read('sku,title\nA,Mug,\nB,Mug, red\nC,Mug,, \n')
    expect(rows.map(({ cells, fault }) => [cells, fault?.code])).toEqual([
      [['A', 'Mug'], undefined],
      [['B', 'Mug'], 'ragged'],
      [['C', 'Mug'], undefined],
    ])
    expect(rows[1]?.fault?.says).toContain('Line 3 has 3 cells where the header has 2')
  })

  test('is good where all records lack the same last cells', async () => {
    const table = await open('sku,title,price,note\nA,Mug,1\nB,Cup,2\n')
    expect(table.notes.at(-1)).toBe('every record lacks the last 1 cells of the header; they are read as blank')
    expect(await rowsOf(table)).toEqual([good(1, 2, 'A', 'Mug', '1', ''), good(2, 3, 'B', 'Cup', '2', '')])
    const codes = (await read('a,b,c\n"1,2\n3,4\n5,6\n')).map((row) => row.fault?.code)
    expect(codes).toEqual(['unreadable', undefined, undefined])
  })

  test.each([
    ['the last alone', 'a,b,c\n1,2,3\n1,2\n', [undefined, 'ragged']],
    ['the first alone', 'a,b,c\n1,2\n1,2,3\n', ['ragged', undefined]],
    ['each by another number', 'a,b,c,d\n1,2\n1,2,3\n', ['ragged', 'ragged']],
    ['all, cut by another delimiter than the header', 'a,b,c\n1;2;3\n4;5;6\n', ['ragged', 'ragged']],
  ])('is ragged where %s is short', async (_, text, codes) => {
    expect((await read(text)).map((row) => row.fault?.code)).toEqual(codes)
  })

  test('with a quote that is never closed is unreadable, the others are read', async () => {
    const rows = await read('sku,title\nA,"Mug\nB,Cup\n')
    expect(rows.map(({ row, line, fault }) => [row, line, fault?.code])).toEqual([
      [1, 2, 'unreadable'],
      [2, 3, undefined],
    ])
  })

  test('with a quote that closes inside a cell is read, and told in its column', async () => {
    const [row] = await read('sku,title\nA,"Mug 5" high\n')
    expect(row).toEqual({
      ...good(1, 2, 'A', 'Mug 5 high'),
      doubts: [
        {
          code: 'quote_inside',
          column: 'title',
          raw: '"Mug 5" high',
          says: expect.stringContaining('write a quote inside a cell twice'),
        },
      ],
    })
  })

  test.each([
    ['XML', '<a><b><id>A</id><title>Mu\0g</title></b><b><id>B</id><title>Cup</title></b></a>', ['Mu\0g', 'Cup']],
    ['JSON', '[{"id":"A","title":"Mu\0g"},{"id":"B","title":"Cup"}]', ['unreadable', 'Cup']],
  ])('with a NUL in %s that is all on one line is told from a binary file', async (_, text, titles) => {
    const rows = await rowsOf(await open(text))
    expect(rows.map(({ cells, fault }) => fault?.code ?? cells[1])).toEqual(titles)
  })

  test('with a NUL in a cell is a record like any other (KF-18)', async () => {
    expect(await read('sku,title\nA,Pen\b Set 🚀\0 blue\nB,Cup\n')).toEqual([
      good(1, 2, 'A', 'Pen\b Set 🚀\0 blue'),
      good(2, 3, 'B', 'Cup'),
    ])
  })
})

describe('a file is refused', () => {
  test('whose rows are almost all faults, after a hundred thousand of them and with the first', async () => {
    const torn = await open(`sku,title\nA1,"${'x\n'.repeat(300_000)}`)
    await expect(rowsOf(torn)).rejects.toMatchObject({
      code: 'not_a_table',
      says: expect.stringMatching(
        /^Of the first 100001 rows 100001 cannot .* line 2 on\. Line 2: the quote that opens/,
      ),
    })
    const some = `${'x\n'.repeat(50)}A,Mug\n`
    expect(await read(`sku,title\nA,Mug\n${some.repeat(2_500)}`)).toHaveLength(127_501)
    const few = await open(`sku,title\nA,Mug\n${`${'x\n'.repeat(150)}A,Mug\n`.repeat(1_000)}`)
    await expect(rowsOf(few)).rejects.toMatchObject({ code: 'not_a_table' })
  })

  test.each<[string, string | Uint8Array, string]>([
    ['without a byte', '', 'empty_file'],
    ['that is a JSON list of nothing', '[]', 'empty_file'],
    ['that is a JSON list of no objects', '[1, "a",\n null]', 'empty_file'],
    ['with only a mark', '\ufeff', 'empty_file'],
    ['of blank lines', '\n , \n', 'empty_file'],
    ['without records', 'sku,title\n\n', 'empty_file'],
    ['that begins as a workbook', Buffer.from('PK\x03\x04\x14\0\x06\0'), 'not_text'],
    ['that begins as Parquet', Buffer.from('PAR1\x15\x04'), 'not_text'],
    ['that is a picture', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), 'not_text'],
    ['of random bytes', Buffer.from(Array.from({ length: 5_000 }, (_, i) => (i * i * 7 + (i >> 3)) % 256)), 'not_text'],
    [
      'whose header has a byte that is no text',
      Buffer.from([...Buffer.from('sku,été'), 0xe9, 0x0a, 0x31, 0x2c]),
      'not_text',
    ],
    ['that is XML', '<yml_catalog><shop/></yml_catalog>', 'not_a_table'],
    ['that is an empty JSON array', '[\n []\n]', 'empty_file'],
    ['that is one line without end', `sku,${'x'.repeat(2 ** 25)}`, 'unreadable_header'],
    ['whose header has an open quote', 'sku,"title\n1,Mug\n', 'unreadable_header'],
  ])('%s', async (_, content, code) => {
    const error = await open(content)
      .then(rowsOf)
      .catch((error: unknown) => error)
    expect(error).toMatchObject({ name: 'Error', code, says: expect.stringMatching(/\w/) })
  })
})
