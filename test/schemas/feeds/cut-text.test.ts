import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { codePoints } from '../../../schemas/feeds/code-points.ts'
import { cutText } from '../../../schemas/feeds/cut-text.ts'

/** Slow and plain: whole graphemes as long as they fit. */
function longestWhole(text: string, limit: number): string {
  let out = ''
  for (const { segment } of new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text)) {
    if ([...(out + segment)].length > limit) break
    out += segment
  }
  return out
}

const family = '👨‍👩‍👧'

describe('a text that is too long', () => {
  test.each([
    ['Oak stool', 9, 'Oak stool'],
    ['Oak stool', 3, 'Oak'],
    ['🚀🚀🚀', 3, '🚀🚀🚀'],
    ['🚀🚀🚀', 2, '🚀🚀'],
    [`ab${family}`, 7, `ab${family}`],
    [`ab${family}`, 6, 'ab'],
    ['cafe\u0301s', 4, 'caf'],
    ['cafe\u0301s', 5, 'cafe\u0301'],
    ['🇩🇪🇫🇷', 3, '🇩🇪'],
    ['a\r\nb', 2, 'a'],
    ['Oak', 0, ''],
  ])('%j cut to %i code points is %j', (text, limit, cut) => {
    expect(cutText(text, limit)).toBe(cut)
  })

  test('and begins with one endless grapheme is cut inside it, so that something is left', () => {
    expect(cutText(`a${'\u0301'.repeat(300)}`, 150)).toBe(`a${'\u0301'.repeat(149)}`)
  })

  test('is cut to the longest run of whole graphemes, whatever the text', () => {
    const texts = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.string({
        unit: fc.constantFrom('a', '\r', '\n', '\u0301', '\u200D', '👩', '🇩', '한', 'ᄒ', 'ᅡ', '\uD83D'),
        maxLength: 40,
      }),
    )
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 45 }), (text, limit) => {
        const cut = cutText(text, limit)
        const whole = longestWhole(text, limit)
        expect(text.startsWith(cut)).toBe(true)
        if (whole !== '' || text === '') expect(cut).toBe(whole)
        else expect(codePoints(cut)).toBe(limit)
      }),
      { numRuns: 1000 },
    )
  })

  test('is counted as code points are, lone surrogates included', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', 'é', '🚀', '\uD83D', '\uDE80') }), (text) => {
        expect(codePoints(text)).toBe([...text].length)
      }),
    )
  })
})
