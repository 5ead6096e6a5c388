/** Which number of 03/04/2026 is the day: the evidence of a column's cells, and the custom of a locale. */
import type { ColumnDates } from '../../schemas/pipeline.ts'
import type { DayOrder } from './date-parts.ts'
import { quote } from './quote.ts'

const slashed = /(?<!\d)(\d{1,2})([-/])(\d{1,2})\2\d{4}(?!\d)/g

/** Sees every cell of a column of dates once; dates that begin with the year, or have points or names, tell nothing and need nothing. */
export function dateEvidence(): { see(raw: string): void; result(): ColumnDates | null } {
  const seen = { 'day first': 0, 'month first': 0, open: 0 }
  const examples = { 'day first': '', 'month first': '', open: '' }
  const see = (raw: string) => {
    if (raw.length > 100) return
    for (const [date, first, , second] of raw.matchAll(slashed)) {
      if (first === second) continue
      const tells = Number(first) > 12 ? 'day first' : Number(second) > 12 ? 'month first' : 'open'
      if (seen[tells]++ === 0) examples[tells] = date
    }
  }
  const told = (order: DayOrder) => `${order} in ${seen[order]} cells such as ${quote(examples[order])}`
  const result = (): ColumnDates | null => {
    const [days, months] = [seen['day first'], seen['month first']]
    if (days > 0 && months > 0)
      return { order: null, mixed: true, reason: `${told('day first')}, and ${told('month first')}` }
    if (days > 0) return { order: 'day first', reason: told('day first') }
    if (months > 0) return { order: 'month first', reason: told('month first') }
    if (seen.open === 0) return null
    return { order: null, reason: `${seen.open} cells such as ${quote(examples.open)} can be two days each` }
  }
  return { see, result }
}

const ofLocales = new Map<string, DayOrder | null>()

/** English without a country says nothing: most of those who speak it write the day first, and the most of its shops the month. */
export function orderOfLocale(locale: string | undefined): DayOrder | null {
  if (locale === undefined) return null
  const known = ofLocales.get(locale)
  if (known !== undefined) return known
  const { language, region } = new Intl.Locale(locale)
  const order = language === 'en' && region === undefined ? null : customOf(locale)
  ofLocales.set(locale, order)
  return order
}

/** By CLDR's short form. Where it begins with the year, a date that ends with it is a stranger's. */
function customOf(locale: string): DayOrder | null {
  const parts = new Intl.DateTimeFormat(locale, { dateStyle: 'short', timeZone: 'UTC' }).formatToParts(0)
  const [first] = parts.filter(({ type }) => type === 'day' || type === 'month' || type === 'year')
  if (first?.type === 'day') return 'day first'
  return first?.type === 'month' ? 'month first' : null
}
