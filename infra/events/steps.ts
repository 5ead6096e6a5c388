/** The days or hours of a question's time, in order, also those in which nothing happened. */
import { dayMs, hourMs, isUtc, offsetText, shownAt } from './local-time.ts'
import type { Windows } from './windows.ts'

export interface Step {
  readonly key: string
  /**
   * Of what it is compared with: the same on the clock, as many days before as the question is about. null: it is told with an
   * hour that the clock shows alike, for all hours before are told once.
   */
  readonly previousKey: string | null
  /** It has not begun: only events of callers whose clocks are ahead are in it. */
  readonly isAhead: boolean
}

/** @param days that the question is about */
export function stepsOf(group: 'day' | 'hour', windows: Windows, days: number): Step[] {
  return group === 'day' ? daysOf(windows, days) : hoursOf(windows, days)
}

const dayText = (shownMs: number) => new Date(shownMs).toISOString().slice(0, 10)
const hourText = (shownMs: number) => `${new Date(shownMs).toISOString().slice(0, 13)}:00:00`

function daysOf({ clock, asked, now }: Windows, days: number): Step[] {
  const steps: Step[] = []
  const today = Math.floor(shownAt(clock, now) / dayMs) * dayMs
  const end = shownAt(clock, asked.to - 1)
  for (let day = today - (days - 1) * dayMs; day <= end; day += dayMs)
    steps.push({ key: dayText(day), previousKey: dayText(day - days * dayMs), isAhead: day > today })
  return steps
}

function hoursOf({ clock, zone, asked, now }: Windows, days: number): Step[] {
  const told = new Set<string>()
  const steps: Step[] = []
  for (let at = asked.from; at < asked.to; ) {
    const shown = shownAt(clock, at)
    const before = hourText(shown - days * dayMs) + (isUtc(zone) ? offsetText(zone, 0) : '')
    steps.push({
      key: hourText(shown) + offsetText(zone, (shown - at) / 60_000),
      previousKey: told.has(before) ? null : before,
      isAhead: at > now,
    })
    told.add(before)
    // An hour that a clock breaks off ends there.
    const next = at + hourMs - (shown % hourMs)
    at = clock.find(({ fromMs }) => fromMs > at && fromMs < next)?.fromMs ?? next
  }
  return steps
}
