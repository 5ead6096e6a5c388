import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { type KnownRow, openKnownRows } from '../../ingest/known-rows.ts'
import { openScratch } from '../../ingest/scratch.ts'

const scratch = openScratch(join(tmpdir(), `known-${randomUUID()}.duckdb`))
let tables = 0
const counting: typeof scratch = {
  ...scratch,
  table: (...asked) => {
    tables++
    return scratch.table(...asked)
  },
}
beforeEach(() => {
  tables = 0
})
afterAll(() => scratch.close())

const rows = (from: number, to: number): KnownRow[] =>
  Array.from({ length: to - from }, (_, i) => [from + i, `P${from + i}`, false] as const)

test.each([
  ['a few', 30, 0],
  ['more than are kept here', 5_000, 1],
])(
  '%s that are products of their own do not meet; two of one product do, however far apart they stand',
  async (_, count, asked) => {
    const known = openKnownRows(counting)
    for (let from = 0; from < count; from += 700) await known.add(rows(from, Math.min(from + 700, count)))
    expect(await known.meet()).toBe(false)
    expect(await known.met()).toBeNull()
    // Of a few the scratch knows nothing, and need not be opened.
    expect(tables).toBe(asked)
    await known.add([[count, 'P3', true]])
    expect(await known.meet()).toBe(true)
    const met = await known.met()
    expect(Array.from({ length: count + 9 }, (_, seq) => seq).filter((seq) => met?.has(seq))).toEqual([3, count])
  },
)
