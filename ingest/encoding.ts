/** Turns a file's bytes into text: UTF-8, or UTF-16 where a mark says so; what cannot be decoded is refused, never replaced. */
import { NotTextError } from './not-text-error.ts'

export interface Encoding {
  readonly encoding: 'utf-8' | 'utf-16le' | 'utf-16be'
  /** The file begins with a byte-order mark, which is not data (KF-01). */
  readonly mark: boolean
}

const marks = [
  { encoding: 'utf-8', bytes: [0xef, 0xbb, 0xbf] },
  { encoding: 'utf-16le', bytes: [0xff, 0xfe] },
  { encoding: 'utf-16be', bytes: [0xfe, 0xff] },
] as const
const longestMark = 3

export function detectEncoding(sample: Uint8Array): Encoding {
  const mark = marks.find(({ bytes }) => bytes.every((byte, i) => sample[i] === byte))
  return { encoding: mark?.encoding ?? 'utf-8', mark: mark !== undefined }
}

const markLength = ({ encoding, mark }: Encoding) => (!mark ? 0 : encoding === 'utf-8' ? 3 : 2)

/** For looking only: a character cut off at the end is left out, bad bytes are replaced. */
export function glance(sample: Uint8Array): string {
  return new TextDecoder(detectEncoding(sample).encoding).decode(sample, { stream: true })
}

/** @throws NotTextError naming the first byte that is no text */
export async function* decodeText(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let held: Uint8Array = new Uint8Array(0)
  let decoder: Decoder | undefined
  for await (const chunk of chunks) {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk])
    if (!decoder) {
      if (held.length < longestMark) continue
      decoder = startDecoder(detectEncoding(held))
      held = held.subarray(decoder.skip)
    }
    const whole = wholeCharacters(held, decoder.encoding)
    if (whole === 0) continue
    yield decoder.decode(held.subarray(0, whole))
    held = held.subarray(whole)
  }
  if (!decoder) {
    decoder = startDecoder(detectEncoding(held))
    held = held.subarray(decoder.skip)
  }
  if (held.length > 0) yield decoder.decode(held)
}

interface Decoder {
  readonly encoding: Encoding['encoding']
  readonly skip: number
  decode(bytes: Uint8Array): string
}

function startDecoder(found: Encoding): Decoder {
  const { encoding } = found
  const strict = new TextDecoder(encoding, { fatal: true, ignoreBOM: true })
  const skip = markLength(found)
  let offset = skip
  let lf = 0
  let cr = 0
  return {
    encoding,
    skip,
    decode(bytes) {
      let text: string
      try {
        text = strict.decode(bytes)
      } catch {
        const bad = firstBadByte(bytes, encoding)
        const line = 1 + Math.max(lf + count(bad.text, '\n'), cr + count(bad.text, '\r'))
        const before =
          bad.text
            .slice(-40)
            .split(/[\r\n]/)
            .at(-1)
            ?.toWellFormed() ?? ''
        throw new NotTextError({ encoding, offset: offset + bad.at, line, before })
      }
      offset += bytes.length
      lf += count(text, '\n')
      cr += count(text, '\r')
      return text
    },
  }
}

/** How many of the bytes are whole characters: a character that the next chunk goes on with is left for it. */
function wholeCharacters(bytes: Uint8Array, encoding: Encoding['encoding']): number {
  const { length } = bytes
  if (encoding !== 'utf-8') {
    const even = length - (length % 2)
    const high = bytes[encoding === 'utf-16le' ? even - 1 : even - 2] ?? 0
    return high >= 0xd8 && high <= 0xdb ? even - 2 : even
  }
  for (let back = 1; back <= 3 && back <= length; back++) {
    const byte = bytes[length - back] ?? 0
    if (byte < 0x80) break
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? length - back : length
  }
  return length
}

/** A lenient decoder marks the place with U+FFFD; one that really stands in the file is passed over. */
function firstBadByte(bytes: Uint8Array, encoding: Encoding['encoding']): { at: number; text: string } {
  const lenient = new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes)
  for (let i = lenient.indexOf('\ufffd'); i >= 0; i = lenient.indexOf('\ufffd', i + 1)) {
    const text = lenient.slice(0, i)
    const at = encoding === 'utf-8' ? Buffer.byteLength(text) : 2 * i
    if (!isReplacement(bytes.subarray(at, at + 3), encoding)) return { at, text }
  }
  return { at: 0, text: '' }
}

function isReplacement([a, b, c]: Uint8Array, encoding: Encoding['encoding']): boolean {
  if (encoding === 'utf-8') return a === 0xef && b === 0xbf && c === 0xbd
  return encoding === 'utf-16le' ? a === 0xfd && b === 0xff : a === 0xff && b === 0xfd
}

function count(text: string, what: string): number {
  let n = 0
  for (let i = text.indexOf(what); i >= 0; i = text.indexOf(what, i + 1)) n++
  return n
}
