/** Reads a date as ISO 8601: a day where the workspace counts days in UTC, else a moment with its offset. */
import type { FieldCell, ImportContext, SilverSettings } from '../../schemas/pipeline.ts'
import { orderOfLocale } from './date-order.ts'
import { type DateParts, type DayOrder, dateParts } from './date-parts.ts'
import { quote } from './quote.ts'
import { doubts, type Finding, type Reading, reads } from './reading.ts'
import { zoneOffset } from './time-zone.ts'

/** How the dates of a cell are read where they do not tell by themselves. */
export interface DateRule {
  readonly order: DayOrder | null
  /** Of days and times that name no zone. */
  readonly zone: string
}

/** Whether a day stands for its first moment, or what is meant lasts to its end. */
export type Edge = 'start' | 'end'

/** The evidence of its column decides; where the column has none, the locale of the workspace, and where it contradicts itself, nobody. */
export function dateRule(
  { column }: Pick<FieldCell, 'column'>,
  context: ImportContext | undefined,
  { locale, timeZone }: Pick<SilverSettings, 'locale' | 'timeZone'>,
): DateRule {
  const seen = context?.dates?.[column]
  const order = seen?.order ?? (seen?.mixed ? null : orderOfLocale(locale))
  return { order, zone: timeZone ?? 'UTC' }
}

const two = (n: number) => String(n).padStart(2, '0')
const zeros = /^0000-00-00(?:[ T]00:00(?::00)?)?$/

export function readDate(raw: string, rule: DateRule, edge: Edge = 'start'): Reading<string> {
  const text = raw.trim()
  // Databases write it for no date.
  if (zeros.test(text)) return reads<string>(null)
  const parts = dateParts(text)
  if (parts === null) return doubts('unreadable_date', `${quote(raw)} is no date; write it as 2026-12-01`)
  const order = parts.order ?? rule.order
  if (order === null) {
    const says = `${quote(raw)} can be two days, and nothing in its column tells which; write it as 2026-12-01, or set the locale of the workspace`
    return doubts('ambiguous_date', says)
  }
  const [month, day] = order === 'month first' ? parts.numbers : [parts.numbers[1], parts.numbers[0]]
  if (!isDay(parts.year, month, day))
    return doubts('unreadable_date', `${quote(raw)} is no day of the calendar; write it as 2026-12-01`)
  const value = written(`${parts.year}-${two(month)}-${two(day)}`, parts, rule.zone, edge)
  return { value, findings: parts.short ? [shortYear(raw, value)] : [] }
}

const shortYear = (raw: string, value: string): Finding => ({
  code: 'two_digit_year',
  says: `${quote(raw)} is read as ${value}; write years with four digits`,
})

function isDay(year: number, month: number, day: number): boolean {
  if (year < 1900 || month < 1 || month > 12 || day < 1) return false
  return day <= new Date(Date.UTC(year, month, 0)).getUTCDate()
}

/** Spreadsheets and databases write midnight behind a day. */
function written(day: string, { time, offset }: DateParts, zone: string, edge: Edge): string {
  const isDayAlone = time === null || (offset === null && time.every((n) => n === 0))
  if (isDayAlone && zone === 'UTC') return day
  const clock = !isDayAlone ? time.map(two).join(':') : edge === 'start' ? '00:00:00' : '23:59:59'
  const east = offset ?? (zone === 'UTC' ? 0 : zoneOffset(zone, Date.parse(`${day}T${clock}Z`)))
  if (east === 0) return `${day}T${clock}Z`
  const minutes = Math.abs(east)
  return `${day}T${clock}${east < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}
