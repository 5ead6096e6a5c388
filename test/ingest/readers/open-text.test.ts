import { describe, expect, test } from 'vitest'
import { good, open, read, rowsOf } from './opened.ts'

describe('text in another encoding than UTF-8', () => {
  const csv = 'sku,title\r\nC-1,Café crème 250 g €\r\n'
  const windows1252 = Buffer.from(csv.replace('€', '\x80'), 'latin1')

  test('is found out, said with how sure that is, and read (KF-03)', async () => {
    const table = await open(windows1252)
    expect(table.notes[0]).toMatch(/^encoding WINDOWS-1252, 9\d % sure: .*"Café", "crème"/)
    expect(await rowsOf(table)).toEqual([good(1, 2, 'C-1', 'Café crème 250 g €')])
  })

  test('is known however late its first character beyond ASCII stands', async () => {
    const early = Buffer.from(`sku,title\n${'A,Mug\n'.repeat(100_000)}`)
    const table = await open(Buffer.concat([early, Buffer.from('B,Caf\xe9 cr\xe8me\n', 'latin1')]))
    expect((await rowsOf(table)).at(-1)).toEqual(good(100_001, 100_002, 'B', 'Café crème'))
  })

  test('is read as the caller says', async () => {
    const table = await open(windows1252, { encoding: 'windows-1251' })
    expect(table.notes[0]).toBe('encoding WINDOWS-1251, as the caller says')
    expect(await rowsOf(table)).toEqual([good(1, 2, 'C-1', 'Cafй crиme 250 g Ђ'.replace('Caf', 'Caf'))])
  })

  test('with UTF-16 and no mark is known by its NUL bytes', async () => {
    for (const bytes of [Buffer.from(csv, 'utf16le'), Buffer.from(csv, 'utf16le').swap16()])
      expect(await read(bytes)).toEqual([good(1, 2, 'C-1', 'Café crème 250 g €')])
  })

  test('is not what UTF-8 with an odd byte is: that row is refused by its place, and no other (KF-03)', async () => {
    const bytes = Buffer.from('sku,title\nA,Café\nB,Caf?e\nC,Crème\n')
    bytes[bytes.indexOf('?')] = 0xe9
    const table = await open(bytes)
    expect(table.notes[0]).toBe('encoding UTF-8')
    expect(await rowsOf(table)).toEqual([
      good(1, 2, 'A', 'Café'),
      {
        ...good(2, 3, 'B', ''),
        shown: ['B', 'Caf\ufffde'],
        fault: {
          code: 'not_text',
          column: 'title',
          says: 'Line 3, column "title": the byte E9 after "Caf" is not valid UTF-8; save the file as UTF-8, or say what it is written in with encoding=',
        },
      },
      good(3, 4, 'C', 'Crème'),
    ])
  })

  test.each([
    ['lines of JSON', '{"sku":"A","title":"Mug"}\n{"sku":"B","title":"x?"}\n', ['sku', 'title'], 'unreadable'],
    ['a JSON document', '[{"sku":"A","title":"Mug"},\n{"sku":"B","title":"x?"}]', ['sku', 'title'], 'not_text'],
    [
      'an XML file',
      '<a><p><sku>A</sku><title>Mug</title></p><p><sku>B</sku><title>x?</title></p></a>',
      ['sku', 'title'],
      'not_text',
    ],
    [
      'an XML file that says so',
      '<?xml version="1.0" encoding="UTF-8"?><a><p><sku>A</sku><title>Mug</title></p><p><sku>B</sku><title>x?</title></p></a>',
      ['sku', 'title'],
      'not_text',
    ],
  ])(
    'is not what %s with one odd byte is, be the rest ASCII: they are UTF-8 by their standards',
    async (_, text, header, code) => {
      const bytes = Buffer.from(text)
      bytes[bytes.lastIndexOf('?')] = 0xff
      const table = await open(bytes)
      expect(table).toMatchObject({ header, notes: expect.arrayContaining(['encoding UTF-8']) })
      expect((await rowsOf(table)).map(({ fault }) => fault?.code)).toEqual([undefined, code])
      const said = await read(bytes, { encoding: 'windows-1252' })
      expect(said.map(({ cells, fault }) => fault ?? cells)).toEqual([
        ['A', 'Mug'],
        ['B', 'xÿ'],
      ])
    },
  )

  test('in JSON is read all the same where it is beyond doubt', async () => {
    const bytes = Buffer.from(
      '{"sku":"A","title":"B\xfcgeleisen f\xfcr W\xe4sche"}\n{"sku":"B","title":"M\xfcllerin, gro\xdf"}\n',
      'latin1',
    )
    expect(await read(bytes)).toEqual([good(1, 1, 'A', 'Bügeleisen für Wäsche'), good(2, 2, 'B', 'Müllerin, groß')])
  })

  test('on a line of JSON spoils that line alone, in a key too', async () => {
    const bytes = Buffer.from('{"sku":"A","é":"Müller"}\n{"sku":"B","caf?":"2"}\n{"sku":"C?"}\n{"sku":"D"}\n')
    for (let at = bytes.indexOf('?'); at >= 0; at = bytes.indexOf('?')) bytes[at] = 0xe9
    const table = await open(bytes)
    expect(table.header).toEqual(['sku', 'é'])
    expect((await rowsOf(table)).map(({ cells, fault }) => [cells[0], fault?.code])).toEqual([
      ['A', undefined],
      ['', 'unreadable'],
      ['', 'unreadable'],
      ['D', undefined],
    ])
  })
})
