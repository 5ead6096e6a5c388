import { createHash } from 'node:crypto'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { columnsWriter } from '../../../infra/system/exports.ts'
import { readArrow } from '../../../ingest/arrow-ipc.ts'
import { openScratch } from '../../../ingest/scratch.ts'
import { columnarFormats } from '../../../schemas/feeds/feed-formats.ts'
import { columnarBody } from '../../../serving/feeds/columnar-body.ts'
import type { Tally } from '../../../serving/feeds/feed-body.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-columns-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Names that SQL has for itself, and one in capitals. */
const columns = ['id', 'order', 'ITEM "x"', 'additional_image_link', 'shipping']
const profile = { columns, table: { listSeparator: ',' } }
const line = (i: number) => ({
  ...{ id: `P-${i}`, order: '0012', 'ITEM "x"': 'a\tb\n"c" 雪', shipping: { price: '4.90 EUR' } },
  additional_image_link: ['https://cdn.example.test/1.jpg', 'with, comma'],
  unknown: 'x',
})

async function* pages(count: number, ofPage: number) {
  for (let from = 0; from < count; from += ofPage) {
    const lines = Array.from({ length: Math.min(ofPage, count - from) }, (_, i) => JSON.stringify(line(from + i)))
    yield { bytes: Buffer.from(`${lines.join('\n')}\n`), lines: lines.length, last: '' }
  }
}

async function written(format: 'parquet' | 'arrow', of: ReturnType<typeof pages>) {
  let tally: Tally | undefined
  const parts: Buffer[] = []
  const ended = (told: Tally) => {
    tally = told
  }
  const rest = { position: () => 'p', onError: () => {}, ended }
  for await (const bytes of columnarBody({ ...rest, pages: of, profile, format, write: columnsWriter(folder) }))
    parts.push(bytes)
  return { bytes: Buffer.concat(parts), tally }
}

async function readBack(format: 'parquet' | 'arrow', bytes: Buffer) {
  const path = join(folder, `back.${format}`)
  await writeFile(path, bytes)
  const rows: unknown[] = []
  if (format === 'arrow') {
    const table = await readArrow(path, false)
    for await (const page of table.rows()) rows.push(...page.map(({ cells }) => cells))
    expect(table.names).toEqual(columns)
  } else {
    const scratch = openScratch(join(folder, 'back.duckdb'))
    for await (const page of scratch.stream(`select * from read_parquet('${path}')`)) rows.push(...page)
    await scratch.close()
  }
  await rm(path)
  return rows
}

describe.each(columnarFormats)('%s', (format) => {
  test('has a row a line with the platform’s columns as text, whatever their names', async () => {
    const { bytes, tally } = await written(format, pages(3, 2))
    const rows = await readBack(format, bytes)
    expect(rows).toHaveLength(3)
    expect(rows[2]).toEqual([
      ...['P-2', '0012', 'a\tb\n"c" 雪', 'https://cdn.example.test/1.jpg,"with, comma"', '{"price":"4.90 EUR"}'],
    ])
    expect(tally).toEqual({ lines: 3, bytes: bytes.length, whole: true, broken: false, position: 'p' })
  })

  test('the same lines give the same bytes, in whatever pages they come', async () => {
    const sums = await Promise.all(
      [7, 500, 2_500].map(async (ofPage) =>
        createHash('sha256')
          .update((await written(format, pages(2_500, ofPage))).bytes)
          .digest('hex'),
      ),
    )
    expect(new Set(sums).size).toBe(1)
  })

  test('a feed without lines is a table without rows', async () => {
    expect(await readBack(format, (await written(format, pages(0, 1))).bytes)).toEqual([])
  })

  test('what breaks off breaks the answer off, is told, and leaves no file', async () => {
    async function* broken() {
      yield* pages(2, 1)
      throw new Error('the store is away')
    }
    await expect(written(format, broken())).rejects.toThrow('the store is away')
    expect(await readdir(folder)).toEqual([])
  })
})
