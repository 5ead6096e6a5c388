/** When a schedule is due next: a cron line of five fields in a time zone, as pg-boss reads them. */
import { CronExpressionParser } from 'cron-parser'

/** @returns the first moment after `after`; null for a line that never comes, as the 30th of February */
export function nextRun(schedule: string, timeZone: string, after: Date): Date | null {
  try {
    return CronExpressionParser.parse(schedule, { currentDate: after, tz: timeZone }).next().toDate()
  } catch {
    return null
  }
}
