import { expect, test } from 'vitest'
import { nextCursor, readCursor } from '../../serving/cursor.ts'

const ids = ['018f3c2e-7b1a-7c3d-9e4f-5a6b7c8d9e0f', '118f3c2e-7b1a-7c3d-9e4f-5a6b7c8d9e0f']
const rows = ids.map((id) => ({ id }))
const encode = (text: string) => Buffer.from(text).toString('base64url')

test('the cursor of a page leads to the id that the page ended with', () => {
  const cursor = nextCursor(rows, 1)
  expect(readCursor(cursor ?? undefined)).toBe(ids[0])
  expect(readCursor(undefined)).toBeNull()
})

test('a page that holds all that is left has no next one', () => {
  expect(nextCursor(rows, 2)).toBeNull()
  expect(nextCursor([], 1)).toBeNull()
})

test('what no list has given out is refused', () => {
  const good = nextCursor(rows, 1) ?? ''
  for (const forged of ['', 'x', ids[0], encode(ids[0] ?? ''), encode(`2:${ids[0]}`), encode("1:' or 1=1"), `${good}=`])
    expect(() => readCursor(forged)).toThrow('after is no cursor of this list')
  expect(() => readCursor(good.toUpperCase())).toThrow()
})
