/** Reads the numbers that Excel shows as dates and times. */

const dayMs = 86_400_000
/** Quoted and bracketed parts of a format, and escaped characters, are no places of a date; elapsed hours are a duration. */
const literal = /"[^"]*"|\\.|\[[^\]]*\]|_.|\*./g

/** @param custom the format's code, where it is none of Excel's own */
export function isDateFormat(id: number, custom: string | undefined): boolean {
  if (custom === undefined) return (id >= 14 && id <= 22) || (id >= 45 && id <= 47)
  return /[ymdhs]/i.test(custom.replace(literal, '')) && !/general/i.test(custom)
}

/** ISO 8601 without a zone, as a spreadsheet has none; the number itself where it is no date. */
export function dateText(stored: string, from1904: boolean): string {
  const serial = Number(stored)
  if (!Number.isFinite(serial) || serial < 0 || serial >= 2_958_466) return stored
  const seconds = Math.round(serial * 86_400)
  const time = new Date(seconds * 1_000).toISOString().slice(11, 19)
  if (seconds < 86_400 && !from1904) return time
  // Excel counts a 29 February 1900 that was none.
  const first = from1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, serial < 60 ? 31 : 30)
  const day = new Date(first + Math.floor(seconds / 86_400) * dayMs).toISOString().slice(0, 10)
  return seconds % 86_400 === 0 ? day : `${day}T${time}`
}
