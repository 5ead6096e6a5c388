import fc from 'fast-check'
import { expect, test } from 'vitest'
import { textsAsBytes } from '../../../ingest/readers/parquet-footer.ts'
import { parquetOf } from './parquet-of.ts'

async function footerOf(select: string): Promise<Buffer> {
  const bytes = await parquetOf(select)
  return bytes.subarray(bytes.length - 8 - bytes.readUInt32LE(bytes.length - 8), bytes.length - 8)
}

test('a footer without texts stays as it is', async () => {
  const footer = await footerOf('select 1 as a, 2.5::double as b, [3::bigint] as c')
  expect(textsAsBytes(footer)).toEqual(footer)
})

test('of each text one byte of the footer changes where nothing follows its declaration, and its length never', async () => {
  const footer = await footerOf(`select 'x' as a, ['y'] as b, {c: 'z'} as d`)
  const changed = textsAsBytes(footer)
  expect(changed).toHaveLength(footer.length)
  expect([...footer].filter((byte, i) => byte !== changed?.[i])).toEqual([0x25, 0x25, 0x25])
})

test('any bytes at all are a footer of the same length or none', async () => {
  const footer = await footerOf(`select 'x' as a, ['y'] as b`)
  const any = fc.oneof(
    fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
    fc.tuple(fc.nat(footer.length - 1), fc.nat(255)).map(([at, byte]) => {
      const odd = Buffer.from(footer)
      odd[at] = byte
      return odd
    }),
  )
  fc.assert(
    fc.property(any, (bytes) => {
      const changed = textsAsBytes(bytes)
      if (changed !== null) expect(changed).toHaveLength(bytes.length)
    }),
    { numRuns: 1_000 },
  )
})
