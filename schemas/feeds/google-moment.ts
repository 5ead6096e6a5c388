/** A date of ours as Google writes it: to the minute, the offset without a colon; days are days in UTC. G-ans:6324470 */

const moment = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:\d\d)$/

/** @returns null for what is no date of ours */
export function googleMoment(text: string | null | undefined): string | null {
  if (!text) return null
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return text
  const [, day, time, offset] = moment.exec(text) ?? []
  return day === undefined ? null : `${day}T${time}${offset?.replace(':', '')}`
}

/** A sale lasts through the day that is named as its end; without both ends Google takes none. G-ans:12471843 */
export function googleInterval(text: string | null | undefined): string | null {
  const [start, end, ...more] = (text ?? '').split('/')
  if (more.length > 0) return null
  const [from, to] = [googleMoment(start), googleMoment(end)]
  if (from === null || to === null) return null
  return `${from.length === 10 ? `${from}T00:00Z` : from}/${to.length === 10 ? `${to}T23:59Z` : to}`
}
