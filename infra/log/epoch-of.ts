/** Finds the epoch in which a position stands. */
import type { EpochReader, Log } from './port.ts'

/** Those before the present one, oldest first, and then that. */
export const epochsOf = (log: Log): readonly EpochReader[] => [...(log.former ?? []), log]

/** @throws where the log has never had it */
export function epochOf(log: Log, epoch: number): EpochReader {
  const found = epochsOf(log).find((one) => one.epoch === epoch)
  if (!found) throw new Error(`the log has no epoch ${epoch}`)
  return found
}
