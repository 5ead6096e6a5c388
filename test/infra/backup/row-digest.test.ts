import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openRowDigest } from '../../../infra/backup/row-digest.ts'

type Row = readonly (Uint8Array | null)[]

const head = Buffer.concat([Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), Buffer.alloc(8)])

function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeInt16BE(value)
  return bytes
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}

/** As Postgres writes it. */
function copyOf(rows: readonly Row[]): Buffer {
  const parts = rows.flatMap((row) => [
    int16(row.length),
    ...row.flatMap((field) => (field === null ? [int32(-1)] : [int32(field.length), field])),
  ])
  return Buffer.concat([head, ...parts, int16(-1)])
}

function digestOf(bytes: Buffer, cuts: readonly number[] = []) {
  const digest = openRowDigest()
  let from = 0
  for (const cut of [...cuts].map((at) => at % (bytes.length + 1)).sort((a, b) => a - b)) {
    digest.feed(bytes.subarray(from, cut))
    from = cut
  }
  digest.feed(bytes.subarray(from))
  return digest.end()
}

const row = fc.array(fc.option(fc.uint8Array({ maxLength: 40 })), { maxLength: 5 })
const rows = fc.array(row, { maxLength: 20 })

test('rows have one digest in whatever order and pieces they come', () => {
  const shuffled = rows.chain((some) =>
    fc.record({
      some: fc.constant(some),
      other: fc.shuffledSubarray(some, { minLength: some.length }),
      cuts: fc.array(fc.nat(), { maxLength: 30 }),
    }),
  )
  fc.assert(
    fc.property(shuffled, ({ some, other, cuts }) => {
      const whole = digestOf(copyOf(some))
      expect(whole.rows).toBe(some.length)
      expect(digestOf(copyOf(other), cuts)).toEqual(whole)
    }),
  )
})

test('a row more, a row less and a row twice are told, and so is a byte', () => {
  const one = [Buffer.from('mug'), null]
  const { digest } = digestOf(copyOf([one, one]))
  const others = [
    [one],
    [one, one, one],
    [],
    [one, [Buffer.from('mog'), null]],
    [one, [Buffer.from('mug'), Buffer.alloc(0)]],
  ]
  for (const other of others) expect(digestOf(copyOf(other)).digest).not.toBe(digest)
})

test('a row of megabytes is one row', () => {
  const large = [Buffer.alloc(5_000_000, 'x')]
  const bytes = copyOf([large, [null]])
  const cuts = Array.from({ length: 80 }, (_, i) => i * 65_536)
  expect(digestOf(bytes, cuts)).toEqual(digestOf(bytes))
})

test('a stream that breaks off, goes on behind its end or is something else is refused', () => {
  const bytes = copyOf([[Buffer.from('mug')]])
  expect(() => digestOf(bytes.subarray(0, -1))).toThrow('breaks off')
  expect(() => digestOf(Buffer.concat([bytes, Buffer.from('x')]))).toThrow('behind the end')
  expect(() => digestOf(Buffer.from('sku,title\nM-1,Mug with a handle\n'))).toThrow('no binary COPY')
})
