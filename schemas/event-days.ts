/** When events are too old for a workspace that keeps them so many days. */
import { retention } from './retention.ts'

const dayMs = 86_400_000

/**
 * Whole days of UTC, so that the first day of a question is all there or all gone.
 * @param days null: the workspace has not said so itself
 */
export const keptSince = (days: number | null | undefined, now: Date): Date =>
  new Date((Math.floor(now.getTime() / dayMs) - (days ?? retention.events.days)) * dayMs)
