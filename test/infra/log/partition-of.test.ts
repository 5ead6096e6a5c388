import fc from 'fast-check'
import { expect, test } from 'vitest'
import { partitionOf } from '../../../infra/log/partition-of.ts'

test('a key’s partition is its last four bytes by the number of partitions, however it is written', () => {
  const partitions = fc.integer({ min: 1, max: 1_000 })
  fc.assert(
    fc.property(fc.uuid(), partitions, (key, of) => {
      const partition = Number.parseInt(key.slice(28), 16) % of
      expect([partitionOf(key, of), partitionOf(key.toUpperCase(), of)]).toEqual([partition, partition])
    }),
  )
  expect(partitionOf('00000000-0000-0000-0000-0000ffffffff', 7)).toBe(0xffff_ffff % 7)
})

test.each(['', 'sku-1', '00000000-0000-0000-0000-0000', '00000000-0000-0000-0000-00000000000g', '0'.repeat(37)])(
  'what is no UUID has none: "%s"',
  (key) => {
    expect(partitionOf(key, 4)).toBeNaN()
  },
)
