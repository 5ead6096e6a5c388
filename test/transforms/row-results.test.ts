import fc from 'fast-check'
import { expect, test } from 'vitest'
import { noRows, openRows, type RowResult, unpackRows } from '../../transforms/row-results.ts'

const every = { after: 0, upTo: Number.MAX_SAFE_INTEGER, result: null, limit: Number.MAX_SAFE_INTEGER }
const packed = (rows: readonly RowResult[]) => {
  const open = openRows()
  for (const { row, result } of rows) open.add(row, result)
  return open.packed()
}
const inOrder = (rows: readonly RowResult[]) => rows.toSorted((a, b) => a.row - b.row)

const result = fc.constantFrom('created' as const, 'updated' as const, 'unchanged' as const)
const row = fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 2 ** 48 }))
const rows = fc.uniqueArray(fc.record({ row, result }), { selector: (one) => one.row, maxLength: 300 })

test('rows come back in order with the results they were given, whatever order they came in', () => {
  fc.assert(
    fc.property(rows, (given) => {
      const { first, last, bytes } = packed(given)
      const back = unpackRows(bytes, every)
      expect(back).toEqual(inOrder(given))
      expect([first, last]).toEqual([back[0]?.row ?? null, back.at(-1)?.row ?? null])
    }),
  )
})

test('what is asked for is what looking through all of them finds', () => {
  const wanted = fc.record({ after: row, upTo: row, result: fc.option(result), limit: fc.integer({ min: 0, max: 20 }) })
  fc.assert(
    fc.property(rows, wanted, (given, asked) => {
      const { after, upTo, limit } = asked
      const fits = (one: RowResult) =>
        one.row > after && one.row <= upTo && (asked.result === null || one.result === asked.result)
      expect(unpackRows(packed(given).bytes, asked)).toEqual(inOrder(given).filter(fits).slice(0, limit))
    }),
  )
})

test('a row is a byte, as long as a batch has one of every thirty rows', () => {
  const given = Array.from({ length: 2_000 }, (_, i): RowResult => ({ row: 1 + i * 30, result: 'unchanged' }))
  expect(packed(given).bytes).toHaveLength(2_000)
})

test('no rows are no bytes', () => {
  expect(packed([])).toEqual(noRows)
  expect(unpackRows(noRows.bytes, every)).toEqual([])
})

test('bytes that end in the middle of a row, or have a result that nobody gave, are no rows', () => {
  const { bytes } = packed([{ row: 1_000, result: 'created' }])
  expect(() => unpackRows(bytes.slice(0, -1), every)).toThrow('in the middle')
  expect(() => unpackRows(Uint8Array.of(7), every)).toThrow('no result has the number 3')
})
