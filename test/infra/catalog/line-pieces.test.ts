import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { linePieces } from '../../../infra/catalog/line-pieces.ts'

const start = Buffer.concat([Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), Buffer.alloc(8)])

function row(last: string, lines: number, text: string): Buffer {
  const bytes = Buffer.from(text)
  const head = Buffer.alloc(34)
  head.writeInt16BE(3, 0)
  head.writeInt32BE(16, 2)
  head.write(last.replaceAll('-', ''), 6, 'hex')
  head.writeInt32BE(4, 22)
  head.writeInt32BE(lines, 26)
  head.writeInt32BE(bytes.length, 30)
  return Buffer.concat([head, bytes])
}

test('wherever parts end, each row comes to its lines, a line feed behind the last, and its last product', () => {
  const rows = fc.array(fc.tuple(fc.array(fc.json(), { minLength: 1, maxLength: 4 })), { maxLength: 6 })
  fc.assert(
    fc.property(rows, fc.array(fc.nat({ max: 90 })), (pages, ends) => {
      const said = pages.map(([lines]) => ({ last: randomUUID(), lines }))
      const bytes = Buffer.concat([
        start,
        ...said.map(({ last, lines }) => row(last, lines.length, lines.join('\n'))),
        Buffer.from([0xff, 0xff]),
      ])
      const taken: unknown[] = []
      const read = linePieces({
        room: Buffer.alloc,
        take: ({ bytes: text, lines, last }) => taken.push({ text: text.toString(), lines, last }),
      })
      for (let at = 0, n = 0; at < bytes.length; n++) {
        const to = Math.min(bytes.length, at + (ends[n] ?? 1_000) + 1)
        read(bytes, at, to)
        at = to
      }
      expect(taken).toEqual(
        said.map(({ last, lines }) => ({ text: lines.map((line) => `${line}\n`).join(''), lines: lines.length, last })),
      )
    }),
  )
})
