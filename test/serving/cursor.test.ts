import { expect, test } from 'vitest'
import {
  nextCursor,
  nextTextCursor,
  nextTimeCursor,
  readCursor,
  readTextCursor,
  readTimeCursor,
} from '../../serving/cursor.ts'

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

test('a place in time is kept to the microsecond, with the id that tells two of one instant apart', () => {
  const [id = ''] = ids
  const last = { id, micros: 1_795_000_000_123_457 }
  expect(readTimeCursor(nextTimeCursor([last, last], 1) ?? undefined)).toEqual(last)
  expect(readTimeCursor(undefined)).toBeNull()
  for (const forged of [
    'x',
    encode(`2:${id}`),
    encode(`2:-1:${id}`),
    encode(`2:1.5:${id}`),
    encode('2:1:'),
    nextCursor(rows, 1),
  ])
    expect(() => readTimeCursor(forged ?? '')).toThrow('after is no cursor of this list')
})

test('a place among texts is one that the list can have', () => {
  expect(readTextCursor(nextTextCursor(['a|b', 'c'], 1) ?? undefined, /^[a-z|]+$/)).toBe('a|b')
  expect(nextTextCursor(['a'], 1)).toBeNull()
  for (const forged of ['x', encode('3:'), encode('3:A'), encode('1:a'), `${encode('3:ab')}=`])
    expect(() => readTextCursor(forged, /^[a-z]+$/)).toThrow('after is no cursor of this list')
})
