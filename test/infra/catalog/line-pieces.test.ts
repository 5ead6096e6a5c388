import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { linePieces } from '../../../infra/catalog/line-pieces.ts'

const start = Buffer.concat([Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), Buffer.alloc(8)])

function row(product: string, line: string): Buffer {
  const bytes = Buffer.from(line)
  const head = Buffer.alloc(26)
  head.writeInt16BE(2, 0)
  head.writeInt32BE(16, 2)
  head.write(product.replaceAll('-', ''), 6, 'hex')
  head.writeInt32BE(bytes.length, 22)
  return Buffer.concat([head, bytes])
}

test('wherever parts end, all lines are there in their order, and each piece knows how many it has and which is its last', () => {
  const long = fc.integer({ min: 30_000, max: 100_000 }).map((length) => `"${'x'.repeat(length)}"`)
  const line = fc.oneof({ arbitrary: fc.json(), weight: 9 }, { arbitrary: long, weight: 1 })
  const ends = fc.array(fc.oneof(fc.nat({ max: 90 }), fc.nat({ max: 70_000 })))
  fc.assert(
    fc.property(fc.array(line, { maxLength: 12 }), ends, (lines, most) => {
      const said = lines.map((text) => ({ product: randomUUID(), text }))
      const bytes = Buffer.concat([
        start,
        ...said.map(({ product, text }) => row(product, text)),
        Buffer.from([0xff, 0xff]),
      ])
      let taken = ''
      let count = 0
      const { read, end } = linePieces({
        room: Buffer.alloc,
        take(piece) {
          taken += piece.bytes.toString()
          count += piece.lines
          expect(piece.bytes.toString().match(/\n/g)).toHaveLength(piece.lines)
          expect(piece.last).toBe(said[count - 1]?.product)
        },
      })
      for (let at = 0, n = 0; at < bytes.length; n++) {
        const to = Math.min(bytes.length, at + (most[n] ?? 200_000) + 1)
        read(bytes, at, to)
        at = to
      }
      end()
      expect(taken).toBe(said.map(({ text }) => `${text}\n`).join(''))
    }),
  )
})
