import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type PageCursor, readSearchCursor, writeSearchCursor } from '../../../serving/search/search-cursor.ts'
import { longestCursor, toldText } from '../../../serving/search/search-query.ts'

const whole = fc.nat()
const counted = fc.nat({ max: 1_000_000 })
const pin = fc.record({ catalog: fc.uuid(), version: counted, at: counted, popularity: counted })
const cursor: fc.Arbitrary<PageCursor> = fc.record({
  pins: fc.array(pin, { maxLength: 200, size: 'max' }),
  edition: whole,
  resume: fc.record({
    place: fc.option(
      fc.record({ rank: fc.double({ noNaN: true, noDefaultInfinity: true }), id: fc.uuid() }).map((place) => ({
        // JSON has no other zero.
        ...place,
        rank: place.rank + 0,
      })),
    ),
    rows: whole,
    pins: whole,
  }),
  askedMs: whole,
  corrected: fc.option(fc.string({ maxLength: 512, unit: 'grapheme' })),
  search: fc.uuid(),
  shown: whole,
})

test('a cursor is read as it was written, with its own question alone, and fits into an address with hundreds of catalogs', () => {
  fc.assert(
    fc.property(cursor, (one) => {
      const text = writeSearchCursor(one, 'question')
      expect(readSearchCursor(text, 'question')).toEqual(one)
      expect(readSearchCursor(text, 'another')).toBeNull()
      if (one.corrected === null) expect(text.length).toBeLessThan(longestCursor)
      expect(encodeURIComponent(text)).toBe(text)
    }),
    { numRuns: 50 },
  )
})

test('whatever is sent for one is none, and no error', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.base64String().map((text) => `~${text}`),
      ),
      (text) => {
        expect(readSearchCursor(text, 'question')).toBeNull()
      },
    ),
  )
})

test('a long query is told without half a letter', () => {
  expect(toldText(`a${'𠮷'.repeat(511)}`).isWellFormed()).toBe(true)
})
