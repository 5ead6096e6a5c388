/** Takes an amount apart as it is written: what stands before the digits, the digits with their marks, and what stands after. */
import { withoutTaxWords } from './tax-words.ts'

interface AmountParts {
  readonly before: string
  /** Digits, `.`, `,`, `'` and single spaces, and an exponent; begins with a digit or a decimal mark and ends with a digit. */
  readonly body: string
  readonly after: string
  readonly negative: boolean
}

/** Longer texts are prose. */
const longest = 64
const shape = /^(\D*?)([.,]?\d(?:[\d.,' ]*\d)?(?:[eE][+-]?\d{1,4})?)(\D*)$/

/** @param isMoney see `withoutTaxWords` @returns null for what is no single amount: prose, ranges, dates with dashes, an empty cell */
export function amountParts(raw: string, isMoney = true): AmountParts | null {
  if (raw.length > longest) return null
  const match = shape.exec(withoutTaxWords(ascii.test(raw) ? raw : plainMarks(raw), isMoney))
  if (!match) return null
  let [, before = '', body = '', after = ''] = match
  if (/^[.,]/.test(body) && /\p{L}$/u.test(before)) {
    before += body[0]
    body = body.slice(1)
  }
  before = before.trim()
  after = after
    // Dashes in the place of the minor units: 5,- and the Swedish 5:-.
    .replace(/^(?:[.,](?:\s*-{1,2})?|:-{1,2})/, '')
    .replace(/\*+\s*$/, '')
    .trim()
  let negative = false
  if (before.startsWith('(') && after.endsWith(')')) {
    negative = true
    before = before.slice(1).trim()
    after = after.slice(0, -1).trim()
  }
  if (after === '-') {
    negative = true
    after = ''
  }
  const sign = /^[-+]|[-+]$/.exec(before)
  if (sign) {
    negative ||= sign[0] === '-'
    before = before.replace(sign[0], '').trim()
  }
  return { before, body, after: after.replace(/^[([](.*)[)\]]$/, '$1').trim(), negative }
}

const ascii = /^[!-~]*(?: [!-~]+)*$/

/** Digits, dashes, apostrophes and spaces of other scripts in their plain form; currency signs stay as they are. */
function plainMarks(raw: string): string {
  return raw
    .normalize('NFKC')
    .replace(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - 0x660))
    .replace(/[۰-۹]/g, (digit) => String(digit.charCodeAt(0) - 0x6f0))
    .replaceAll('٫', '.')
    .replaceAll('٬', ',')
    .replace(/[’‘ʼ´`]/g, "'")
    .replace(/[‐-―−]/g, '-')
    .replace(/[\s\u200e\u200f]+/g, ' ')
    .trim()
}
