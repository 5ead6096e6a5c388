import { describe, expect, test } from 'vitest'
import { countLine, type Report, tally } from './tally.ts'

const file = (status: string, tests: Record<string, string> = {}): Report['testResults'][number] => ({
  name: '/assay/test/some.test.ts',
  status,
  assertionResults: Object.entries(tests).map(([fullName, state]) => ({ fullName, status: state })),
})

const line = (files: Report['testResults'], exitCode: number) => countLine(tally({ testResults: files }, exitCode))

describe('the line of counts', () => {
  test('names skipped tests only where there are some', () => {
    expect(line([file('passed', { a: 'passed', b: 'passed' })], 0)).toBe('2 passed, 0 failed')
    expect(line([file('passed', { a: 'passed', b: 'todo', c: 'pending' })], 0)).toBe('1 passed, 0 failed, 2 skipped')
  })

  test('counts a file that failed without a failed test as one failure', () => {
    const loaded = file('passed', { a: 'passed' })
    expect(line([loaded, file('failed')], 1)).toBe('1 passed, 1 failed')
    expect(line([file('failed', { a: 'passed' })], 1)).toBe('1 passed, 1 failed')
  })

  test('counts a failed test once, though its file failed too', () => {
    expect(line([file('failed', { a: 'failed', b: 'passed' })], 1)).toBe('1 passed, 1 failed')
  })

  test('shows a failure where Vitest failed and every test passed', () => {
    expect(line([file('passed', { a: 'passed' })], 1)).toBe('1 passed, 1 failed')
  })

  test('shows a failure where Vitest left no report', () => {
    expect(countLine(tally(null, 1))).toBe('0 passed, 1 failed')
  })
})

test('a skipped test is listed with the reason that its name gives', () => {
  const report = {
    testResults: [file('passed', { 'log reads — skipped: no broker': 'skipped', 'log ends': 'skipped' })],
  }
  expect(tally(report, 0).skipped).toEqual(['log reads (no broker)', 'log ends'])
})

test('a test that passed at its second try counts as passed and is named, with what the first met', () => {
  const tried = { fullName: 'a', status: 'passed', failureMessages: ['Error: too late\n    at b.ts:1'] }
  const counts = tally({ testResults: [{ name: 'a.test.ts', status: 'passed', assertionResults: [tried] }] }, 0)
  expect(countLine(counts)).toBe('1 passed, 0 failed')
  expect(counts.unsteady).toEqual(['a (Error: too late)'])
})
