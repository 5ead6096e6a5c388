import fc from 'fast-check'
import { expect, test } from 'vitest'
import { recordColumns } from '../../../infra/archive/record-columns.ts'

const columns = (value: unknown) => recordColumns(Buffer.from(JSON.stringify(value)))

test('a record says whose it is, what of, and when', () => {
  const record = {
    op: 'put',
    workspace: 'ws_a',
    catalog: 'c',
    import: 'i',
    source: 'api',
    at: '2026-11-28T00:00:00.001Z',
  }
  const { at: _, ...texts } = record
  expect(columns(record)).toEqual({ ...texts, time: Date.UTC(2026, 10, 28, 0, 0, 0, 1) })
})

test('what is no text says nothing, and nor does a time that is none', () => {
  const nothing = { workspace: null, catalog: null, import: null, source: null, op: null, time: null }
  expect(columns({ workspace: 3, catalog: {}, import: null, source: ['x'], at: 'soon' })).toEqual(nothing)
  for (const value of [null, 7, 'text', [1]]) expect(columns(value)).toEqual(nothing)
})

test('of any bytes something is said, and never an exception', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.uint8Array(),
        fc.json().map((text) => Buffer.from(text)),
      ),
      (bytes) => {
        const { time } = recordColumns(Buffer.from(bytes))
        expect(time === null || Number.isFinite(time)).toBe(true)
      },
    ),
  )
})
