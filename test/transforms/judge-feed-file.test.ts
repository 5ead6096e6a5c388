import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { judgeFeedFile } from '../../transforms/judge-feed-file.ts'

const held = (...of: Parameters<typeof judgeFeedFile>) => judgeFeedFile(...of).reasons.length > 0

describe('a file is held', () => {
  test('where more of its lines changed or went than may unasked, and says so in numbers', () => {
    const seen = judgeFeedFile(80, 100, { changed: 15, removed: 20 }, 0.3)
    expect(seen).toMatchObject({ former: 100, changed: 15, removed: 20, share: 0.35, limit: 0.3 })
    expect(seen.reasons).toEqual(['It would change 15 and remove 20 of 100 lines, and 30 % may change unasked.'])
  })

  test('where lines cannot be compared, for a count that fell', () => {
    expect(judgeFeedFile(60, 100, null, 0.3).reasons).toEqual([
      'It has 60 lines, and the file before it had 100, and 30 % may change unasked.',
    ])
    expect(held(71, 100, null, 0.3)).toBe(false)
    // A link template that was set changes every line, and nobody is asked twice.
    expect(held(100, 100, null, 0.3)).toBe(false)
  })

  test('for any change, where nothing may change unasked', () => {
    expect(held(100, 100, { changed: 1, removed: 0 }, 0)).toBe(true)
    expect(held(100, 100, { changed: 0, removed: 0 }, 0)).toBe(false)
  })
})

test('the first file of a feed is never held, nor any where all may change', () => {
  fc.assert(
    fc.property(fc.nat(), fc.nat(), fc.nat(), fc.nat(), (lines, former, changed, removed) => {
      expect(held(lines, null, null, 0)).toBe(false)
      expect(held(lines, former, { changed, removed }, 1)).toBe(false)
    }),
  )
})

test('of a handful of lines a share says nothing', () => {
  expect(held(3, 4, { changed: 2, removed: 1 }, 0.3)).toBe(false)
  expect(held(3, 4, { changed: 3, removed: 1 }, 0.3)).toBe(true)
})
