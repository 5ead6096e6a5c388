/** Finds the epoch in which a position stands. */
import type { EpochReader, Log } from './port.ts'

/** @throws where the log has never had it */
export function epochOf(log: Log, epoch: number): EpochReader {
  const found = [...(log.former ?? []), log].find((one) => one.epoch === epoch)
  if (!found) throw new Error(`the log has no epoch ${epoch}`)
  return found
}
