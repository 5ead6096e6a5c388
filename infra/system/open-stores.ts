/** What every process opens of the database and the log, whatever it does. */
import { randomUUID } from 'node:crypto'
import { type Epoch, migrate } from '../catalog/migrate.ts'
import { type Notices, openNotices } from '../catalog/notices.ts'
import { type Catalog, openCatalog, openPipeline } from '../catalog/postgres.ts'
import type { Config } from '../config.ts'
import { embeddedInbound, type InboundLog, kafkaInbound } from '../log/inbound-log.ts'
import type { KafkaLog } from '../log/kafka.ts'
import type { Log } from '../log/port.ts'
import { type Archiving, openArchiving } from './archiving.ts'
import type { Closing } from './closing.ts'
import { type LeaseTurns, openLeaseTurns } from './lease-turns.ts'
import { type LeftBehind, openLeftBehind } from './left-behind.ts'
import { engineOf, openLog } from './open-log.ts'
import { openSending, type Sending } from './sending.ts'
import { wholeLog } from './whole-log.ts'

export interface Stores {
  readonly catalog: Catalog
  readonly epoch: Epoch
  /** This process among others on the database. */
  readonly member: string
  readonly turns: LeaseTurns
  readonly notices: Notices
  /** null where the log is embedded. */
  readonly kafka: KafkaLog | null
  readonly log: Log
  readonly archiving: Archiving
  readonly leftBehind: LeftBehind
  readonly sending: Sending
  readonly inbound: InboundLog
}

interface Wanted {
  readonly databaseUrl: string
  readonly now: () => Date
  /** Takes the log that the database names, whatever log the environment does. */
  readonly asItIs?: boolean
}

/** @throws StartError */
export async function openStores(
  config: Config,
  { databaseUrl, now, asItIs = false }: Wanted,
  { closers }: Pick<Closing, 'closers'>,
): Promise<Stores> {
  const epoch = await migrate(databaseUrl, { engine: engineOf(config), partitions: config.logPartitions })
  const member = randomUUID()
  const catalog = openCatalog(databaseUrl, { member })
  closers.push(() => catalog.close())
  const turns = openLeaseTurns(openPipeline(databaseUrl, { maxConnections: 1, member }))
  closers.push(() => turns.pool.end())
  const notices = openNotices(databaseUrl)
  closers.push(() => notices.close())
  const open = await openLog(config, epoch, catalog.pipeline, { asItIs })
  closers.push(() => open.close())
  const whole = wholeLog(open, catalog.pipeline, (epoch, former) =>
    openArchiving({ ...epoch, former, config, catalog, now }),
  )
  closers.push(() => whole.close())
  const { log, archiving } = whole
  const { kafka } = open
  const inbound = kafka
    ? kafkaInbound(catalog.pipeline, log, kafka.tenants)
    : embeddedInbound(catalog.pipeline, log, open.tenants)
  return {
    ...{ catalog, epoch, member, turns, notices, kafka, log, archiving, inbound },
    leftBehind: openLeftBehind(catalog, log),
    sending: openSending({ pool: catalog.pipeline, log }),
  }
}
