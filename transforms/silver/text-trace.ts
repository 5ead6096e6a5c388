/** What cleaning did to a text, told from the text before and after. */
import type { Step } from './trace.ts'

const entity = /&(?:#\d+|#x[\da-f]+|[a-z][a-z\d]*);/i
const invisible =
  /[\p{Cf}\p{Cs}\p{Co}[\p{Cc}--[\t\n\r]]\u{34f}\u{115f}\u{1160}\u{17b4}\u{17b5}\u{2800}\u{3164}\u{ffa0}\u{e0100}-\u{e01ef}]/v

/** In the order in which the text step works. */
const signs: readonly { readonly says: string; did(raw: string, text: string): boolean }[] = [
  { says: 'signs that cannot be seen were removed', did: (raw, text) => invisible.test(raw) && !invisible.test(text) },
  { says: 'markup was taken off', did: (raw, text) => /<[a-z!/]/i.test(raw) && !/<[a-z!/]/i.test(text) },
  { says: 'entities were decoded', did: (raw, text) => entity.test(raw) && !entity.test(text) },
  { says: 'letters were composed (NFC)', did: (raw) => raw.normalize('NFC') !== raw },
  { says: 'space around it was trimmed', did: (raw) => raw.trim() !== raw },
  {
    says: 'space within it was folded',
    did: (raw, text) => /\s{2,}|[\t\r\n\u00a0\u0085\u2028\u2029]/.test(raw.trim()) && !text.includes(raw.trim()),
  },
]

export function textSteps(raw: string, text: string): Step[] {
  if (raw === text) return []
  const found = signs.filter(({ did }) => did(raw, text)).map(({ says }) => ({ step: 'text', says }))
  return found.length > 0 ? found : [{ step: 'text', says: 'cleaned' }]
}
