/** Decodes bytes that should be UTF-8; those that are no character are marked, and never become U+FFFD. */
import { damagedByte } from './damage.ts'
import { scanUtf8 } from './utf8-scan.ts'

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

export function markedUtf8(bytes: Uint8Array): string {
  try {
    return strict.decode(bytes)
  } catch {
    let text = ''
    let from = 0
    scanUtf8(bytes, (at) => {
      text += strict.decode(bytes.subarray(from, at)) + damagedByte(bytes[at] ?? 0)
      from = at + 1
    })
    return text + strict.decode(bytes.subarray(from))
  }
}
