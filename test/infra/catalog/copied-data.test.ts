import fc from 'fast-check'
import { expect, test } from 'vitest'
import { copiedData } from '../../../infra/catalog/copied-data.ts'

const message = (letter: string, body: Uint8Array) => {
  const head = Buffer.from(`${letter}....`)
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

test('wherever reads end, what is copied is taken and all else reaches the driver as it was said', () => {
  const messages = fc.array(fc.tuple(fc.constantFrom('d', 'd', 'H', 'N', 'c', 'C', 'Z', 'E'), fc.uint8Array()))
  fc.assert(
    fc.property(messages, fc.array(fc.nat({ max: 40 })), (said, ends) => {
      const bytes = Buffer.concat(said.map(([letter, body]) => message(letter, body)))
      const taken: Buffer[] = []
      const passed: Buffer[] = []
      // The memory of a read is used by the next.
      const memory = Buffer.alloc(bytes.length)
      const read = copiedData(
        (part, from, to) => taken.push(Buffer.from(part.subarray(from, to))),
        (part) => passed.push(part),
      )
      for (let at = 0, n = 0; at < bytes.length; n++) {
        const to = Math.min(bytes.length, at + (ends[n] ?? 1_000) + 1)
        read(memory.subarray(0, bytes.copy(memory, 0, at, to)))
        at = to
      }
      memory.fill(0)
      const copied = said.flatMap(([letter, body]) => (letter === 'd' ? [body] : []))
      const others = said.flatMap(([letter, body]) => (letter === 'd' ? [] : [message(letter, body)]))
      expect(Buffer.concat(taken).equals(Buffer.concat(copied))).toBe(true)
      expect(Buffer.concat(passed).equals(Buffer.concat(others))).toBe(true)
    }),
  )
})
