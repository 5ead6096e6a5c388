/** The log under its fence: nothing is appended to an epoch that has been closed, and none is closed under an append. */
import type { Pool } from 'pg'
import { inTransaction } from '../catalog/in-transaction.ts'
import { holdEpoch } from '../catalog/log-epochs.ts'
import { NotYet } from '../not-yet.ts'
import type { Log } from './port.ts'

/** A job that meets it gives its place up: a process that was started since goes on with it. */
export class EpochClosed extends NotYet {
  constructor(epoch: number) {
    super(`Epoch ${epoch} of the log is closed; this Assay must be started anew`)
  }
}

export function fenced(log: Log, pool: Pool): Log {
  const append: Log['append'] = async (topic, records, tx) => {
    if (records.length === 0) return []
    if (!tx) return inTransaction(pool, (own) => append(topic, records, own))
    if (!(await holdEpoch(tx, log.epoch))) throw new EpochClosed(log.epoch)
    return log.append(topic, records, tx)
  }
  return { ...log, append }
}
