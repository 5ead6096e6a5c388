import { describe, expect, test } from 'vitest'
import { readSaleDates, saleDates } from '../../../transforms/silver/sale-dates.ts'

const rule = { order: null, zone: 'UTC' } as const
const codes = ({ value, findings }: ReturnType<typeof readSaleDates>) => [value, ...findings.map(({ code }) => code)]

describe('the time of a sale', () => {
  test.each([
    ['2026-11-28/2026-12-24', '2026-11-28/2026-12-24'],
    ['2026-11-28T08:00-0800/2026-12-24T15:30-0800', '2026-11-28T08:00:00-08:00/2026-12-24T15:30:00-08:00'],
    ['2026-11-28 / 2026-12-24', '2026-11-28/2026-12-24'],
    ['28.11.2026 - 24.12.2026', '2026-11-28/2026-12-24'],
    ['28.11.2026–24.12.2026', '2026-11-28/2026-12-24'],
    ['28.11.2026-24.12.2026', '2026-11-28/2026-12-24'],
    ['28/11/2026 - 24/12/2026', '2026-11-28/2026-12-24'],
    ['vom 28.11.2026 bis 24.12.2026', '2026-11-28/2026-12-24'],
    ['du 28/11/2026 au 24/12/2026', '2026-11-28/2026-12-24'],
    ['28 November 2026 to 24 December 2026', '2026-11-28/2026-12-24'],
    ['2026-11-28/2026-11-28', '2026-11-28/2026-11-28'],
    ['2026-11-28/2026-11-28T12:00:00Z', '2026-11-28/2026-11-28T12:00:00Z'],
  ])('%j is %j, which reads as itself', (raw, dates) => {
    expect(codes(readSaleDates(raw, rule))).toEqual([dates])
    expect(codes(readSaleDates(dates, rule))).toEqual([dates])
  })

  test.each([
    ['2026-11-28/', '2026-11-28/..', 'sale_dates_open'],
    ['../2026-12-24', '../2026-12-24', 'sale_dates_open'],
    ['2026-12-24/2026-11-28', null, 'sale_dates_reversed'],
    ['2026-11-28', null, 'unreadable_interval'],
    ['/', null, 'unreadable_interval'],
    ['all winter', null, 'unreadable_interval'],
    ['03/04/2026 - 05/04/2026', null, 'ambiguous_date', 'ambiguous_date'],
    ['2026-11-28/soon', null, 'unreadable_date'],
  ])('%j is %j, and the row says why: %s', (raw, ...told) => {
    expect(codes(readSaleDates(raw, rule))).toEqual(told)
  })

  test('is made of two cells, each by the order of its own column', () => {
    const first = { order: 'month first', zone: 'UTC' } as const
    const then = { order: 'day first', zone: 'UTC' } as const
    expect(codes(saleDates('11/10/2026', first, '11/12/2026', then))).toEqual(['2026-11-10/2026-12-11'])
    expect(codes(saleDates('', first, '11/12/2026', then))).toEqual(['../2026-12-11', 'sale_dates_open'])
    expect(codes(saleDates('0000-00-00', first, '', then))).toEqual([null])
  })
})
