/** Reads a maker's number: as given, but for words and signs that stand for none. */
import { missingWords } from './maker-words.ts'
import { readIdentifier, withoutEntities } from './text.ts'
import { wordSet } from './words.ts'

const isNoNumber = wordSet(missingWords)

/** Zeros or crosses alone are typed to fill a required field. */
const filler = /^(?:0+|[xX]{2,}|[-–—_.*?]+)$/

export function readMpn(raw: string): string | null {
  const plain = withoutEntities(raw)
  // What has entities yet after so many rounds was made to have them, and is read the same however often it is.
  const text = readIdentifier(withoutEntities(plain) === plain ? plain : raw)
  if (text === null || filler.test(text)) return null
  // No word for nothing has a digit, and nearly every number has.
  return !/\d/.test(text) && isNoNumber(text) ? null : text
}
