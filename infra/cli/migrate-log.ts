/** `assay migrate-log --to ENGINE`: moves the log to another engine or another number of partitions, as a new epoch. */
import type { Epoch } from '../catalog/migrate.ts'
import type { Config } from '../config.ts'
import { openLogger } from '../logger.ts'
import type { Waiting } from '../system/move-log.ts'
import type { System } from '../system.ts'
import { readArguments } from './arguments.ts'
import { CommandError } from './command-error.ts'
import { grouped } from './progress.ts'

const mostPartitions = 256
const tellEveryMs = 2_000

const print = (line: string) => process.stdout.write(`${line}\n`)

export async function migrateLog(args: string[], config: Config): Promise<number> {
  const { values } = readArguments(args, { to: { type: 'string' }, partitions: { type: 'string' } })
  const engine = values.to
  if (engine !== 'postgres' && engine !== 'kafka')
    throw new CommandError('Say where the log is to go: assay migrate-log --to kafka, or --to postgres.')
  if (engine === 'kafka' && !config.kafka)
    throw new CommandError('Set KAFKA_BROKERS to the brokers that are to keep it.')
  const partitions = values.partitions === undefined ? null : Number(values.partitions)
  if (partitions !== null && !(Number.isInteger(partitions) && partitions >= 1 && partitions <= mostPartitions))
    throw new CommandError(`--partitions takes a number from 1 to ${mostPartitions}.`)

  const stopped = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopped.abort())
  const system = await openToMove(config)
  try {
    const { log } = system
    const to = { engine, partitions: partitions ?? log.partitions }
    if (system.engine === to.engine && log.partitions === to.partitions)
      throw new CommandError(`The log is kept by ${to.engine} in ${to.partitions} partitions already.`)
    print('No new writes are taken; waiting for what is under way.')
    const { openEpoch } = await import('../system/open-epoch.ts')
    const { moveLog } = await import('../system/move-log.ts')
    const prepare = (next: Epoch) => openEpoch(config, next, system.catalog.pipeline)
    const next = await moveLog({ ...system, prepare }, to, teller(), stopped.signal).catch((error: unknown) => {
      if (stopped.signal.aborted) throw new CommandError('The log was not moved; writes are taken again.')
      throw error
    })
    print(`The log goes on in epoch ${next.epoch}, kept by ${next.engine} in ${next.partitions} partitions.`)
    print(`Start every Assay of this database anew, with ASSAY_LOG_PARTITIONS=${next.partitions}${asHere(config)}.`)
    return 0
  } finally {
    await system.close()
  }
}

function asHere({ kafka }: Config): string {
  if (!kafka) return ''
  const prefix = kafka.prefix === '' ? 'without ASSAY_KAFKA_PREFIX' : `ASSAY_KAFKA_PREFIX=${kafka.prefix}`
  return `, ${prefix}, and KAFKA_BROKERS and all other ASSAY_KAFKA_ variables as they are here`
}

/** With all that works off what waits, unless an Assay lives on this data folder that does. */
async function openToMove(config: Config): Promise<System> {
  const { InUse, openSystem } = await import('../system.ts')
  const logger = openLogger('silent')
  const working = { roles: ['jobs', 'transforms'] as const, asItIs: true }
  try {
    return await openSystem(config, logger, { ...working, alone: config.databaseUrl === undefined })
  } catch (error) {
    if (!(error instanceof InUse)) throw error
    return openSystem(config, logger, { roles: [], alone: false, asItIs: true })
  }
}

function teller(): (left: Waiting) => void {
  let toldAt = performance.now()
  return ({ jobs, records }) => {
    if (performance.now() - toldAt < tellEveryMs) return
    toldAt = performance.now()
    print(`waiting for ${grouped(jobs)} jobs and ${grouped(records)} records`)
  }
}
