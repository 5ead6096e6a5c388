/** Reads the numbers of books, sheet music and periodicals from before they were trade item numbers (ISO 2108, ISO 10957, ISO 3297). */

/** ISBN-10: weights 10 down to 1, X for ten, a multiple of eleven. */
function isIsbn10(signs: string): boolean {
  if (!/^\d{9}[\dXx]$/.test(signs)) return false
  let sum = 0
  for (let i = 0; i < 10; i++) sum += (10 - i) * signOf(signs, i)
  return sum % 11 === 0
}

const signOf = (signs: string, i: number) => (/[Xx]/.test(signs.charAt(i)) ? 10 : signs.charCodeAt(i) - 48)

/** GS1's check digit of twelve digits. */
function checkDigit(digits: string): string {
  let sum = 0
  for (let i = 0; i < 12; i++) sum += (digits.charCodeAt(i) - 48) * (i % 2 === 0 ? 1 : 3)
  return String((10 - (sum % 10)) % 10)
}

/**
 * @param signs without hyphens and space
 * @param shortened a leading zero, which spreadsheets take away, may be missing
 * @returns the ISBN-13; null for what is no ISBN-10
 */
export function isbn13(signs: string, shortened = false): string | null {
  const full = shortened && signs.length === 9 ? `0${signs}` : signs
  if (!isIsbn10(full) || /^0+$/.test(full)) return null
  const core = `978${full.slice(0, 9)}`
  return core + checkDigit(core)
}

/** An ISMN of ten signs begins with M, for which 979-0 stands since 2008; the check digit is the same. */
export function ismn13(signs: string): string | null {
  if (!/^M\d{9}$/i.test(signs)) return null
  const core = `9790${signs.slice(1, 9)}`
  return checkDigit(core) === signs.slice(9) ? core + signs.slice(9) : null
}

/** An ISSN names a periodical and none of its issues, so that no GTIN can be made of it: always written with its hyphen. */
export function isIssn(text: string): boolean {
  if (!/^\d{4}-\d{3}[\dXx]$/.test(text)) return false
  const signs = text.replace('-', '')
  let sum = 0
  for (let i = 0; i < 8; i++) sum += (8 - i) * signOf(signs, i)
  return sum % 11 === 0
}
