/** Tells the log what goes wrong in the background: what is known in one sentence now and then, what is not with its trace. */
import type { Logger } from 'pino'
import { isDiskFull, isStoreAway } from '../catalog/sql-errors.ts'
import { EpochClosed } from '../log/fenced.ts'
import { LogRefused } from '../log/kafka-errors.ts'
import { LogAway } from '../log/log-away.ts'
import { StartError } from '../start-error.ts'

/** Every loop meets the same fault each second while it lasts. */
const againMs = 10_000

const known: readonly (readonly [is: (error: unknown) => boolean, sentence: string])[] = [
  [(error) => error instanceof LogAway, 'The Kafka brokers do not answer; work goes on when they do.'],
  [(error) => error instanceof LogRefused, 'The Kafka brokers refuse what they are sent; it is kept, and sent again.'],
  [isDiskFull, 'The disk is full; what was acknowledged is kept, and work goes on when there is space.'],
  [(error) => error instanceof EpochClosed, 'The log was moved by assay migrate-log; this Assay must be started anew.'],
  [isStoreAway, 'Postgres does not answer; work goes on when it does.'],
]

/** @returns for each piece of work that is named, who its errors are given to */
export function tellFaults(logger: Logger): (what: string) => (error: unknown) => void {
  const toldAt = new Map<string, number>()
  return (what) => (error) => {
    // Postgres that falls for want of space does not start again for want of it: that is the same fault.
    const sentence = known.find(([is]) => is(error))?.[1] ?? (error instanceof StartError ? error.message : undefined)
    if (sentence === undefined) {
      logger.error({ err: error }, what)
      return
    }
    if (Date.now() - (toldAt.get(sentence) ?? 0) < againMs) return
    toldAt.set(sentence, Date.now())
    logger.warn({ during: what, reason: (error as { message?: unknown } | null)?.message ?? String(error) }, sentence)
  }
}
