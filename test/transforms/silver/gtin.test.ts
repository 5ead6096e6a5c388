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

test.each([
  '0000000000000',
  '00000000',
  '1234567890123',
  '1111111111111',
  '1234567890128',
  '12345670',
  '1111111111116',
  '00012345670'.padStart(14, '0'),
])('the placeholder %s is no number (KF-10)', (raw) => {
  expect(readGtin(raw)).toMatchObject({ value: null, findings: [{ code: 'gtin_placeholder' }] })
  expect(gtin14(raw)).toBeNull()
})

test.each([
  ['8,02E+12', 'gtin_scientific'],
  ['8.0195140754E+12', 'gtin_scientific'],
  ['OUTCD22438', 'gtin_not_digits'],
  ['12345', 'gtin_not_digits'],
  ['790617348408', 'gtin_bad_check_digit'],
])('%s is none: %s', (raw, code) => {
  expect(readGtin(raw)).toMatchObject({ value: null, findings: [{ code }] })
})

test.each([
  ['04252614', '042100005264'],
  ['06524334', '065200000434'],
  ['07832545', '078320000055'],
  ['4.006381333931E12', '4006381333931'],
  ['4,006381333931e+12', '4006381333931'],
])('%s is read as %s, with a warning', (raw, value) => {
  expect(readGtin(raw)).toMatchObject({ value, findings: [{ code: 'gtin_repaired' }] })
})

test('a number is as given but for space around it and a spreadsheet’s apostrophe', () => {
  expect(readGtin(" '4006381333931 ").value).toBe('4006381333931')
  expect(readGtin('978-0-306-40615-7').value).toBe('978-0-306-40615-7')
  expect(gtin14('978-0-306-40615-7')).toBe('09780306406157')
  expect(readGtin('  ')).toEqual({ value: null, findings: [] })
})

test.each(['Does not apply', 'Not applicable', 'NICHT ZUTREFFEND', 'no aplica', '不適用', 'unknown'])(
  '%j is a missing number, as a blank is, and no wrong one',
  (raw) => {
    expect(readGtin(raw)).toEqual({ value: null, findings: [] })
  },
)

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

describe('a book, sheet music and a periodical', () => {
  test.each([
    ['0-306-40615-2', '9780306406157'],
    ['080442957X', '9780804429573'],
    ['0-8044-2957-x', '9780804429573'],
    ['ISBN 0-8044-2957-X', '9780804429573'],
    ['ISBN-10: 0306406152', '9780306406157'],
    ['M-2306-7118-7', '9790230671187'],
  ])('with the ten signs of old, %s, have the number %s, and a warning', (raw, digits) => {
    expect(readGtin(raw)).toMatchObject({ value: digits, findings: [{ code: 'gtin_repaired' }] })
  })

  test('with ten digits that could be a UPC without its zeros are told apart by their column, else in doubt', () => {
    const both = '0345330145'
    expect(readGtin(both)).toMatchObject({ value: null, findings: [{ code: 'gtin_ambiguous' }] })
    expect(readGtin(both, 'ISBN')).toMatchObject({ value: '9780345330147', findings: [{ code: 'gtin_repaired' }] })
    expect(readGtin('0-345-33014-5').value).toBe('9780345330147')
  })

  test('in a column of ISBNs have the zero that a spreadsheet took', () => {
    expect(readGtin('306406152', 'ISBN-10').value).toBe('9780306406157')
    expect(readGtin('306406152').value).not.toBe('9780306406157')
  })

  test.each(['0317-8471', 'ISSN 0317-8471', '2434-561X'])('with an ISSN, %s, have no GTIN by it', (raw) => {
    expect(readGtin(raw)).toMatchObject({ value: null, findings: [{ says: expect.stringContaining('ISSN') }] })
    expect(gtin14(raw)).toBeNull()
  })

  test('with a number that was typed to fill the field have none', () => {
    expect(readGtin('123456789X')).toMatchObject({ value: null, findings: [{ code: 'gtin_placeholder' }] })
  })

  test('are one with any spelling of their ISBN: each converts to a valid GTIN', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9]{9}$/), fc.boolean(), (core, hyphens) => {
        const sum = [...core].reduce((total, digit, i) => total + (10 - i) * Number(digit), 0)
        const check = (11 - (sum % 11)) % 11
        const old = core + (check === 10 ? 'X' : String(check))
        const { value } = readGtin(hyphens ? `${old.slice(0, 1)}-${old.slice(1, 9)}-${old.slice(9)}` : old, 'ISBN')
        if (value !== null) expect(gtin14(value)).toMatch(new RegExp(`^0978${core}`))
      }),
    )
  })
})

test.each([
  ['４００６３８１３３３９３１', '4006381333931'],
  ['EAN: 4006381333931', '4006381333931'],
  ['ISBN-13: 978-0-306-40615-7', '978-0-306-40615-7'],
  ['\u200b4006381333931', '4006381333931'],
])('%j says a number and more; the number is read, with a warning', (raw, value) => {
  expect(readGtin(raw)).toMatchObject({ value, findings: [{ code: 'gtin_repaired' }] })
})

test('a number that was read is read again as it is, without a word', () => {
  const text = fc.oneof(fc.stringMatching(/^[0-9]{7,14}$/), fc.stringMatching(/^[0-9-]{8,17}[0-9X]$/), fc.string())
  fc.assert(
    fc.property(text, fc.constantFrom('EAN', 'ISBN'), (raw, column) => {
      const { value } = readGtin(raw, column)
      if (value === null) return
      expect(readGtin(value, column).value).toBe(value)
      expect(readGtin(value, column).findings.map(({ code }) => code)).not.toContain('gtin_repaired')
      expect(gtin14(value)).not.toBeNull()
    }),
  )
})
