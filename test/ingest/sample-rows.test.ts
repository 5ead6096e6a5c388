import { expect, test } from 'vitest'
import { sampleRows } from '../../ingest/sample-rows.ts'

const rowsOf = (cells: readonly (readonly (string | readonly string[])[])[]) =>
  cells.map((row, i) => ({ row: i + 1, line: i + 2, cells: row }))

/** A table that tells how many batches were taken of it. */
function tableOf(header: readonly string[], batches: readonly ReturnType<typeof rowsOf>[]) {
  const taken = { batches: 0 }
  return {
    taken,
    table: {
      header,
      async *rows() {
        for (const batch of batches) {
          taken.batches++
          yield batch
        }
      },
    },
  }
}

test('a sample is of the first thousand rows, and nothing after them is read', async () => {
  const batch = rowsOf(Array.from({ length: 400 }, (_, i) => [`A-${i}`]))
  const { table, taken } = tableOf(['sku'], [batch, batch, batch, batch, batch])
  const sample = await sampleRows(table)
  expect(sample.rows).toBe(1_000)
  expect(sample.of('sku')).toMatchObject({ filled: 1_000, distinct: 400 })
  expect(taken.batches).toBe(3)
})

test('a sample of wide rows is of fewer', async () => {
  const wide = 'x'.repeat(1_500_000)
  const { table } = tableOf(
    ['sku', 'description'],
    [
      rowsOf([
        ['A', wide],
        ['B', wide],
        ['C', wide],
      ]),
    ],
  )
  expect((await sampleRows(table)).rows).toBe(2)
})

test('a sample leaves out rows that are at fault, and takes every value of a list', async () => {
  const [good, bad] = rowsOf([
    ['A', ['x', 'y']],
    ['', ''],
  ])
  if (!good || !bad) throw new Error('two rows')
  const fault = { ...bad, fault: { code: 'ragged', says: 'too few cells' } as const }
  const { table } = tableOf(['sku', 'images'], [[good, fault]])
  const sample = await sampleRows(table)
  expect(sample.rows).toBe(1)
  expect(sample.of('images').filled).toBe(2)
  expect(sample.of('nothing').filled).toBe(0)
})
