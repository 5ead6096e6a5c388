/** PGCOPY binary: how each column type is written. One writer a column, chosen once, so that a row is only calls. */
import { writeUuid } from '../uuid.ts'

/** Grows; `at` is where the next byte goes. */
export interface Out {
  bytes: Buffer
  at: number
}

/** Writes the value's length and bytes; nulls never reach it. */
type Write = (out: Out, value: unknown) => void

const scalars = {
  uuid: [2950, fixed(16, (bytes, at, value) => writeUuid(bytes, at, value as string))],
  text: [25, (out, value) => writeText(out, value as string, 0)],
  int2: [21, fixed(2, (bytes, at, value) => bytes.writeInt16BE(value as number, at))],
  int4: [23, fixed(4, (bytes, at, value) => bytes.writeInt32BE(value as number, at))],
  int8: [20, fixed(8, writeInt8)],
  float8: [701, fixed(8, (bytes, at, value) => bytes.writeDoubleBE(value as number, at))],
  bool: [16, fixed(1, (bytes, at, value) => bytes.writeUInt8(value ? 1 : 0, at))],
  // Text is stored as its UTF-8.
  bytea: [
    17,
    (out, value) => (typeof value === 'string' ? writeText(out, value, 0) : writeBytes(out, value as Uint8Array)),
  ],
  // A bytea that is at hand as digits: no buffer is made of each.
  hex: [17, (out, value) => writeHex(out, value as string)],
  timestamptz: [1184, fixed(8, writeTime)],
  // Text is JSON already; anything else is made JSON here.
  jsonb: [3802, (out, value) => writeText(out, typeof value === 'string' ? value : JSON.stringify(value), 1)],
} as const satisfies Record<string, readonly [oid: number, Write]>

type Scalar = keyof typeof scalars
export type CopyType = Scalar | `${'uuid' | 'text' | 'int2' | 'int4' | 'int8'}[]`

export function writerOf(type: CopyType): Write {
  if (!type.endsWith('[]')) return scalars[type as Scalar][1]
  const [oid, write] = scalars[type.slice(0, -2) as Scalar]
  return arrayOf(oid, write)
}

/** Makes room for `bytes` more. */
export function reserve(out: Out, bytes: number): void {
  const needed = out.at + bytes
  if (needed <= out.bytes.length) return
  const larger = Buffer.allocUnsafeSlow(Math.max(needed, out.bytes.length * 2))
  out.bytes.copy(larger, 0, 0, out.at)
  out.bytes = larger
}

function fixed(size: number, put: (bytes: Buffer, at: number, value: unknown) => void): Write {
  return (out, value) => {
    reserve(out, 4 + size)
    const { bytes, at } = out
    writeLength(bytes, at, size)
    put(bytes, at + 4, value)
    out.at = at + 4 + size
  }
}

export function writeLength(bytes: Buffer, at: number, length: number): void {
  bytes[at] = length >>> 24
  bytes[at + 1] = length >>> 16
  bytes[at + 2] = length >>> 8
  bytes[at + 3] = length
}

/** Up to here a loop over character codes beats the call into the runtime. */
const shortText = 32

/** @param version jsonb's version byte, 0 for none */
function writeText(out: Out, text: string, version: 0 | 1): void {
  const length = text.length
  reserve(out, 5 + length * 3)
  const { bytes } = out
  const start = out.at + 4
  let at = start
  if (version) bytes[at++] = version
  const from = at
  if (length <= shortText) {
    for (let i = 0; i < length; i++) {
      const code = text.charCodeAt(i)
      if (code > 127) {
        at = -1
        break
      }
      bytes[at++] = code
    }
  } else at = -1
  if (at < 0) at = from + bytes.write(text, from)
  writeLength(bytes, start - 4, at - start)
  out.at = at
}

function writeBytes(out: Out, value: Uint8Array): void {
  reserve(out, 4 + value.length)
  writeLength(out.bytes, out.at, value.length)
  out.bytes.set(value, out.at + 4)
  out.at += 4 + value.length
}

function writeHex(out: Out, digits: string): void {
  const size = digits.length >> 1
  reserve(out, 4 + size)
  writeLength(out.bytes, out.at, size)
  out.at += 4 + out.bytes.write(digits, out.at + 4, size, 'hex')
}

function writeInt8(bytes: Buffer, at: number, value: unknown): void {
  if (typeof value === 'bigint') {
    bytes.writeBigInt64BE(value, at)
    return
  }
  if (!Number.isSafeInteger(value)) throw new RangeError(`${value} is no whole number`)
  const high = Math.floor((value as number) / 0x1_0000_0000)
  bytes.writeInt32BE(high, at)
  bytes.writeUInt32BE((value as number) - high * 0x1_0000_0000, at + 4)
}

const epoch2000Ms = Date.UTC(2000, 0, 1)

/** Microseconds since 2000, from a Date or milliseconds since 1970. */
function writeTime(bytes: Buffer, at: number, value: unknown): void {
  const ms = Number(value) - epoch2000Ms
  const micros = Math.round(ms * 1000)
  // Past the year 2285 a number no longer holds every microsecond.
  writeInt8(bytes, at, Number.isSafeInteger(micros) ? micros : BigInt(Math.round(ms)) * 1000n)
}

/** One dimension from 1: dimensions, whether it has nulls, element type, length, lower bound, elements. */
function arrayOf(oid: number, write: Write): Write {
  return (out, value) => {
    const list = value as readonly unknown[]
    reserve(out, 24)
    const start = out.at
    const head = [0, list.length === 0 ? 0 : 1, 0, oid]
    if (list.length > 0) head.push(list.length, 1)
    for (const word of head) {
      writeLength(out.bytes, out.at, word)
      out.at += 4
    }
    for (const each of list) write(out, each)
    writeLength(out.bytes, start, out.at - start - 4)
  }
}
