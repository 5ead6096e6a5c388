/** Opens every epoch of the log: the one that the database names to write to, the former ones to read. */
import type { Pool } from 'pg'
import { type KeptEpoch, listEpochs, type Offsets } from '../catalog/log-epochs.ts'
import type { Epoch } from '../catalog/migrate.ts'
import type { Config } from '../config.ts'
import { formerEpoch } from '../log/former-epoch.ts'
import type { TenantTopics } from '../log/kafka-tenants.ts'
import type { Log } from '../log/port.ts'
import { StartError } from '../start-error.ts'
import { type OpenEpoch, openEpoch } from './open-epoch.ts'

/** One epoch as its engine has it, without its archive. */
export interface EpochLog {
  readonly log: Log
  readonly engine: string
  /** By topic, its first offsets. */
  readonly begins: Offsets
  /** Where it is on brokers: has them drop what stands before these offsets. */
  readonly letGo?: ((topic: string, before: readonly number[]) => Promise<void>) | undefined
}

export interface OpenLog extends EpochLog, Pick<OpenEpoch, 'kafka' | 'close'> {
  /** Topics that others write to, on the brokers of this epoch or of a former one; null where no epoch is on brokers. */
  readonly tenants: TenantTopics | null
  /** Oldest first. */
  readonly former: readonly EpochLog[]
}

export const engineOf = ({ kafka }: Pick<Config, 'kafka'>): 'kafka' | 'postgres' => (kafka ? 'kafka' : 'postgres')

/**
 * @param asItIs whatever log the environment names
 * @throws StartError where the environment names another log than the database knows
 */
export async function openLog(
  config: Config,
  present: Epoch,
  pool: Pool,
  { asItIs = false }: { asItIs?: boolean } = {},
): Promise<OpenLog> {
  const epochs = await listEpochs(pool)
  if (!asItIs) agree(config, present, epochs)
  const opened: OpenEpoch[] = []
  const close = async () => {
    await Promise.all(opened.map((one) => one.close()))
  }
  try {
    const former: EpochLog[] = []
    for (const { ends, ...epoch } of epochs.filter(({ epoch }) => epoch <= present.epoch)) {
      const one = await openEpoch(config, epoch, pool)
      opened.push(one)
      const tenants = opened.findLast(({ kafka }) => kafka !== null)?.kafka?.tenants ?? null
      if (epoch.epoch === present.epoch) return { ...epoch, ...one, letGo: one.kafka?.letGo, tenants, former, close }
      former.push({ ...epoch, log: formerEpoch(one.log, ends ?? {}), letGo: one.kafka?.letGo })
    }
    throw new Error(`the log has no epoch ${present.epoch}`)
  } catch (error) {
    await close().catch(() => {})
    throw error
  }
}

/** Brokers may be named for the sake of a former epoch. */
function agree(config: Config, { engine, partitions }: Epoch, epochs: readonly KeptEpoch[]): void {
  const wanted = engineOf(config)
  const move = (to: string) => `or move the log with assay migrate-log --to ${to} --partitions ${config.logPartitions}`
  if (engine === 'kafka' && wanted === 'postgres')
    throw new StartError(`The log of this database is kept by Kafka; set KAFKA_BROKERS, ${move('postgres')}.`)
  if (engine === 'postgres' && wanted === 'kafka' && !epochs.some((one) => one.engine === 'kafka'))
    throw new StartError(`The log of this database is kept in Postgres; unset KAFKA_BROKERS, ${move('kafka')}.`)
  if (partitions !== config.logPartitions)
    throw new StartError(
      `The log is kept in ${partitions} partitions; set ASSAY_LOG_PARTITIONS=${partitions}, ${move(engine)}.`,
    )
}
