/** Marks bytes that are no text, so that what they stand in can be refused and everything else be read. */
import { type EncodingName, shownName } from './names.ts'

/** Half a surrogate pair is in no well-formed text, so nothing else looks like it; this one keeps the byte. */
export const damagedByte = (byte: number): string => String.fromCharCode(0xdc00 + byte)
/** Where the decoder does not say which bytes it gave up on. */
export const damagedBytes = '\udfff'

const lone = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/

/** @returns a sentence's end, such as `the byte E9 after "Caf" is not valid UTF-8`; null for text that is whole */
export function damageIn(text: string, encoding: EncodingName): string | null {
  if (text.isWellFormed()) return null
  const at = text.search(lone)
  const code = text.charCodeAt(at)
  const before = text.slice(Math.max(0, at - 30), at).toWellFormed()
  const after = before === '' ? '' : ` after ${JSON.stringify(before)}`
  const what =
    code >= 0xdc00 && code <= 0xdcff
      ? `the byte ${(code - 0xdc00).toString(16).toUpperCase().padStart(2, '0')}${after} is`
      : `what stands${after || ' at its beginning'} is`
  return `${what} not valid ${shownName(encoding)}`
}
