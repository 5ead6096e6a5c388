/** What a process with the role `jobs` does unasked: ranks, automatic publishes, closing log segments, counters and kept answers that have ended. */
import { sweepKeys } from '../catalog/idempotency.ts'
import type { Catalog } from '../catalog/postgres.ts'
import { followRank } from '../catalog/rank.ts'
import { sharedCounter } from '../catalog/rate-counter.ts'
import { closeSegment, segmentIsFull } from '../log/close-segment.ts'
import { startLoop } from './loop.ts'
import type { Publishing } from './publishing.ts'

/** Lists sorted by score follow within two seconds. */
const rankMs = 500
const publishMs = 1_000
const segmentMs = 30_000
const countersMs = 600_000
const keptAnswersMs = 600_000

export function startUpkeep(
  catalog: Catalog,
  publishing: Publishing,
  onError: (error: unknown) => void,
): (() => Promise<void>)[] {
  return [
    startLoop(() => followRank(catalog.pipeline), rankMs, onError),
    startLoop(() => publishing.auto(), publishMs, onError),
    startLoop(
      async () => {
        if (await segmentIsFull(catalog.pipeline)) await closeSegment(catalog.pipeline)
        return false
      },
      segmentMs,
      onError,
    ),
    startLoop(
      async () => {
        await sharedCounter(catalog.pipeline).sweep()
        return false
      },
      countersMs,
      onError,
    ),
    startLoop(() => sweepKeys(catalog.pipeline, new Date()), keptAnswersMs, onError),
  ]
}
