import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { CellValue } from '../../../schemas/pipeline.ts'
import { isBlank, isClear, sameValue } from '../../../transforms/bronze/cell-value.ts'

describe('a cell', () => {
  test.each<[CellValue]>([[''], [' '], ['\u0085'], ['\u2003\u3000\ufeff'], [[]], [['', ' ']]])(
    '%j is blank',
    (cell) => {
      expect([isBlank(cell), isClear(cell)]).toEqual([true, false])
    },
  )

  test.each<[CellValue]>([['__CLEAR__'], [' __CLEAR__\u00a0'], [['__CLEAR__']], [['', '__CLEAR__', ' ']]])(
    '%j clears',
    (cell) => {
      expect([isBlank(cell), isClear(cell)]).toEqual([false, true])
    },
  )

  test.each<[CellValue]>([
    ['0'],
    ['-'],
    ['\u200b'],
    ['é'],
    ['__clear__'],
    ['a __CLEAR__'],
    [['__CLEAR__', 'a']],
    [['', 'a']],
  ])('%j is a value', (cell) => {
    expect([isBlank(cell), isClear(cell)]).toEqual([false, false])
  })

  test('of any white space that Unicode knows is blank, and of any other character is not', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 2 }), (text) => {
        expect(isBlank(text)).toBe(/^[\p{White_Space}\ufeff]*$/u.test(text))
      }),
    )
  })

  test('is the same as another only where text, or every element in order, is', () => {
    const value = fc.oneof(fc.constantFrom('a', 'b'), fc.array(fc.constantFrom('a', 'b'), { maxLength: 2 }))
    fc.assert(
      fc.property(value, value, (a, b) => {
        expect(sameValue(a, b)).toBe(JSON.stringify(a) === JSON.stringify(b))
      }),
    )
  })
})
