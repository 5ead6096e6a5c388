/** Turns a file's bytes into text, piece by piece; bytes that are no text are marked, never replaced by what could be data. */
import { damagedByte, damagedBytes } from './encoding/damage.ts'
import { lenientDecoder } from './encoding/lenient-decoder.ts'
import { markedUtf8 } from './encoding/marked-utf8.ts'
import type { EncodingName } from './encoding/names.ts'
import { wholeUtf8 } from './encoding/utf8-scan.ts'

/** What the bytes of a file are written in. */
export interface Encoding {
  readonly encoding: EncodingName
  /** Length of the byte-order mark, which is not data (KF-01). */
  readonly markBytes: number
}

/** Decodes whole characters of what has come so far. */
interface Decoder {
  /** How many of the bytes are whole characters. */
  whole(bytes: Uint8Array): number
  decode(bytes: Uint8Array): string
}

/**
 * Damaged places are halves of surrogate pairs: see `encoding/damage.ts`.
 * @param chunks each good until the next is asked for
 */
export async function* decodeText(
  chunks: AsyncIterable<Uint8Array>,
  { encoding, markBytes }: Encoding,
): AsyncGenerator<string> {
  const decoder = decoders[encoding as keyof typeof decoders]?.() ?? legacy(encoding)
  let held: Uint8Array = new Uint8Array(0)
  let skip = markBytes
  for await (const chunk of chunks) {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk])
    const marked = Math.min(skip, held.length)
    skip -= marked
    held = held.subarray(marked)
    const whole = decoder.whole(held)
    const text = whole === 0 ? '' : decoder.decode(held.subarray(0, whole))
    held = Buffer.from(held.subarray(whole))
    if (text !== '') yield text
  }
  const rest = decoder.decode(held)
  if (rest !== '') yield rest
}

const decoders = {
  'utf-8': (): Decoder => ({ whole: wholeUtf8, decode: markedUtf8 }),
  'utf-16le': () => utf16(false),
  'utf-16be': () => utf16(true),
}

function utf16(bigEndian: boolean): Decoder {
  return {
    whole(bytes) {
      const { length } = bytes
      const even = length - (length % 2)
      const high = bytes[bigEndian ? even - 2 : even - 1] ?? 0
      return high >= 0xd8 && high <= 0xdb ? even - 2 : even
    },
    decode(bytes) {
      const even = Buffer.from(bytes.subarray(0, bytes.length - (bytes.length % 2)))
      const odd = bytes.length % 2 === 1 ? damagedByte(bytes.at(-1) ?? 0) : ''
      return (bigEndian ? even.swap16() : even).toString('utf16le') + odd
    },
  }
}

/** Of several bytes a character; none of their characters holds a byte below 0x30, such as a space, a comma or a line end. */
const multibyte: ReadonlySet<EncodingName> = new Set(['shift_jis', 'gb18030', 'gbk', 'euc-kr', 'euc-jp', 'big5'])
const lowestPart = 0x30
/** Text without any of those bytes is cut where it is. */
const mostHeld = 2 ** 20

/** What the decoder gives up on it shows as U+FFFD, which nobody writes in these encodings. */
function legacy(encoding: EncodingName): Decoder {
  const lenient = lenientDecoder(encoding)
  return {
    whole(bytes) {
      if (!multibyte.has(encoding) || bytes.length > mostHeld) return bytes.length
      return bytes.findLastIndex((byte) => byte < lowestPart) + 1
    },
    decode(bytes) {
      const text = lenient(bytes)
      return text.includes('\ufffd') ? text.replaceAll('\ufffd', damagedBytes) : text
    },
  }
}
