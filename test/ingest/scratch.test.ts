import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openScratch, type Scratch } from '../../ingest/scratch.ts'

let folder: string
let scratch: Scratch
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-scratch-'))
  scratch = openScratch(join(folder, 'scratch'))
})
afterAll(async () => {
  await scratch.close()
  await rm(folder, { recursive: true })
})

test('a table gives back what was put in: texts, numbers up to 2^53, any bytes, and nothing', async () => {
  type Row = [string | null, number | null, number | null, Buffer | null]
  const row = fc.tuple(
    fc.option(fc.string({ unit: 'grapheme' })),
    fc.option(fc.integer()),
    fc.option(fc.maxSafeInteger()),
    fc.option(fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes))),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 30 }), async (rows: Row[]) => {
      const table = await scratch.table('all_types', [
        { name: 'nr', type: 'number' },
        { name: 'a', type: 'text' },
        { name: 'b', type: 'number' },
        { name: 'c', type: 'long' },
        { name: 'd', type: 'bytes' },
      ])
      for (const [i, values] of rows.entries()) table.add([i, ...values])
      table.flush()
      const got: unknown[][] = []
      for await (const page of scratch.stream<unknown>('select a, b, c, d from all_types order by nr'))
        got.push(...page)
      expect(got).toEqual(rows)
    }),
    { numRuns: 30 },
  )
})
