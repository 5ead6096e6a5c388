/** Reads when a sale price holds, as an interval of ISO 8601: `start/end`, with `..` for an end that nobody said. */
import { type DateRule, readDate } from './date.ts'
import { quote } from './quote.ts'
import { doubts, type Reading, reads } from './reading.ts'

/** What people write between two dates. A dash without space around it may be one of a date. */
const between =
  /\s+(?:-|to|until|till|through|bis|au|à|al|hasta|até|a|do|tot|t\/m|по|до)\s+|\s*(?:[–—〜～~]|\bt\/m\b)\s*/iu
const before = /^(?:from|von|vom|du|de|del|dal|od|van|с|ab)\s+/iu

/** Two ends; null for what is no interval. */
function endsOf(text: string): readonly [string, string] | null {
  const slashes = text.split('/')
  if (slashes.length === 2) return [slashes[0]?.trim() ?? '', slashes[1]?.trim() ?? '']
  const parts = text.replace(before, '').split(between)
  if (parts.length === 2) return [parts[0] ?? '', parts[1] ?? '']
  const dashes = text.split('-')
  return dashes.length === 2 ? [dashes[0]?.trim() ?? '', dashes[1]?.trim() ?? ''] : null
}

const isOpen = (text: string) => text === '' || text === '..'

export function readSaleDates(raw: string, rule: DateRule): Reading<string> {
  const ends = endsOf(raw.trim())
  if (ends === null || ends.every(isOpen)) {
    const says = `${quote(raw)} is no time from one day to another; write it as 2026-11-27/2026-12-24`
    return doubts('unreadable_interval', says)
  }
  return saleDates(ends[0], rule, ends[1], rule)
}

/** @param start and end as two cells say them; blank where one is not said */
export function saleDates(start: string, startRule: DateRule, end: string, endRule: DateRule): Reading<string> {
  const nothing = reads<string>(null)
  const from = isOpen(start.trim()) ? nothing : readDate(start, startRule, 'start')
  const to = isOpen(end.trim()) ? nothing : readDate(end, endRule, 'end')
  const findings = [...from.findings, ...to.findings]
  const failed = [from, to].some(({ value, findings: told }) => value === null && told.length > 0)
  if (failed || (from.value === null && to.value === null)) return { value: null, findings }
  const value = `${from.value ?? '..'}/${to.value ?? '..'}`
  if (from.value === null || to.value === null) {
    const says = `${value} has no ${from.value === null ? 'beginning' : 'end'}; platforms take a sale price for a time only with both`
    return { value, findings: [...findings, { code: 'sale_dates_open', says }] }
  }
  if (Date.parse(from.value) <= lastMoment(to.value)) return { value, findings }
  return doubts('sale_dates_reversed', `${value} ends before it begins; give the beginning first`)
}

const dayMs = 86_400_000
const lastMoment = (text: string) => Date.parse(text) + (text.length === 10 ? dayMs - 1 : 0)
