import { expect, test } from 'vitest'
import { googleInterval, googleMoment } from '../../../schemas/feeds/google-moment.ts'

test.each([
  ['2026-12-01', '2026-12-01'],
  ['2026-12-01T08:00:00Z', '2026-12-01T08:00Z'],
  ['2026-12-01T08:00:00+01:00', '2026-12-01T08:00+0100'],
  ['soon', null],
  [null, null],
])('%j is sent as %j', (text, sent) => {
  expect(googleMoment(text)).toBe(sent)
})

test.each([
  ['2026-11-28/2026-12-24', '2026-11-28T00:00Z/2026-12-24T23:59Z'],
  ['2026-11-28T08:00:00+01:00/2026-12-24T23:59:59+01:00', '2026-11-28T08:00+0100/2026-12-24T23:59+0100'],
  ['2026-11-28/..', null],
  ['../2026-12-24', null],
  ['a/b/c', null],
  [undefined, null],
])('%j is sent as %j', (text, sent) => {
  expect(googleInterval(text)).toBe(sent)
  expect(sent?.length ?? 0).toBeLessThanOrEqual(51)
})
