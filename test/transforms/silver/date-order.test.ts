import { expect, test } from 'vitest'
import { dateEvidence } from '../../../transforms/silver/date-order.ts'

const told = (...cells: string[]) => {
  const evidence = dateEvidence()
  for (const cell of cells) evidence.see(cell)
  return evidence.result()
}

test('one number beyond twelve tells it for the whole column', () => {
  expect(told('03/04/2026', '25/12/2026')).toEqual({
    order: 'day first',
    reason: 'day first in 1 cells such as "25/12/2026"',
  })
  expect(told('03-04-2026 - 12-25-2026')?.order).toBe('month first')
})

test('cells that contradict each other tell nothing', () => {
  expect(told('25/12/2026', '12/25/2026')).toMatchObject({ order: null, mixed: true })
})

test('cells that leave it open are counted, and those that need no evidence are none', () => {
  expect(told('03/04/2026', '04/04/2026', '05/06/2026')).toEqual({
    order: null,
    reason: '2 cells such as "03/04/2026" can be two days each',
  })
  expect(told('2026-12-01', '01.12.2026', '1 May 2026', '12/12/2026', 'x')).toBeNull()
})
