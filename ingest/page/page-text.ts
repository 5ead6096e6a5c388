/** Turns the bytes of a page into text: by the charset of its header, else of its own `meta`, else UTF-8 and nothing else. */
import { lenientDecoder } from '../encoding/lenient-decoder.ts'
import { isEncodingName } from '../encoding/names.ts'

export interface PageText {
  readonly text: string
  /** As it is named in the standard of encodings. */
  readonly encoding: string
}

/** "the first 1024 bytes" is where the standard looks; some pages have more in front. */
const lookedAt = 4_096
const inMeta = /<meta\b[^>]{0,500}\bcharset\s*=\s*["']?\s*([\w.:-]{1,40})/i
const inHeader = /;\s*charset\s*=\s*"?([\w.:-]{1,40})/i

/**
 * @param contentType the header
 * @returns null where nothing is said and it is no UTF-8: a guess would put wrong letters into titles
 */
export function pageText(bytes: Uint8Array, contentType: string | undefined): PageText | null {
  const [b0, b1, b2] = bytes
  if (b0 === 0xef && b1 === 0xbb && b2 === 0xbf) return decode(bytes, 'utf-8', false)
  if (b0 === 0xff && b1 === 0xfe) return decode(bytes, 'utf-16le', false)
  if (b0 === 0xfe && b1 === 0xff) return decode(bytes, 'utf-16be', false)
  const head = Buffer.from(bytes.subarray(0, lookedAt)).toString('latin1')
  for (const label of [inHeader.exec(contentType ?? '')?.[1], utf8InPlaceOf16(inMeta.exec(head)?.[1])]) {
    const said = label === undefined ? null : decode(bytes, label, false)
    if (said) return said
  }
  return decode(bytes, 'utf-8', true)
}

/** A `meta` that could be read is not written in two bytes a letter, whatever it says. */
const utf8InPlaceOf16 = (label: string | undefined) => (label && /^utf-?16/i.test(label) ? 'utf-8' : label)

/** What was declared is taken at its word: a byte that does not fit spoils the field that it stands in, and no other. */
function decode(bytes: Uint8Array, label: string, fatal: boolean): PageText | null {
  try {
    const decoder = new TextDecoder(label, { fatal })
    const { encoding } = decoder
    const legacy = isEncodingName(encoding) && !encoding.startsWith('utf-')
    return { text: legacy ? lenientDecoder(encoding)(bytes) : decoder.decode(bytes), encoding }
  } catch {
    return null
  }
}
