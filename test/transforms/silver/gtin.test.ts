import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { gtin14, isRestricted, readGtin } from '../../../transforms/silver/gtin.ts'

describe('one article with three lengths (KF-09)', () => {
  const forms = ['012345678905', '0012345678905', '00012345678905']

  test('keeps each form and compares as one', () => {
    for (const form of forms) expect(readGtin(form)).toEqual({ value: form, findings: [] })
    expect(new Set(forms.map(gtin14))).toEqual(new Set(['00012345678905']))
  })
})

describe('a check digit (KF-10)', () => {
  test.each(['9520000000080', '012000000010', '90123450', '4006381333931', '10614141000415'])(
    'of %s is right',
    (raw) => {
      expect(readGtin(raw)).toEqual({ value: raw, findings: [] })
    },
  )

  test('that is wrong is reported with the right one', () => {
    expect(readGtin('9520000000012')).toMatchObject({
      value: null,
      findings: [{ code: 'gtin_bad_check_digit', says: expect.stringContaining('should be 1') }],
    })
    expect(gtin14('9520000000012')).toBeNull()
  })

  test('is the only last digit of ten that is right', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[1-9]\d{11}$/), (start) => {
        const right = Array.from({ length: 10 }, (_, digit) => start + digit).filter((text) => gtin14(text) !== null)
        expect(right).toHaveLength(1)
      }),
    )
  })
})

test.each(['0000000000000', '00000000', '1234567890123', '1111111111111'])(
  'the placeholder %s is no number (KF-10)',
  (raw) => {
    expect(readGtin(raw)).toMatchObject({ value: null, findings: [{ code: 'gtin_placeholder' }] })
    expect(gtin14(raw)).toBeNull()
  },
)

test.each([
  ['8,02E+12', 'gtin_scientific'],
  ['8.0195140754E+12', 'gtin_scientific'],
  ['OUTCD22438', 'gtin_not_digits'],
  ['12345', 'gtin_not_digits'],
  ['790617348408', 'gtin_bad_check_digit'],
])('%s is none: %s', (raw, code) => {
  expect(readGtin(raw)).toMatchObject({ value: null, findings: [{ code }] })
})

test('a number is as given but for space around it and a spreadsheet’s apostrophe', () => {
  expect(readGtin(" '4006381333931 ").value).toBe('4006381333931')
  expect(readGtin('978-0-306-40615-7').value).toBe('978-0-306-40615-7')
  expect(gtin14('978-0-306-40615-7')).toBe('09780306406157')
  expect(readGtin('  ')).toEqual({ value: null, findings: [] })
})

test('lost leading zeros are put back, with a warning', () => {
  expect(readGtin('36282818705')).toMatchObject({ value: '036282818705', findings: [{ code: 'gtin_repaired' }] })
  expect(readGtin('4006381333931.0')).toMatchObject({ value: '4006381333931', findings: [{ code: 'gtin_repaired' }] })
})

test('numbers for use inside a shop stay valid and are told apart', () => {
  expect(readGtin('201203201137')).toMatchObject({ value: '201203201137', findings: [{ code: 'gtin_restricted' }] })
  const restricted = ['2000000000008', '0412345678903', '0200000000004', '20123451', '9910000000008']
  for (const raw of restricted) expect([raw, isRestricted(raw.padStart(14, '0'))]).toEqual([raw, true])
  for (const raw of ['4006381333931', '9780306406157', '90123450', '036282818705'])
    expect([raw, isRestricted(raw.padStart(14, '0'))]).toEqual([raw, false])
})
