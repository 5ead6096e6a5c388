/** Takes back that a text in UTF-8 was read as Windows-1252 or Latin-1, once or twice, and only where nothing else can have been meant. */

/** What Windows-1252 shows for the bytes from 0x80; the five that it leaves open are controls in every reader. */
const signs = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ'
const byteOf = new Map(Array.from(signs, (sign, at) => [sign.charCodeAt(0), 0x80 + at]))

/** A byte that begins a character of UTF-8, and one that goes on with it. A text without this is as it was written. */
const suspicious = new RegExp(`[\\xc2-\\xf4][\\x80-\\xbf${signs}]`)

/** A brand in capitals that ends in a letter with an accent, and its mark: `CAFÉ®`, `"IRMÃ”`. */
const signBehindName = /\p{Lu}[\xc3-\xdf][®©™°—–…“”‘’»›](?!\p{L})/u

/** What shops write: the letters of living languages, punctuation, signs and pictures. */
const usual =
  /^[\t\n\r -~\xa0-\u017f\u0192\u01a0\u01a1\u01af\u01b0\u0218-\u021b\u02c6\u02dc\p{M}\u0391-\u03ce\u0401-\u045f\u0490\u0491\u05d0-\u05ea\u060c-\u06f9\u0e01-\u0e5b\u1e80-\u1ef9\u200b-\u200f\u2010-\u2027\u2030-\u205e\u20a0-\u20bf\u2100-\u214f\u2150-\u218b\u2190-\u22ff\u2460-\u27bf\u2b00-\u2bff\u3000-\u30ff\u4e00-\u9fff\uac00-\ud7a3\ufeff\uff01-\uffee\u{1f000}-\u{1faff}]*$/u

/** One letter of another script amid others is more likely two signs that happen to look like its bytes. */
const letterOfOtherScript = /[^\p{Script=Latin}\P{L}]/gu

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The text that these characters are the bytes of; null where they are not the bytes of any. */
function decoded(text: string): string | null {
  const bytes = new Uint8Array(text.length)
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    const byte = code <= 0xff ? code : byteOf.get(code)
    if (byte === undefined) return null
    bytes[at] = byte
  }
  try {
    return utf8.decode(bytes)
  } catch {
    return null
  }
}

function isCertain(before: string, after: string): boolean {
  if (signBehindName.test(before) || !usual.test(after)) return false
  return after.match(letterOfOtherScript)?.length !== 1
}

/** @returns the text as it was meant; null where it is as it was written, and where what was meant is not certain */
export function repairMojibake(text: string): string | null {
  if (!suspicious.test(text)) return null
  const once = decoded(text)
  if (once === null) return null
  const twice = suspicious.test(once) ? decoded(once) : null
  if (twice !== null && isCertain(once, twice)) return twice
  return isCertain(text, once) ? once : null
}
