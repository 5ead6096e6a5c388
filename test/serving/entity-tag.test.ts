import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ServiceError } from '../../schemas/errors.ts'
import { entityTag, matched } from '../../serving/entity-tag.ts'

const now = { epoch: 1, rev: 42 }

const statusOf = (header: string) => {
  try {
    return matched(header, now)?.rev
  } catch (error) {
    return error instanceof ServiceError ? error.status : error
  }
}

describe('If-Match', () => {
  test.each([
    ['"1.42"', 42],
    ['"1.41", "1.42"', 42],
    [' "x,y" ,, "1.42" , ', 42],
    ['W/"1.41", "1.42"', 42],
    ['"1.41"', 412],
    ['"2.42"', 412],
    ['W/"1.42"', 412],
    ['""', 412],
    ['1.42', 400],
    ['"1.42', 400],
    ['"1.42" "1.43"', 400],
    ['w/"1.42"', 400],
    ['W/ "1.42"', 400],
    ['*, "1.42"', 400],
    ['', 400],
    [',', 400],
  ])('%s: %j', (header, answer) => {
    expect(statusOf(header)).toBe(answer)
  })

  test('left out, or *: whatever is there may be changed', () => {
    expect(matched(undefined, now)).toBeNull()
    expect(matched('*', now)).toBeNull()
  })

  test('a state that was shown matches itself among any others, and no other state', () => {
    const revision = fc.record({ epoch: fc.nat(9), rev: fc.nat(999) })
    fc.assert(
      fc.property(revision, fc.array(revision, { maxLength: 5 }), (own, others) => {
        const header = [...others, own].map(entityTag).join(', ')
        expect(matched(header, own)).toEqual(own)
        const strangers = others.filter((one) => entityTag(one) !== entityTag(own))
        if (strangers.length > 0) expect(() => matched(strangers.map(entityTag).join(','), own)).toThrow(ServiceError)
      }),
    )
  })

  test('any text is judged, and soon', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme-ascii', maxLength: 60 }), (text) => void statusOf(text)))
    const began = performance.now()
    statusOf(`${' ,'.repeat(8_000)}x`)
    statusOf(`"${' '.repeat(16_000)}`)
    expect(performance.now() - began).toBeLessThan(500)
  })
})
