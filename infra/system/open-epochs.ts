/** Opens the log with all that it was before: the present epoch to write to, the former ones to read. */
import type { Pool } from 'pg'
import { type KeptEpoch, listEpochs } from '../catalog/log-epochs.ts'
import { fenced } from '../log/fenced.ts'
import { formerEpoch } from '../log/former-epoch.ts'
import type { Log } from '../log/port.ts'
import { postgresLog } from '../log/postgres.ts'

/** @param present the number of the epoch that is written to */
export async function openEpochs(pool: Pool, present: number): Promise<Log> {
  const epochs = await listEpochs(pool)
  const own = epochs.find(({ epoch }) => epoch === present)
  if (!own) throw new Error(`the log has no epoch ${present}`)
  const former = epochs.filter(({ epoch }) => epoch < present)
  const log = postgresLog(pool, own)
  return fenced(former.length === 0 ? log : { ...log, former: former.map((one) => readFormer(pool, one)) }, pool)
}

const readFormer = (pool: Pool, one: KeptEpoch) => formerEpoch(postgresLog(pool, one), one.ends ?? {})
