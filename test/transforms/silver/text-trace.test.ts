import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readText, readTitle } from '../../../transforms/silver/text.ts'
import { textSteps } from '../../../transforms/silver/text-trace.ts'

test.each([
  ['Mug', []],
  [' Mug ', ['space around it was trimmed']],
  ['Large  mug', ['space within it was folded']],
  ['<b>Mug</b>', ['markup was taken off']],
  ['Salt &amp; Pepper', ['entities were decoded']],
  ['Mu\u200bg', ['signs that cannot be seen were removed']],
  ['Cafe\u0301', ['letters were composed (NFC)']],
  [' <i>Caf&eacute;</i> ', ['markup was taken off', 'entities were decoded', 'space around it was trimmed']],
])('%j tells %j', (raw, says) => {
  expect(textSteps(raw, readTitle(raw) ?? '').map((step) => step.says)).toEqual(says)
})

test('a text that is as it was has no step, and any other at least one', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 20 }), (raw) => {
      for (const read of [readTitle, readText]) {
        const text = read(raw) ?? ''
        expect(textSteps(raw, text).length > 0).toBe(text !== raw)
      }
    }),
  )
})
