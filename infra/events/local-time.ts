/** The clock of a time zone, of which the store knows nothing: one database of zones decides over windows, keys and steps alike. */

/** From when on a clock is how many minutes ahead of UTC. */
export interface Offset {
  readonly fromMs: number
  readonly minutes: number
}

/** All that hold in a time, in order; the first from its beginning. */
export type Clock = readonly [Offset, ...Offset[]]

export const dayMs = 86_400_000
export const hourMs = 3_600_000
const minuteMs = 60_000

export const isUtc = (zone: string | null) => zone === null || zone === 'UTC'

/** @param zone null for UTC */
export function clockOf(zone: string | null, fromMs: number, toMs: number): Clock {
  const first = { fromMs, minutes: 0 }
  if (zone === null || isUtc(zone)) return [first]
  const minutesAt = readerOf(zone)
  const clock: [Offset, ...Offset[]] = [{ fromMs, minutes: minutesAt(fromMs) }]
  let last = clock[0]
  for (let at = fromMs; at < toMs; at += dayMs) {
    const next = Math.min(at + dayMs, toMs)
    const minutes = minutesAt(next)
    if (minutes === last.minutes) continue
    last = { fromMs: firstWith(minutes, at, next, minutesAt), minutes }
    clock.push(last)
  }
  return clock
}

function readerOf(zone: string): (ms: number) => number {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' })
  return (ms) => {
    const name = format.formatToParts(ms).find(({ type }) => type === 'timeZoneName')?.value ?? ''
    const [, sign = '+', hours = '0', minutes = '0'] = /([+-])(\d\d):(\d\d)/.exec(name) ?? []
    return (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1)
  }
}

/** Clocks change at whole minutes. */
function firstWith(minutes: number, beforeMs: number, atMs: number, minutesAt: (ms: number) => number): number {
  let [low, high] = [Math.floor(beforeMs / minuteMs), Math.ceil(atMs / minuteMs)]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (minutesAt(middle * minuteMs) === minutes) high = middle
    else low = middle
  }
  return high * minuteMs
}

const offsetAt = (clock: Clock, ms: number): Offset => clock.findLast(({ fromMs }) => fromMs <= ms) ?? clock[0]

/** What the clock shows, as if it were UTC. */
export const shownAt = (clock: Clock, ms: number): number => ms + offsetAt(clock, ms).minutes * minuteMs

/** The first moment at which the clock shows so much; where it never does, for it was put forward, the moment of that. */
export function momentOf(clock: Clock, shownMs: number): number {
  for (const [i, { fromMs, minutes }] of clock.entries()) {
    const at = i === 0 ? shownMs - minutes * minuteMs : Math.max(fromMs, shownMs - minutes * minuteMs)
    if (at < (clock[i + 1]?.fromMs ?? Number.POSITIVE_INFINITY)) return at
  }
  return shownMs
}

/** What the clock never shows, for it was put forward there: as if it were UTC. */
export function skippedIn(clock: Clock, { from, to }: { readonly from: number; readonly to: number }) {
  return clock.flatMap(({ fromMs, minutes }, i) => {
    const before = clock[i - 1]?.minutes ?? minutes
    if (before >= minutes || fromMs < from || fromMs >= to) return []
    return [{ fromMs: fromMs + before * minuteMs, toMs: fromMs + minutes * minuteMs }]
  })
}

/** As an hour's key has it: two hours that a clock shows alike in autumn differ by it. */
export function offsetText(zone: string | null, minutes: number): string {
  if (isUtc(zone)) return 'Z'
  const two = (n: number) => String(Math.floor(n)).padStart(2, '0')
  const ahead = Math.abs(minutes)
  return `${minutes < 0 ? '-' : '+'}${two(ahead / 60)}:${two(ahead % 60)}`
}
