import fc from 'fast-check'
import { expect, test } from 'vitest'
import { askedRange } from '../../serving/byte-range.ts'

const held = { bytes: 100, tag: '"abc"', at: new Date('2026-11-28T04:00:06.800Z') }
const asked = (range: string, condition?: string) =>
  askedRange(condition === undefined ? { range } : { range, 'if-range': condition }, held)

test.each([
  ['bytes=0-9', { start: 0, end: 9 }],
  ['bytes=90-', { start: 90, end: 99 }],
  ['bytes=-10', { start: 90, end: 99 }],
  ['bytes=-1000', { start: 0, end: 99 }],
  ['bytes=50-1000', { start: 50, end: 99 }],
  ['Bytes = 1-1', { start: 1, end: 1 }],
  ['bytes=100-', 'outside'],
  ['bytes=-0', 'outside'],
  // Nobody has to understand these.
  ['bytes=9-0', 'all'],
  ['bytes=0-1,5-6', 'all'],
  ['lines=0-1', 'all'],
  ['bytes=-', 'all'],
  ['', 'all'],
])('%s', (range, expected) => {
  expect(asked(range)).toEqual(expected)
})

test('If-Range binds it to the very file: by a strong tag, or its exact date', () => {
  expect(asked('bytes=0-9', '"abc"')).toEqual({ start: 0, end: 9 })
  expect(asked('bytes=0-9', held.at.toUTCString())).toEqual({ start: 0, end: 9 })
  for (const other of ['"def"', 'W/"abc"', 'Sat, 28 Nov 2026 04:00:07 GMT', 'yesterday'])
    expect(asked('bytes=0-9', other)).toBe('all')
})

test('whatever is asked for, what is sent lies in the file', () => {
  fc.assert(
    fc.property(fc.nat(2_000), fc.option(fc.nat(3_000)), fc.option(fc.nat(3_000)), (bytes, first, last) => {
      const range = askedRange({ range: `bytes=${first ?? ''}-${last ?? ''}` }, { ...held, bytes })
      if (typeof range === 'string') return
      expect(range.start).toBeGreaterThanOrEqual(0)
      expect(range.start).toBeLessThanOrEqual(range.end)
      expect(range.end).toBeLessThan(bytes)
    }),
  )
})
