/** Takes a date apart as it is written: its numbers, its time and its zone, before anybody decides which number is the day. */
import { monthNamed } from './month-words.ts'

export interface DateParts {
  readonly year: number
  /** Of the two that stand beside the year, in the order of the text; a named month, and one behind the year, is known. */
  readonly numbers: readonly [first: number, second: number]
  /** Null: the numbers alone do not tell which of them is the day. */
  readonly order: DayOrder | null
  /** The year was written with two digits. */
  readonly short: boolean
  /** Hours, minutes, seconds; null for a day. */
  readonly time: readonly [number, number, number] | null
  /** Minutes east of UTC; null where none is written. */
  readonly offset: number | null
}

export type DayOrder = 'day first' | 'month first'

const yearFirst = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/
const yearLast = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})$/
const compact = /^((?:19|20)\d\d)(\d\d)(\d\d)$/
const eastern = /^(\d{4})\s*[年년]\s*(\d{1,2})\s*[月월]\s*(\d{1,2})\s*[日号일]?$/u
const clock =
  /[T,\s]\s*(\d{1,2})[:h](\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?\s*([ap])?\.?(?:m\.?)?\s*(Z|UTC|GMT|[+-]\d{2}(?::?\d{2})?)?$/i
/** Longer texts are prose. */
const longest = 60
/** Between the words of a date: "1 de diciembre de 2026", "1-го декабря 2026 г." */
const filler = /^(?:de|del|of|the|den|г|года|р|року|r|roku|rok)$/i

type Date = Omit<DateParts, 'time' | 'offset'>

export function dateParts(raw: string): DateParts | null {
  if (raw.length > longest) return null
  const text = /^[ -~]*$/.test(raw) ? raw.trim() : raw.normalize('NFKC').trim()
  if (!/\d/.test(text)) return null
  const timed = clock.exec(text)
  const date = dateIn((timed ? text.slice(0, timed.index) : text).trim())
  if (date === null) return null
  const time = timed ? timeOf(timed) : null
  if (timed && time === null) return null
  return { ...date, time, offset: timed ? offsetOf(timed[5]) : null }
}

function dateIn(text: string): Date | null {
  const known = yearFirst.exec(text) ?? compact.exec(text) ?? eastern.exec(text)
  if (known) {
    const [, year, month, day] = known.map(Number) as [number, number, number, number]
    return { year, numbers: [month, day], order: 'month first', short: false }
  }
  const last = yearLast.exec(text.replace(/\.\s+(?=\d)/g, '.'))
  if (last) {
    const [, first = '', mark, second = '', year = ''] = last
    const short = year.length === 2
    // 26/12/01 begins with the year in one country and with the day in another; with points it ends with the year.
    if (short && mark !== '.') return null
    const order = mark === '.' ? 'day first' : orderTold(Number(first), Number(second))
    return { year: Number(year) + (short ? 2000 : 0), numbers: [Number(first), Number(second)], order, short }
  }
  return named(text)
}

/**
 * Beyond twelve no number is a month, and two that are alike are one date either way. With points the day is first: in no locale
 * of CLDR 48 does a short date with points begin with the month.
 */
function orderTold(first: number, second: number): DayOrder | null {
  if (first > 12 || first === second) return 'day first'
  return second > 12 ? 'month first' : null
}

/** A day, the name of a month and a year of four digits, in any order. */
function named(text: string): Date | null {
  const words = text.split(/[\s,./-]+/).filter((word) => word !== '' && !filler.test(word))
  if (words.length !== 3) return null
  const month = words.map(monthNamed).find((one) => one !== null)
  const year = words.find((word) => /^\d{4}$/.test(word))
  const day = words.map((word) => /^(\d{1,2})(?:st|nd|rd|th|er|e|º|o|ª|го)?$/iu.exec(word)?.[1]).find(Boolean)
  if (!month || !year || !day) return null
  return { year: Number(year), numbers: [month, Number(day)], order: 'month first', short: false }
}

function timeOf([, hours = '', minutes, seconds = '0', half]: RegExpExecArray): DateParts['time'] | null {
  const twelve = half === undefined ? null : half.toLowerCase()
  const hour = twelve === null ? Number(hours) : (Number(hours) % 12) + (twelve === 'p' ? 12 : 0)
  const time = [hour, Number(minutes), Number(seconds)] as const
  return time[0] < 24 && time[1] < 60 && time[2] < 60 ? time : null
}

function offsetOf(zone: string | undefined): number | null {
  if (zone === undefined) return null
  const [, sign, hours, minutes = '0'] = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone) ?? []
  if (sign === undefined) return 0
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
}
