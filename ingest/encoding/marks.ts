/** Knows Unicode by the mark at a file's beginning, or UTF-16 without one by where its NUL bytes stand. */
import type { Encoding } from '../encoding.ts'
import type { EncodingName } from './names.ts'

const marks = [
  { encoding: 'utf-8', bytes: [0xef, 0xbb, 0xbf] },
  { encoding: 'utf-16le', bytes: [0xff, 0xfe] },
  { encoding: 'utf-16be', bytes: [0xfe, 0xff] },
] as const

export function markOf(start: Uint8Array): Encoding | null {
  const mark = marks.find(({ bytes }) => bytes.every((byte, i) => start[i] === byte))
  return mark ? { encoding: mark.encoding, markBytes: mark.bytes.length } : null
}

/** Whether its NUL bytes are halves of characters. */
export const beginsAsUtf16 = (start: Uint8Array, asked: EncodingName | undefined): boolean =>
  [markOf(start)?.encoding, asked, utf16Of(start)].some((encoding) => encoding?.startsWith('utf-16'))

/** Fewer NULs are characters of their cells (KF-18). */
const leastShare = 0.02

/** ASCII in UTF-16 has a NUL in every other byte; text of other scripts has it at least in its delimiters and line ends. */
export function utf16Of(start: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const even = start.subarray(0, start.length - (start.length % 2))
  let first = 0
  let second = 0
  for (let i = 0; i < even.length; i += 2) {
    if (even[i] === 0) first++
    if (even[i + 1] === 0) second++
  }
  if (first + second < leastShare * even.length || Math.min(first, second) > Math.max(first, second) / 20) return null
  const encoding = second > first ? 'utf-16le' : 'utf-16be'
  const text = new TextDecoder(encoding).decode(even.subarray(0, 2 ** 16), { stream: true })
  return text.includes('\ufffd') || !/[\n\r]/.test(text) ? null : encoding
}
