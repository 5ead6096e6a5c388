/** Finds the bytes that are part of no character of UTF-8. */

/**
 * @param onBad told the index of each such byte
 * @returns how many bytes are part of characters beyond ASCII
 */
export function scanUtf8(bytes: Uint8Array, onBad: (at: number) => void): number {
  let good = 0
  for (let at = 0; at < bytes.length; ) {
    if ((bytes[at] ?? 0) < 0x80) {
      at++
      continue
    }
    const length = characterAt(bytes, at)
    if (length === 0) onBad(at)
    good += length
    at += length || 1
  }
  return good
}

/** Bytes of the character that begins here, 0 where none does. "Well-formed UTF-8 byte sequences", Unicode 3.9, table 3-7. */
function characterAt(bytes: Uint8Array, at: number): number {
  const lead = bytes[at] ?? 0
  if (lead < 0xc2 || lead > 0xf4) return 0
  const length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4
  const low = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80
  const high = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf
  const second = bytes[at + 1] ?? 0
  if (second < low || second > high) return 0
  for (let i = 2; i < length; i++) if (((bytes[at + i] ?? 0) & 0xc0) !== 0x80) return 0
  return length
}

/** How many of the bytes are whole characters: one that the next chunk goes on with is left for it. */
export function wholeUtf8(bytes: Uint8Array): number {
  const { length } = bytes
  for (let back = 1; back <= 3 && back <= length; back++) {
    const byte = bytes[length - back] ?? 0
    if (byte < 0x80) break
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? length - back : length
  }
  return length
}
