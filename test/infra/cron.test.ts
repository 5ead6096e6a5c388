import { expect, test } from 'vitest'
import { nextRun } from '../../infra/cron.ts'

const after = new Date('2026-03-28T12:00:00Z')

test('a schedule is due by the clock of its time zone, also behind a change of clocks', () => {
  expect(nextRun('0 4 * * *', 'UTC', after)).toEqual(new Date('2026-03-29T04:00:00Z'))
  expect(nextRun('0 4 * * *', 'Europe/Berlin', after)).toEqual(new Date('2026-03-29T02:00:00Z'))
  expect(nextRun('0 4 * * *', 'Europe/Berlin', new Date('2026-03-27T12:00:00Z'))).toEqual(
    new Date('2026-03-28T03:00:00Z'),
  )
})

test('a moment that is due is not due again: the next is behind it', () => {
  const due = new Date('2026-03-29T04:00:00Z')
  expect(nextRun('0 4 * * *', 'UTC', due)).toEqual(new Date('2026-03-30T04:00:00Z'))
})

test.each(['61 * * * *', '0 0 30 2 *', '*/0 * * * *', ', * * * *', '0 24 * * *'])('%s never comes', (line) => {
  expect(nextRun(line, 'UTC', after)).toBeNull()
})
