import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Bounds, defaultBounds } from '../../../ingest/packing/bounds.ts'
import { openContent } from '../../../ingest/packing/open-content.ts'
import { type OpenOptions, openTable, type TableRow } from '../../../ingest/readers/table.ts'
import { exportFormatNames } from '../../../schemas/export.ts'
import { exportColumns } from '../../../transforms/versions/export-row.ts'
import { enough } from '../../enough.ts'
import { written } from '../../exported.ts'
import { packers, zipped } from './packed.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'packed-'))
})
afterAll(() => rm(folder, { recursive: true }))

let files = 0
async function fileOf(bytes: Uint8Array): Promise<string> {
  const path = join(folder, `${files++}`)
  await writeFile(path, bytes)
  return path
}

async function contentOf(bytes: Uint8Array, bounds: Bounds = defaultBounds): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of (await openContent(await fileOf(bytes), bounds)).open()) chunks.push(chunk)
  return Buffer.concat(chunks)
}

async function read(bytes: Uint8Array, options: OpenOptions = {}) {
  const { rows, ...table } = await openTable(await fileOf(bytes), options)
  const all: TableRow[] = []
  for await (const batch of rows()) all.push(...batch)
  return { ...table, rows: all }
}

const csv = Buffer.from('sku,title\nA-1,Caf\xe9 cr\xe8me\n', 'latin1')

describe.each(packers)('a file packed with %s', (name, pack) => {
  test('is what was packed, byte by byte, however often it is read', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 3_000, size: 'max' }), async (bytes) => {
        const content = await openContent(await fileOf(await pack(bytes)), defaultBounds)
        for (let i = 0; i < 2; i++) {
          const chunks: Uint8Array[] = []
          for await (const chunk of content.open()) chunks.push(chunk)
          expect(Buffer.concat(chunks).equals(bytes)).toBe(true)
        }
      }),
      { numRuns: enough(12, 30) },
    )
  })

  test.each(exportFormatNames)('may be %s, and is the same table; nothing is left behind', async (format) => {
    const row = exportColumns.map((column) => (column === 'sku' ? 'P-1' : column === 'title' ? 'Müsli' : ''))
    const bytes = await written(format, [row, row])
    const before = await readdir(folder)
    const packed = await read(await pack(bytes))
    const plain = await read(bytes)
    expect(packed.notes.slice(1)).toEqual(plain.notes)
    expect(packed.notes[0]).toContain(name)
    expect({ ...packed, notes: [] }).toEqual({ ...plain, notes: [] })
    expect((await readdir(folder)).length).toBe(before.length + 2)
  })

  test('is decoded as any other', async () => {
    expect((await read(await pack(csv))).rows).toMatchObject([{ cells: ['A-1', 'Café crème'] }])
  })

  test('that breaks off or is damaged is refused in one sentence', async () => {
    const bytes = await pack(
      Buffer.from(`sku,title\n${Array.from({ length: 9_000 }, (_, i) => `${i * i},Mug ${i}\n`).join('')}`),
    )
    for (const length of [6, 40, Math.floor(bytes.length / 2), bytes.length - 9])
      await expect(contentOf(bytes.subarray(0, length))).rejects.toMatchObject({
        code: 'not_text',
        says: expect.stringMatching(/damaged; pack it again$/),
      })
  })

  test('that holds more than it may is refused before it is read', async () => {
    const bomb = await pack(Buffer.alloc(30_000_000))
    const bounds = { mostBytes: 2 ** 40, freeBytes: 1_000_000, mostRatio: 100 }
    const most = Math.max(bounds.freeBytes, bounds.mostRatio * bomb.length)
    expect(most).toBeLessThan(30_000_000)
    await expect(contentOf(bomb, bounds)).rejects.toMatchObject({
      code: 'too_large',
      says: expect.stringMatching(/packed bytes hold more than \d+, which is the most/),
    })
    await expect(contentOf(bomb, { ...defaultBounds, mostBytes: 29_000_000 })).rejects.toMatchObject({
      code: 'too_large',
    })
    expect((await contentOf(bomb)).length).toBe(30_000_000)
  })

  test('is not unpacked a second time', async () => {
    for (const inner of [gzipSync(csv), zstdCompressSync(csv), await zipped({ 'a.csv': csv })])
      await expect(read(await pack(inner))).rejects.toMatchObject({
        code: 'not_a_table',
        says: expect.stringMatching(/archive; unpack it once, and send what is inside$/),
      })
  })
})

test.each([
  ['gzip', gzipSync],
  ['zstd', zstdCompressSync],
] as const)('a %s file that was joined of several is read to its end', async (_, pack) => {
  const parts = ['sku,title\n', 'A,Mug\n', 'B,Cup\n'].map((part) => pack(part))
  expect((await contentOf(Buffer.concat(parts))).toString()).toBe('sku,title\nA,Mug\nB,Cup\n')
})

test('what zstd lets a reader skip is skipped', async () => {
  const skippable = Buffer.from('\x50\x2a\x4d\x18\x04\0\0\0note', 'latin1')
  const [a, b] = [zstdCompressSync('sku\n'), zstdCompressSync('A\n')]
  expect((await contentOf(Buffer.concat([skippable, a, skippable, b]))).toString()).toBe('sku\nA\n')
})

describe('a ZIP archive', () => {
  test('may hold what systems put beside a file', async () => {
    const bytes = await zipped({
      'list/': '',
      '__MACOSX/list/._products.csv': 'x',
      'list/.DS_Store': 'x',
      'list/products.csv': csv,
    })
    expect((await read(bytes)).notes[0]).toBe('"list/products.csv" of a ZIP archive')
  })

  test.each([
    ['of two files', { 'a.csv': 'x', 'b.csv': 'y' }, 'not_a_table', /has 2 files \("a\.csv", "b\.csv"\); send one/],
    [
      'of many',
      Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`${i}.csv`, 'x'])),
      'not_a_table',
      /has 30 files .* and 20 more/,
    ],
    ['of nothing', {}, 'empty_file', /has no file in it/],
    ['of a folder', { 'a/': '' }, 'empty_file', /has no file in it/],
    ['of an OpenDocument sheet', { mimetype: 'x', 'content.xml': '<x/>' }, 'not_text', /OpenDocument/],
    ['of a binary workbook', { 'xl/workbook.bin': 'x' }, 'not_text', /XLSB/],
  ])('%s is refused, and says why', async (_, files, code, says) => {
    await expect(contentOf(await zipped(files))).rejects.toMatchObject({ code, says: expect.stringMatching(says) })
  })

  test.each([
    [['readme.txt'], '"readme.txt"'],
    [['LICENSE', 'images/a.jpg', 'Liesmich.txt', 'list/.DS_Store'], '"LICENSE", "images/a.jpg", "Liesmich.txt"'],
  ])('may hold what is no table beside the one that is, and that is told: %j', async (others, named) => {
    const files = Object.fromEntries(others.map((name) => [name, 'not a table']))
    for (const name of ['products.csv', 'list/products.TSV', 'feed.txt', 'a.ndjson', 'a.xml']) {
      const table = await read(await zipped({ ...files, [name]: 'sku\ttitle\nA\tMug\n' }), { kind: 'csv' })
      expect(table.rows).toMatchObject([{ cells: ['A', 'Mug'] }])
      expect(table.notes[0]).toBe(
        `${JSON.stringify(name)} of a ZIP archive; ${named} beside it can be no table by name and was left out`,
      )
    }
  })

  test.each([
    [['a.csv', 'b.txt', 'readme.txt'], '"a.csv", "b.txt"'],
    [['a.csv', 'a.xls'], '"a.csv", "a.xls"'],
    [['one', 'two.jpg'], '"one", "two.jpg"'],
  ])('of several files that may be meant is refused, naming those: %j', async (names, named) => {
    const bytes = await zipped(Object.fromEntries(names.map((name) => [name, 'x'])))
    await expect(contentOf(bytes)).rejects.toMatchObject({
      code: 'not_a_table',
      says: `The ZIP archive has 2 files (${named}); send one product file in each`,
    })
  })

  test.each(['../../etc/a.csv', '/etc/xyz/a.csv', 'C:/xyzwv/a.csv', '..\\..\\etc\\a.csv'])(
    'may have any path in it, since nothing is written there: %s',
    async (odd) => {
      const plain = `${'x'.repeat(odd.length - 4)}.csv`
      const bytes = Buffer.from((await zipped({ [plain]: csv })).toString('latin1').replaceAll(plain, odd), 'latin1')
      expect(await contentOf(bytes)).toEqual(csv)
    },
  )

  test('whose file is not what was packed is refused, wherever a byte was changed', async () => {
    for (const compress of [false, true]) {
      const bytes = await zipped({ 'a.csv': 'sku,title\nA-1,Enamel mug\nA-2,Enamel cup\n' }, compress)
      const begins = 30 + 'a.csv'.length
      const ends = bytes.indexOf(Buffer.from('PK\x07\x08', 'latin1'))
      for (let at = begins; at < (ends < 0 ? bytes.indexOf(Buffer.from('PK\x01\x02', 'latin1')) : ends); at++) {
        const odd = Buffer.from(bytes)
        odd[at] = (odd[at] ?? 0) ^ 1
        await expect(contentOf(odd)).rejects.toMatchObject({
          code: 'not_text',
          says: expect.stringMatching(/damaged; pack it again$/),
        })
        await expect(read(odd)).rejects.toMatchObject({ code: 'not_text' })
      }
    }
  })

  test('with a password is refused, and says so', async () => {
    const bytes = await zipped({ 'products.csv': csv })
    for (const signature of ['PK\x03\x04', 'PK\x01\x02']) {
      const at = bytes.indexOf(Buffer.from(signature, 'latin1')) + (signature.endsWith('\x04') ? 6 : 8)
      bytes.writeUInt16LE(bytes.readUInt16LE(at) | 1, at)
    }
    await expect(contentOf(bytes)).rejects.toMatchObject({
      code: 'not_text',
      says: '"products.csv" in the archive is encrypted; send it without a password',
    })
  })
})

test('text that begins with the letters PK is text', async () => {
  expect((await read(Buffer.from('PK,title\n1,Mug\n'))).header).toEqual(['PK', 'title'])
})
