import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exportWriter } from '../../../infra/system/exports.ts'
import { exportFormatNames } from '../../../schemas/export.ts'
import { exportColumns } from '../../../transforms/versions/export-row.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-exports-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const text = 'A mug of steel for two, and for the open air. '.repeat(20)
const row = (i: number) =>
  exportColumns.map((column) => (column === 'assay_id' ? `p-${i}` : column === 'title' ? text : ''))

/** @param asked told each time a page is wanted */
async function* pages(count: number, rows: number, asked = () => {}) {
  for (let page = 0; page < count; page++) {
    asked()
    yield Array.from({ length: rows }, (_, i) => row(page * rows + i))
  }
}

describe.each(['csv', 'ndjson', 'arrow'] as const)('%s', (format) => {
  test('is made no faster than it is read', async () => {
    let asked = 0
    const stream = await exportWriter(folder)(
      format,
      pages(200, 200, () => void asked++),
    )
    const reader = stream[Symbol.asyncIterator]()
    await reader.next()
    await sleep(50)
    expect(asked).toBeLessThan(8)
    await reader.return?.()
    expect(asked).toBeLessThan(8)
  })
})

describe.each(exportFormatNames)('%s', (format) => {
  test('holds a few pages at a time, however many there are', async () => {
    const peakOf = async (count: number) => {
      let peak = 0
      const stream = await exportWriter(folder)(
        format,
        pages(count, 500, () => {
          const { heapUsed, arrayBuffers } = process.memoryUsage()
          peak = Math.max(peak, heapUsed + arrayBuffers)
        }),
      )
      for await (const _ of stream);
      return peak
    }
    await peakOf(4)
    const few = await peakOf(4)
    // 25 MB of text: what is not garbage by then would show.
    expect((await peakOf(50)) - few).toBeLessThan(64_000_000)
    expect(await readdir(folder)).toEqual([])
  }, 60_000)

  test('fails as its pages do, and leaves nothing', async () => {
    async function* broken() {
      yield [row(0)]
      throw new Error('the catalog is away')
    }
    const read = async () => {
      for await (const _ of await exportWriter(folder)(format, broken()));
    }
    await expect(read()).rejects.toThrow('the catalog is away')
    expect(await readdir(folder)).toEqual([])
  })
})

test('a text that is longer than a cell of Excel takes is said before anything is sent', async () => {
  const long = exportColumns.map((column) => (column === 'description' ? 'x'.repeat(32_768) : 'p-1'))
  async function* page() {
    yield [long]
  }
  await expect(exportWriter(folder)('xlsx', page())).rejects.toMatchObject({
    code: 'INVALID_REQUEST',
    field: 'format',
    message: expect.stringMatching(/description of product p-1 has 32768 characters.*ask for csv/),
  })
})
