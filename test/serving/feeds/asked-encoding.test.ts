import { expect, test } from 'vitest'
import { askedEncoding } from '../../../serving/feeds/asked-encoding.ts'

test.each([
  [undefined, null],
  ['', null],
  ['identity', null],
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['gzip, deflate, br, zstd', 'zstd'],
  ['gzip;q=1, br;q=0.5', 'gzip'],
  ['br', 'br'],
  ['*', 'zstd'],
  ['zstd;q=0, *;q=0.5', 'br'],
  ['identity, gzip;q=0.5', null],
  ['deflate', null],
])('Accept-Encoding %j is %j', (accepted, encoding) => {
  expect(askedEncoding(accepted)).toBe(encoding)
})
