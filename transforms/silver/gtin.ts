/** Reads trade item numbers: kept as given where they are valid, compared in their 14-digit form (KF-09, KF-10). */
import { quote } from './quote.ts'
import { doubts, type Finding, type Reading, reads } from './reading.ts'

const zeros = '00000000000000'
const lengths = new Set([8, 12, 13, 14])

/** GS1: from the digit left of the check digit going left, weights 3, 1, 3, 1 …; padding with zeros changes nothing. */
function checkDigitHolds(digits: string): boolean {
  let sum = 0
  for (let i = digits.length - 1, weight = 1; i >= 0; i--, weight = 4 - weight)
    sum += (digits.charCodeAt(i) - 48) * weight
  return sum % 10 === 0
}

const digitsOf = (text: string) => text.trim().replace(/^['’]/, '').replace(/[\s-]/g, '')

/** The form in which two GTINs are the same or not; null for what is no valid GTIN, and for all zeros, which is a placeholder. */
export function gtin14(text: string): string | null {
  const digits = digitsOf(text)
  if (!/^\d+$/.test(digits) || !lengths.has(digits.length)) return null
  if (/^0+$/.test(digits) || !checkDigitHolds(digits)) return null
  return digits.padStart(14, '0')
}

/**
 * Numbers that shops and coupons give out themselves: valid, and not unique in the world. The prefix is read from the 13 digits
 * after the indicator; a GTIN-8 goes by its own first digit.
 */
export function isRestricted(gtin14: string): boolean {
  if (gtin14.startsWith('000000')) return gtin14[6] === '0' || gtin14[6] === '2'
  return /^.(?:02|04|05|2|98[0-4]|99)/.test(gtin14)
}

/** One digit over and over, or digits that count up or down: what people type to fill a required field. */
function looksMadeUp(digits: string): boolean {
  let repeats = true
  let up = true
  let down = true
  for (let i = 1; i < digits.length; i++) {
    const step = (digits.charCodeAt(i) - digits.charCodeAt(i - 1) + 10) % 10
    repeats &&= step === 0
    up &&= step === 1
    down &&= step === 9
  }
  return digits.length > 5 && (repeats || up || down)
}

function restriction(digits: string): Finding[] {
  if (!isRestricted(digits.padStart(14, '0'))) return []
  const says = `${quote(digits)} has a prefix for use inside a shop; other shops use the same number, so give the maker's GTIN`
  return [{ code: 'gtin_restricted', says }]
}

/** A valid number as given, trimmed and without the apostrophe that spreadsheets put before text. */
export function readGtin(raw: string): Reading<string> {
  const given = raw.trim().replace(/^['’]\s*/, '')
  let digits = digitsOf(given)
  if (digits === '') return reads<string>(null)
  if (/^\d(?:[.,]\d+)?e\+?\d+$/i.test(digits)) {
    const says = `${quote(raw)} is a number that a spreadsheet cut; its digits are lost, so format the column as text and export again`
    return doubts('gtin_scientific', says)
  }
  const fromFloat = /^\d+[.,]0+$/.test(digits)
  if (fromFloat) digits = digits.replace(/[.,]0+$/, '')
  if (!/^\d+$/.test(digits))
    return doubts('gtin_not_digits', `${quote(raw)} is no GTIN; a GTIN has 8, 12, 13 or 14 digits and nothing else`)
  if (/^0+$/.test(digits)) return doubts('gtin_placeholder', `${quote(raw)} is a placeholder; leave the cell blank`)
  if (lengths.has(digits.length) && checkDigitHolds(digits)) {
    const findings = restriction(digits)
    if (!fromFloat) return { value: given, findings }
    const says = `${quote(raw)} was stored as a number; ${digits} is read`
    return { value: digits, findings: [{ code: 'gtin_repaired', says }, ...findings] }
  }
  if (looksMadeUp(digits))
    return doubts(
      'gtin_placeholder',
      `${quote(raw)} is a placeholder; give the number on the package, or leave the cell blank`,
    )
  const padded = digits.length === 7 ? zeros.slice(0, 1) + digits : digits.padStart(12, '0')
  if ((digits.length === 7 || (digits.length >= 9 && digits.length <= 11)) && checkDigitHolds(padded)) {
    const says = `${quote(raw)} has lost its leading zeros; ${padded} is read, so format the column as text`
    return { value: padded, findings: [{ code: 'gtin_repaired', says }, ...restriction(padded)] }
  }
  if (!lengths.has(digits.length))
    return doubts('gtin_not_digits', `${quote(raw)} has ${digits.length} digits; a GTIN has 8, 12, 13 or 14`)
  const right = [...'0123456789'].find((digit) => checkDigitHolds(digits.slice(0, -1) + digit))
  return doubts('gtin_bad_check_digit', `${quote(raw)} cannot be right: its last digit should be ${right}`)
}
