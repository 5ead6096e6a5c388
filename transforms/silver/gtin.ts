/** Reads trade item numbers: kept as given where they are valid, compared in their 14-digit form (KF-09, KF-10). */
import { isbn13, isIssn, ismn13 } from './isbn.ts'
import { missingWords } from './maker-words.ts'
import { quote } from './quote.ts'
import { doubts, type Finding, type Reading, reads } from './reading.ts'
import { readIdentifier } from './text.ts'
import { wordSet } from './words.ts'

const lengths = new Set([8, 12, 13, 14])

/** GS1: from the digit left of the check digit going left, weights 3, 1, 3, 1 …; padding with zeros changes nothing. */
function checkDigitHolds(digits: string): boolean {
  let sum = 0
  for (let i = digits.length - 1, weight = 1; i >= 0; i--, weight = 4 - weight)
    sum += (digits.charCodeAt(i) - 48) * weight
  return sum % 10 === 0
}

const digitsOf = (text: string) => text.trim().replace(/^['’]/, '').replace(/[\s-]/g, '')

/** The form in which two GTINs are the same or not; null for what is no valid GTIN as it stands, and for placeholders, whose check digit may well hold. */
export function gtin14(text: string): string | null {
  const digits = digitsOf(text)
  if (!/^\d+$/.test(digits) || !lengths.has(digits.length)) return null
  if (/^0+$/.test(digits) || !checkDigitHolds(digits) || hasMadeUpBody(digits) || isHyphenedIssn(text)) return null
  return digits.padStart(14, '0')
}

const isHyphenedIssn = (text: string) => text.includes('-') && isIssn(text.trim())

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

const counted = ['1234567890123', '9876543210987']

/** `1234567890128`: counted up, with the check digit that belongs to it. The UPC `012345678905` is taken, as KF-09 asks. */
function hasMadeUpBody(digits: string): boolean {
  const body = digits.slice(0, -1).replace(/^0+/, '')
  return (
    body.length > 6 && body !== '1234567890' && (/^(\d)\1+$/.test(body) || counted.some((all) => all.startsWith(body)))
  )
}

function restriction(digits: string): Finding[] {
  if (!isRestricted(digits.padStart(14, '0'))) return []
  const says = `${quote(digits)} has a prefix for use inside a shop; other shops use the same number, so give the maker's GTIN`
  return [{ code: 'gtin_restricted', says }]
}

const repaired = (digits: string, says: string): Reading<string> => ({
  value: digits,
  findings: [{ code: 'gtin_repaired', says }, ...restriction(digits)],
})

const isNoNumber = wordSet(missingWords)

/** What people write before the number. */
const label =
  /^(?:ISBN|ISMN|EAN|GTIN|UPC|JAN)(?:(?:[-_ ]?(?:8|1[0-4]))?\s*[:#]\s*|[-_](?:8|1[0-4])\s+|[-_ ]?(?=[\dM]))/i

/**
 * A valid number as given, trimmed and without the apostrophe that spreadsheets put before text.
 * @param column of the cell: ten digits may be an ISBN or a UPC that lost two zeros, and its name may tell
 */
export function readGtin(raw: string, column = ''): Reading<string> {
  const given = raw.trim().replace(/^['’]\s*/, '')
  const digits = digitsOf(given)
  if (digits === '') return reads<string>(null)
  if (!/^\d+$/.test(digits)) return readOther(raw, given, digits, column)
  if (/^0+$/.test(digits)) return doubts('gtin_placeholder', `${quote(raw)} is a placeholder; leave the cell blank`)
  if (isHyphenedIssn(given)) return issn(raw)
  if (lengths.has(digits.length) && checkDigitHolds(digits) && hasMadeUpBody(digits)) return madeUp(raw)
  if (lengths.has(digits.length) && checkDigitHolds(digits)) return { value: given, findings: restriction(digits) }
  if (looksMadeUp(digits)) return madeUp(raw)
  const mended = mend(raw, given, digits, column)
  if (mended) return mended
  if (!lengths.has(digits.length))
    return doubts('gtin_not_digits', `${quote(raw)} has ${digits.length} digits; a GTIN has 8, 12, 13 or 14`)
  const right = [...'0123456789'].find((digit) => checkDigitHolds(digits.slice(0, -1) + digit))
  return doubts('gtin_bad_check_digit', `${quote(raw)} cannot be right: its last digit should be ${right}`)
}

/** What is more than digits, hyphens and space: a spreadsheet's number, a label, an X, digits of another script's width. */
function readOther(raw: string, given: string, digits: string, column: string): Reading<string> {
  if (/^\d(?:[.,]\d+)?e\+?\d+$/i.test(digits)) {
    const whole = wholeOf(digits)
    if (whole !== null) return repaired(whole, `${quote(raw)} is a number with all its digits; ${whole} is read`)
    const says = `${quote(raw)} is a number that a spreadsheet cut; its digits are lost, so format the column as text and export again`
    return doubts('gtin_scientific', says)
  }
  if (!/\d/.test(given) && isNoNumber(given)) return reads<string>(null)
  if (isIssn(given) || /^ISSN/i.test(given)) return issn(raw)
  if (looksMadeUp(digits.slice(0, 9))) return madeUp(raw)
  const book = isbn13(digits) ?? ismn13(digits)
  if (book !== null) return ofTen(raw, book)
  const plain = (readIdentifier(given) ?? '').normalize('NFKC').replace(label, '')
  const bare = /^\d+[.,]0+$/.test(plain) ? plain.replace(/[.,]0+$/, '') : plain
  if (bare !== given) {
    const { value, findings } = readGtin(bare, /^ISBN/i.test(given) ? 'ISBN' : column)
    if (value === null || findings[0]?.code === 'gtin_repaired') return { value, findings }
    const why = plain === bare ? `${quote(raw)} has more than digits` : `${quote(raw)} was stored as a number`
    return { value, findings: [{ code: 'gtin_repaired', says: `${why}; ${value} is read` }, ...findings] }
  }
  return doubts('gtin_not_digits', `${quote(raw)} is no GTIN; a GTIN has 8, 12, 13 or 14 digits and nothing else`)
}

/** `4.006381333931E12` lacks none of its digits. */
function wholeOf(scientific: string): string | null {
  const [mantissa = '', exponent = ''] = scientific.toLowerCase().split('e')
  const digits = mantissa.replace(/[.,]/, '')
  return digits.length === Number(exponent) + 1 && gtin14(digits) !== null ? digits : null
}

const madeUp = (raw: string) =>
  doubts('gtin_placeholder', `${quote(raw)} is a placeholder; give the number on the package, or leave the cell blank`)

const ofTen = (raw: string, book: string) =>
  repaired(book, `${quote(raw)} is the form of ten signs from before 2007; ${book} is read`)

const issn = (raw: string) =>
  doubts(
    'gtin_not_digits',
    `${quote(raw)} is an ISSN, which names a periodical and not what is sold; give the number of its barcode, which begins with 977`,
  )

/** Digits that are no GTIN as they stand, and lost something or are an ISBN of old. */
function mend(raw: string, given: string, digits: string, column: string): Reading<string> | null {
  const ofBooks = /isbn/i.test(column)
  const book = isbn13(digits, ofBooks)
  const padded = digits.length === 7 ? `0${digits}` : digits.padStart(12, '0')
  const lost = (digits.length === 7 || (digits.length >= 9 && digits.length <= 11)) && checkDigitHolds(padded)
  if (book !== null && lost && !ofBooks && !given.includes('-'))
    return doubts(
      'gtin_ambiguous',
      `${quote(raw)} can be the ISBN ${book}, or the UPC ${padded} without its leading zeros; give it with all its digits`,
    )
  if (book !== null) return ofTen(raw, book)
  const full = digits.length === 8 ? upcOfE(digits) : null
  if (full !== null) return repaired(full, `${quote(raw)} is a UPC-E; ${full}, which it stands for, is read`)
  if (!lost) return null
  return repaired(padded, `${quote(raw)} has lost its leading zeros; ${padded} is read, so format the column as text`)
}

/**
 * The twelve digits that eight stand for: zeros of a UPC-A are left out, the seventh digit says which, and the check digit is that of the
 * whole. Platforms ask for the whole (G-dig).
 */
function upcOfE(digits: string): string | null {
  if (!digits.startsWith('0')) return null
  const [maker, kind] = [digits.slice(1, 6), digits.charAt(6)]
  const [kept, between] = kind <= '2' ? [2, `${kind}0000`] : kind <= '4' ? [Number(kind), '00000'] : [5, `0000${kind}`]
  const full = `0${maker.slice(0, kept)}${between}${maker.slice(kept)}${digits.charAt(7)}`
  return gtin14(full) === null ? null : full
}
