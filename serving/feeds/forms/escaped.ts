/** Text as XML can hold it: its own signs by name, and without what it has no place for (KF-18). */
import type { Place } from './plain-line.ts'

/** What XML has no place for, and what stands for something else in it: a line feed is what parsers make of a carriage return. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const special = /[&<>"\r\u0000-\u0008\u000b\u000c\u000e-\u001f\ud800-\udfff\ufffe\uffff]/
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above
const each = /[&<>"\r\u0000-\u0008\u000b\u000c\u000e-\u001f\ud800-\udfff\ufffe\uffff]/gu
const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
}

/** Halves of pairs and control characters are left out. */
export const escaped = (text: string) => (special.test(text) ? text.replace(each, (one) => entities[one] ?? '') : text)

/** Of the bytes of a plain text: what is written as it is, its end, what stands for something else, and what may begin a sign that XML has no place for. */
const kinds = new Uint8Array(256)
const [quote, mark, mayBeNone] = [1, 2, 3]
kinds['"'.charCodeAt(0)] = quote
for (const one of '&<>') kinds[one.charCodeAt(0)] = mark
kinds[0xef] = mayBeNone
const byteEntities = new Map([...'&<>'].map((one) => [one.charCodeAt(0), Buffer.from(entities[one] ?? '')]))
const noBytes = Buffer.alloc(0)

/** The same for a text up to its quote in which JSON escapes nothing. */
export function escapedBytes(place: Place): void {
  const { bytes, out } = place
  let { at, end } = place
  for (;;) {
    let byte = bytes[at] as number
    while (kinds[byte] === 0) {
      out[end++] = byte
      byte = bytes[++at] as number
    }
    if (kinds[byte] === quote) break
    if (kinds[byte] === mark) {
      const entity = byteEntities.get(byte) ?? noBytes
      for (let n = 0; n < entity.length; n++) out[end++] = entity[n] as number
      at++
      // U+FFFE and U+FFFF
    } else if (bytes[at + 1] === 0xbf && (bytes[at + 2] as number) >= 0xbe) at += 3
    else {
      out[end++] = byte
      at++
    }
  }
  place.at = at
  place.end = end
}

/** Parsers make a space of a tab or a line break in an attribute that is written as it is. */
export const inQuotes = (text: string) => escaped(text).replaceAll('\t', '&#9;').replaceAll('\n', '&#10;')
