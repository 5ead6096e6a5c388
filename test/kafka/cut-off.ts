/** Cuts appends off from the brokers: what is sent does not arrive, or does and the answer is lost. */
import { LogAway } from '../../infra/log/log-away.ts'
import type { Log } from '../../infra/log/port.ts'
import { topics } from '../../schemas/topics.ts'
import type { Running } from '../running.ts'

/** How records of the products' topic are known: those of a bulk job have numbers. */
export const ofBulkJobs = '"once"'

export interface Cut {
  readonly happened: boolean
  mend(): void
}

/**
 * The next append whose first record says this: its answer is lost after its effect, and what follows gets through.
 * @param meanwhile what happens before the sender learns of the loss
 */
export const loseAnswer = (assay: Running, says: string, meanwhile?: () => Promise<void>): Cut =>
  cutOff(assay, says, { arrives: true, mended: true, meanwhile })

/** @param arrives the first append has its effect; none has after it, until the cut is mended */
export function cutOff(
  { system }: Running,
  says: string,
  how: { arrives: boolean; mended?: boolean; meanwhile?: (() => Promise<void>) | undefined },
): Cut {
  const log = system.log as { -readonly [K in keyof Log]: Log[K] }
  const { append } = log
  const cut = {
    happened: false,
    mend: () => {
      log.append = append
    },
  }
  log.append = async (to, records, tx) => {
    if (to !== topics.bronze || !String(records[0]?.value).includes(says)) return append(to, records, tx)
    const first = !cut.happened
    cut.happened = true
    if (how.mended) cut.mend()
    if (first && how.arrives) {
      await append(to, records, tx)
      await system.bulk.settled()
      await how.meanwhile?.()
    }
    throw new LogAway('the brokers are cut off by this test')
  }
  return cut
}
