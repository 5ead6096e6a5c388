/** Which time a question is about, and which it is compared with. */
import type { AggregationParams } from '../../schemas/aggregation.ts'
import { aheadMs } from '../../schemas/event.ts'
import { type Clock, clockOf, dayMs, momentOf, shownAt } from './local-time.ts'

/** In milliseconds; what is at its end is not in it. */
export interface Window {
  readonly from: number
  readonly to: number
}

export interface Windows {
  /** null for UTC. */
  readonly zone: string | null
  readonly clock: Clock
  readonly now: number
  readonly asked: Window
  /** null where nothing is compared. */
  readonly previous: Window | null
}

type Asked = Pick<AggregationParams, 'time_window_days' | 'time_zone' | 'compare'>

/** Whole days, today as far as it has come; the same ones, whatever zone a server is in (KF-54). */
export function windowsOf({ time_window_days: days, time_zone, compare }: Asked, at: Date): Windows {
  const zone = time_zone ?? null
  const now = at.getTime()
  const periods = compare ? 2 : 1
  // A day more: a zone may be a day behind or ahead of UTC.
  const clock = clockOf(zone, now - (periods * days + 1) * dayMs, now + dayMs)
  const today = Math.floor(shownAt(clock, now) / dayMs) * dayMs
  const from = momentOf(clock, today - (days - 1) * dayMs)
  const before = {
    from: momentOf(clock, today - (2 * days - 1) * dayMs),
    // Not to the end of that day: a morning is compared with a morning.
    to: Math.min(momentOf(clock, shownAt(clock, now) - days * dayMs), from),
  }
  // Clocks of callers may be ahead so far.
  return { zone, clock, now, asked: { from, to: now + aheadMs }, previous: compare ? before : null }
}
