import fc from 'fast-check'
import { expect, test } from 'vitest'
import { clockOf, dayMs, hourMs, momentOf, shownAt } from '../../../infra/events/local-time.ts'

const from = Date.UTC(2025, 0, 1)
const to = Date.UTC(2027, 0, 1)
const zones = Intl.supportedValuesOf('timeZone')

const text = (ms: number) => new Date(ms).toISOString().replace('T', ' ').slice(0, 19)
const shownBy = (zone: string, ms: number) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' }).format(ms)

test('the clock of any zone shows what the runtime shows, at any moment', () => {
  const moment = fc.integer({ min: from, max: to - 1 })
  fc.assert(
    fc.property(fc.constantFrom(...zones), moment, (zone, at) => {
      expect(text(shownAt(clockOf(zone, from, to), at))).toBe(shownBy(zone, at))
    }),
    { numRuns: 200 },
  )
})

test('the first moment at which a clock shows so much is one at which it does, unless it never does', () => {
  const moment = fc.integer({ min: from + 2 * dayMs, max: to - 2 * dayMs })
  fc.assert(
    fc.property(fc.constantFrom(...zones), moment, (zone, shown) => {
      const clock = clockOf(zone, from, to)
      const at = momentOf(clock, shown)
      const before = shownAt(clock, at - 1)
      expect(shownAt(clock, at)).toBeGreaterThanOrEqual(shown)
      // What it showed just before is less, or is what it was put back from.
      expect(before < shown || clock.some(({ fromMs }) => fromMs === at)).toBe(true)
      if (shownAt(clock, at) > shown) expect(clock.map(({ fromMs }) => fromMs)).toContain(at)
    }),
    { numRuns: 200 },
  )
})

test('a day begins at midnight, or when the clock is put forward over it', () => {
  const begin = (zone: string, day: string) =>
    new Date(momentOf(clockOf(zone, from, to), Date.parse(`${day}T00:00:00Z`))).toISOString()
  expect(begin('Europe/Berlin', '2026-10-25')).toBe('2026-10-24T22:00:00.000Z')
  expect(begin('Europe/Berlin', '2026-10-26')).toBe('2026-10-25T23:00:00.000Z')
  expect(begin('Africa/Cairo', '2026-04-24')).toBe('2026-04-23T22:00:00.000Z')
  expect(shownAt(clockOf('Africa/Cairo', from, to), Date.parse('2026-04-23T22:00:00Z')) % dayMs).toBe(hourMs)
  expect(begin('Asia/Kolkata', '2026-01-01')).toBe('2025-12-31T18:30:00.000Z')
})
