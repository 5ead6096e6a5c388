/** The log as everything else has it: each epoch read with its archive as one, the former ones behind the present, and appends under the fence. */
import type { Pool } from 'pg'
import { archivedLog } from '../log/archived.ts'
import { fenced } from '../log/fenced.ts'
import type { Log } from '../log/port.ts'
import type { Archiving } from './archiving.ts'
import type { EpochLog, OpenLog } from './open-log.ts'

export interface WholeLog {
  readonly log: Log
  /** Of the present epoch: the former ones were archived when they were closed. */
  readonly archiving: Archiving
  close(): Promise<void>
}

export function wholeLog(
  open: OpenLog,
  pool: Pool,
  archivingOf: (epoch: Pick<EpochLog, 'log' | 'begins' | 'letGo'>, former: readonly Archiving[]) => Archiving,
): WholeLog {
  const all: Archiving[] = []
  const withArchive = ({ log, engine, begins, letGo }: EpochLog) => {
    const archiving = archivingOf({ log, begins, letGo }, [...all])
    all.push(archiving)
    return { archiving, log: archivedLog(log, archiving.read, engine === 'postgres' ? 'log' : 'archive', begins) }
  }
  const former = open.former.map((one) => withArchive(one).log)
  const { archiving, log } = withArchive(open)
  return {
    archiving,
    log: fenced(former.length === 0 ? log : { ...log, former }, pool),
    async close() {
      await Promise.all(all.map((one) => one.close()))
    },
  }
}
