import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readDelimited } from '../../../ingest/readers/delimited.ts'
import type { Delimiter } from '../../../ingest/readers/dialect.ts'
import type { RawRow } from '../../../ingest/readers/record-scan.ts'
import { inPieces } from '../in-pieces.ts'

async function read(text: string, delimiter: Delimiter = ',', cuts: readonly number[] = []): Promise<RawRow[]> {
  const rows: RawRow[] = []
  for await (const batch of readDelimited(inPieces(text, cuts), { delimiter })) rows.push(...batch)
  return rows
}

const cells = async (text: string) => (await read(text)).map((row) => row.cells)

const delimiters: readonly Delimiter[] = [',', ';', '\t', '|']
const lineEnds = ['\n', '\r', '\r\n']
/** Text in which everything that means something to the reader is frequent. */
const awkward = fc.string({
  unit: fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom('"', '""', ',', ';', '\t', '|', '\r', '\n', '\r\n', ' ', 'a', 'é') },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 1 }) },
  ),
  maxLength: 60,
})
const cuts = fc.array(fc.nat(400), { maxLength: 30 })

describe('any table of any texts', () => {
  const table = fc.array(fc.array(awkward, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 6 })

  test.each(delimiters.flatMap((delimiter) => lineEnds.map((end) => [delimiter, end] as const)))(
    'written with %j and %j comes back cell by cell',
    async (delimiter, end) => {
      const needsQuotes = (cell: string) =>
        cell.startsWith('"') || [delimiter, '\r', '\n'].some((c) => cell.includes(c))
      await fc.assert(
        fc.asyncProperty(table, fc.boolean(), fc.boolean(), cuts, async (rows, always, last, cuts) => {
          const write = (cell: string) => (always || needsQuotes(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
          const text = rows.map((row) => row.map(write).join(delimiter)).join(end) + (last || !always ? end : '')
          expect(await read(text, delimiter, cuts)).toEqual(rows.map((cells) => ({ cells, line: expect.any(Number) })))
        }),
        { numRuns: 60 },
      )
    },
  )
})

describe('any text at all', () => {
  test('gives the same records wherever it is cut', async () => {
    await fc.assert(
      fc.asyncProperty(awkward, async (text) => {
        const whole = await read(text)
        for (let cut = 1; cut < text.length; cut++) expect(await read(text, ',', [cut])).toEqual(whole)
        expect(
          await read(
            text,
            ',',
            [...text].map((_, i) => i),
          ),
        ).toEqual(whole)
      }),
      { numRuns: 300 },
    )
  })

  test('loses no character to a misread quote', async () => {
    const content = (text: string) => text.replace(/[",\r\n]/g, '')
    await fc.assert(
      fc.asyncProperty(awkward, async (text) => {
        const rows = await read(text)
        expect(content(rows.flatMap((row) => row.cells).join(''))).toBe(content(text))
      }),
    )
  })
})

describe('a quote', () => {
  test('in the middle of a cell is a character: inch marks', async () => {
    expect(await cells('A-1,Monitor 24" black,5"\nA-2,27",x\n')).toEqual([
      ['A-1', 'Monitor 24" black', '5"'],
      ['A-2', '27"', 'x'],
    ])
  })

  test('that closes is followed by text of the same cell, padding included', async () => {
    expect(await cells('"Pen, red" set,"b"  ,c\n')).toEqual([['Pen, red set', 'b  ', 'c']])
  })

  test('may hold line breaks of every kind; records are known by their physical line', async () => {
    expect(await read('a,"1\r\n2\n3\r4"\r\nb,c\rd,"e"\n\nf')).toEqual([
      { line: 1, cells: ['a', '1\r\n2\n3\r4'] },
      { line: 5, cells: ['b', 'c'] },
      { line: 6, cells: ['d', 'e'] },
      { line: 7, cells: [''] },
      { line: 8, cells: ['f'] },
    ])
  })

  test('never closed spoils its own record and no other', async () => {
    const rows = await read('A,1\nB,"2\nC,3\nD,4')
    expect(rows.map((row) => row.cells)).toEqual([
      ['A', '1'],
      ['B', '"2'],
      ['C', '3'],
      ['D', '4'],
    ])
    expect(rows.map((row) => row.fault)).toEqual([
      undefined,
      expect.stringContaining('Line 2: the quote that opens cell 2'),
      undefined,
      undefined,
    ])
  })

  test('is not closed by the quote that opens a cell of a later record', async () => {
    const rows = await read('A,"1,x\nB,2,y\nC,"Mug, red",z\n')
    expect(rows.map((row) => row.cells)).toEqual([
      ['A', '"1', 'x'],
      ['B', '2', 'y'],
      ['C', 'Mug, red', 'z'],
    ])
    expect(rows.map((row) => row.fault !== undefined)).toEqual([true, false, false])
  })

  test.each(['\n', '\r\n', '\r'])('may stay open for any number of lines that end in %j', async (end) => {
    for (const lines of [99, 100, 101, 1_000, 1_001, 100_000]) {
      const cell = Array.from({ length: lines }, (_, i) => `X${i},row,${i}${end}`).join('')
      expect(await read(`A1,"${cell}"${end}last,c`, ',', [500, 1500, 2001, 2002])).toEqual([
        { line: 1, cells: ['A1', cell] },
        { line: 2 + lines, cells: ['last', 'c'] },
      ])
    }
  })

  test('that closes inside a cell is told with the cell as it stands', async () => {
    expect(await read('A,"Mug 5" high,x\nB,"Pen" ,"" or so\n')).toEqual([
      { line: 1, cells: ['A', 'Mug 5 high', 'x'], misquoted: [[1, '"Mug 5" high']] },
      { line: 2, cells: ['B', 'Pen ', ' or so'], misquoted: [[2, '"" or so']] },
    ])
  })
})

describe('size', () => {
  const piece = 'x,y\n'.repeat(30_000)

  test('a quote that is not closed within the longest cell spoils its own record, and no more is held for it', async () => {
    async function* text() {
      yield 'A,1\nB,"'
      for (let i = 0; i < 150; i++) yield piece
      yield 'C,"2"\n'
    }
    const others: RawRow[] = []
    let rows = 0
    let heldMost = 0
    const before = process.memoryUsage().heapUsed
    for await (const batch of readDelimited(text(), { delimiter: ',' })) {
      rows += batch.length
      others.push(...batch.filter(({ cells }) => cells[0] !== 'x'))
      heldMost = Math.max(heldMost, process.memoryUsage().heapUsed - before)
    }
    expect(rows).toBe(4_500_002)
    expect(others).toEqual([
      { line: 1, cells: ['A', '1'] },
      {
        line: 2,
        cells: ['B', '"x', 'y'],
        fault: expect.stringMatching(/^Line 2: .* cell 2 is not closed within 16777216/),
      },
      { line: 4_500_002, cells: ['C', '2'] },
    ])
    expect(heldMost).toBeLessThan(300 * 2 ** 20)
  }, 60_000)

  test('others of the process have their turn while what is held for a quote is cut into rows', async () => {
    async function* text() {
      yield 'A,"'
      for (let i = 0; i < 100; i++) yield piece
    }
    // Of this thread's own work: on a busy machine the clock says more.
    const spent = () => process.threadCpuUsage().user / 1_000
    let turns = 0
    let longestMs = 0
    let reading = true
    const wait = (before: number) =>
      setImmediate(() => {
        turns++
        longestMs = Math.max(longestMs, spent() - before)
        if (reading) wait(spent())
      })
    wait(spent())
    let rows = 0
    for await (const batch of readDelimited(text(), { delimiter: ',' })) rows += batch.length
    reading = false
    expect(rows).toBe(3_000_000)
    expect(turns).toBeGreaterThan(10)
    expect(longestMs).toBeLessThan(100)
  }, 60_000)

  test('a cell may have 16 Mi characters', async () => {
    const mebi = 'x\ny '.repeat(2 ** 8) + 'z'.repeat(2 ** 20 - 2 ** 10)
    async function* text() {
      yield 'A,"'
      for (let i = 0; i < 16; i++) yield i === 0 ? mebi : mebi.replaceAll('\n', ' ')
      yield '"\nB,2\n'
    }
    const rows: RawRow[] = []
    for await (const batch of readDelimited(text(), { delimiter: ',' })) rows.push(...batch)
    expect(rows.map((row) => [row.line, ...row.cells.map((cell) => cell.length), row.fault])).toEqual([
      [1, 1, 2 ** 24, undefined],
      [258, 1, 1, undefined],
    ])
  })

  test('a record beyond all measure is a fault, and the next line is read', async () => {
    const mebi = 'z'.repeat(2 ** 20)
    async function* text() {
      yield 'A,1\nB,'
      for (let i = 0; i < 34; i++) yield mebi
      yield '\nC,3\n'
    }
    const rows: RawRow[] = []
    for await (const batch of readDelimited(text(), { delimiter: ',' })) rows.push(...batch)
    expect(rows).toEqual([
      { line: 1, cells: ['A', '1'] },
      { line: 2, cells: [], raw: `B,${mebi.slice(0, 998)}`, fault: expect.stringContaining('Line 2') },
      { line: 3, cells: ['C', '3'] },
    ])
  })

  test('2,000 cells are a record; blank ones beyond mean nothing, others are a fault', async () => {
    const two = Array.from({ length: 2000 }, (_, i) => `${i}`)
    const [whole, padded, over] = await read(`${two}\n${two},,\n${two},x\n`)
    expect(whole).toEqual({ line: 1, cells: two })
    expect(padded).toEqual({ line: 2, cells: two })
    expect(over).toMatchObject({ line: 3, fault: expect.stringContaining('more than 2000 cells') })
  })

  test('rows come in batches of a few hundred, in order', async () => {
    const text = Array.from({ length: 1203 }, (_, i) => `${i},x\n`).join('')
    const sizes: number[] = []
    let next = 0
    for await (const batch of readDelimited(inPieces(text, [7, 3000]), { delimiter: ',' })) {
      sizes.push(batch.length)
      for (const row of batch) expect(row.cells[0]).toBe(`${next++}`)
    }
    expect(sizes).toEqual([500, 500, 203])
  })
})
