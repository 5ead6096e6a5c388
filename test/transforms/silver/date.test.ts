import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dateRule, readDate } from '../../../transforms/silver/date.ts'
import { contextOf } from './said.ts'

const utc = { order: null, zone: 'UTC' } as const
const read = (raw: string, rule: Parameters<typeof readDate>[1] = utc, edge: 'start' | 'end' = 'start') => {
  const { value, findings } = readDate(raw, rule, edge)
  return [value, ...findings.map(({ code }) => code)]
}

describe('a date', () => {
  test.each([
    ['2026-12-01', '2026-12-01'],
    ['2026/12/1', '2026-12-01'],
    ['20261201', '2026-12-01'],
    ['01.12.2026', '2026-12-01'],
    ['1. 12. 2026', '2026-12-01'],
    ['25/12/2026', '2026-12-25'],
    ['12/25/2026', '2026-12-25'],
    ['05/05/2026', '2026-05-05'],
    ['1 December 2026', '2026-12-01'],
    ['December 1st, 2026', '2026-12-01'],
    ['1-Dec-2026', '2026-12-01'],
    ['1. Dezember 2026', '2026-12-01'],
    ['1er décembre 2026', '2026-12-01'],
    ['1 de diciembre de 2026', '2026-12-01'],
    ['1 de dezembro de 2026', '2026-12-01'],
    ['1 dicembre 2026', '2026-12-01'],
    ['1 augustus 2026', '2026-08-01'],
    ['1 listopada 2026 r.', '2026-11-01'],
    ['1. září 2026', '2026-09-01'],
    ['1 декабря 2026 г.', '2026-12-01'],
    ['2026年12月1日', '2026-12-01'],
    ['24 Aralık 2026', '2026-12-24'],
    ['1 AĞUSTOS 2026', '2026-08-01'],
    ['1 augusti 2026', '2026-08-01'],
    ['1. marts 2026', '2026-03-01'],
    ['1. desember 2026', '2026-12-01'],
    ['1. joulukuuta 2026', '2026-12-01'],
    ['1 грудня 2026 р.', '2026-12-01'],
    ['1. decembra 2026', '2026-12-01'],
    ['1 decembrie 2026', '2026-12-01'],
    ['2026. december 1.', '2026-12-01'],
    ['２０２６－１２－０１', '2026-12-01'],
    ['2026-12-01 00:00:00', '2026-12-01'],
    ['2026-12-01T08:00:00Z', '2026-12-01T08:00:00Z'],
    ['2026-12-01T08:00+0100', '2026-12-01T08:00:00+01:00'],
    ['2026-12-01T00:00:00.000Z', '2026-12-01T00:00:00Z'],
    ['12/25/2026 8:30 pm', '2026-12-25T20:30:00Z'],
    ['0000-00-00', null],
  ])('%j is %j', (raw, date) => {
    expect(read(raw)).toEqual([date])
  })

  test.each([
    ['03/04/2026', 'ambiguous_date'],
    ['03-04-2026', 'ambiguous_date'],
    ['31.02.2026', 'unreadable_date'],
    ['2026-13-01', 'unreadable_date'],
    ['26/12/01', 'unreadable_date'],
    ['46357', 'unreadable_date'],
    ['soon', 'unreadable_date'],
    ['2026-12-01 25:00', 'unreadable_date'],
  ])('%j is none, and the row says why: %s', (raw, code) => {
    expect(read(raw)).toEqual([null, code])
  })

  test('with two digits for its year is read and told', () => {
    expect(read('01.12.26')).toEqual(['2026-12-01', 'two_digit_year'])
  })

  test('whose numbers do not tell is read by its column', () => {
    expect(read('03/04/2026', { order: 'day first', zone: 'UTC' })).toEqual(['2026-04-03'])
    expect(read('03/04/2026', { order: 'month first', zone: 'UTC' })).toEqual(['2026-03-04'])
    expect(read('25/12/2026', { order: 'month first', zone: 'UTC' })).toEqual(['2026-12-25'])
  })

  test('is a day of the time zone of the workspace, from its beginning or to its end', () => {
    const berlin = { order: null, zone: 'Europe/Berlin' }
    expect(read('2026-12-01', berlin)).toEqual(['2026-12-01T00:00:00+01:00'])
    expect(read('2026-07-01', berlin, 'end')).toEqual(['2026-07-01T23:59:59+02:00'])
    expect(read('2026-12-01 08:00', berlin)).toEqual(['2026-12-01T08:00:00+01:00'])
    expect(read('2026-12-01T08:00:00Z', berlin)).toEqual(['2026-12-01T08:00:00Z'])
    expect(read('2026-12-01', { order: null, zone: '-03:30' })).toEqual(['2026-12-01T00:00:00-03:30'])
  })

  test('that was read is read as itself again, and any text is read without an error', () => {
    const day = fc.date({ min: new Date('1950-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
    const written = day.chain((date) => {
      const iso = date.toISOString()
      const [year, month, of] = iso.slice(0, 10).split('-')
      return fc.constantFrom(
        iso,
        iso.slice(0, 10),
        `${of}.${month}.${year}`,
        `${of}/${month}/${year}`,
        iso.slice(0, 16),
      )
    })
    const any = fc.oneof(written, fc.string({ unit: fc.constantFrom(...'0123456789-/.: TZ+年月日Dec') }), fc.string())
    const zones = fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', '+09:00')
    fc.assert(
      fc.property(any, zones, fc.constantFrom('start', 'end'), (raw, zone, edge) => {
        const rule = { order: 'day first', zone } as const
        const { value } = readDate(raw, rule, edge)
        if (value === null) return
        expect(Number.isNaN(Date.parse(value))).toBe(false)
        expect(readDate(value, { ...rule, order: null }, edge)).toEqual({ value, findings: [] })
      }),
      { numRuns: 500 },
    )
  })
})

describe('which number is the day', () => {
  const told = (dates: Parameters<typeof contextOf>[0] = {}, locale?: string) =>
    dateRule({ column: 'until' }, contextOf(dates)(1), locale === undefined ? {} : { locale }).order

  test('says the evidence of the column before the locale of the workspace', () => {
    const until = { order: 'day first', reason: '' } as const
    expect(told({ dates: { until } }, 'en-US')).toBe('day first')
    expect(told({}, 'en-US')).toBe('month first')
    expect(told({}, 'en-GB')).toBe('day first')
    expect(told({}, 'de')).toBe('day first')
  })

  test('nobody says where English has no country, where the year is first, and where the column contradicts itself', () => {
    expect(told({}, 'en')).toBeNull()
    expect(told({}, 'sv')).toBeNull()
    expect(told()).toBeNull()
    const until = { order: null, mixed: true, reason: '' } as const
    expect(told({ dates: { until } }, 'en-US')).toBeNull()
  })
})
