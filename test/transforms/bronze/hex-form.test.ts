import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hexForm } from '../../../transforms/bronze/hex-form.ts'

const pattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

test('takes what the regular expression of the form takes, and nothing else', () => {
  const form = hexForm(8, 4, 4, 4, 12)
  const right = fc.uuid()
  // One character of it is another, and may be of any script.
  const nearly = fc
    .tuple(right, fc.nat(35), fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }))
    .map(([id, at, other]) => `${id.slice(0, at)}${other}${id.slice(at + 1)}`)
  const any = fc.oneof(
    right,
    nearly,
    right.map((id) => id.toUpperCase()),
    fc.string(),
  )
  fc.assert(fc.property(any, (text) => form.test(text) === pattern.test(text)))
})

test('has as many digits as it says', () => {
  const form = hexForm(64)
  expect(form.test('a5'.repeat(32))).toBe(true)
  for (const other of ['', 'a5'.repeat(31), 'a5'.repeat(33), `${'a5'.repeat(31)}a`, `${'a5'.repeat(31)}-5`])
    expect(form.test(other)).toBe(false)
})
