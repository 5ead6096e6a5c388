/** The composition root: opens what a process needs in order, and closes it in reverse. */
import { join } from 'node:path'
import type { Logger } from 'pino'
import { clearUnfinished } from '../ingest/spool.ts'
import { topics } from '../schemas/topics.ts'
import type { Membership } from '../transforms/ports.ts'
import type { KnownCategories } from '../transforms/silver/taxonomy.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './catalog/embedded.ts'
import { isInstanceLocked, lockInstance } from './catalog/lock-instance.ts'
import { isMailDue } from './catalog/mail-queue.ts'
import { type Catalog, openPipeline } from './catalog/postgres.ts'
import { readSecret } from './catalog/secrets.ts'
import { areTurnsDue, releaseTurns } from './catalog/webhook-turns.ts'
import type { Config } from './config.ts'
import type { Role } from './config-variables.ts'
import { makeDataFolder, refuseHalfRestored } from './data-folder.ts'
import { type Egress, openEgress } from './egress/open-egress.ts'
import { openPolite } from './egress/polite.ts'
import type { EventStore } from './events/port.ts'
import { type JobKind, type Jobs, openJobs } from './jobs.ts'
import type { Log } from './log/port.ts'
import { openMailer } from './mail.ts'
import { openSealing, type Sealing } from './seal.ts'
import { secretKeys } from './secret-key.ts'
import { StartError } from './start-error.ts'
import { type Archiving, clearArchiveScratch } from './system/archiving.ts'
import { arrivalsTold } from './system/arrivals.ts'
import { openCancellable } from './system/cancellable.ts'
import { closing } from './system/closing.ts'
import { type Collecting, openCollecting } from './system/collecting.ts'
import { openDelivering } from './system/delivering.ts'
import { digest } from './system/digest.ts'
import { eventsGroup, startEventSink } from './system/event-sink.ts'
import { tellFaults } from './system/faults.ts'
import { openFeedSending } from './system/feed-sending.ts'
import { openFreshLines } from './system/fresh-lines.ts'
import { groupShare } from './system/group-share.ts'
import { joinTransforms } from './system/join-transforms.ts'
import { leasedShare } from './system/leased-share.ts'
import { startLoop } from './system/loop.ts'
import { mailSending } from './system/mail-sending.ts'
import { openEvents } from './system/open-events.ts'
import { openStores } from './system/open-stores.ts'
import { type Others, openOthers } from './system/others.ts'
import { ownAddress } from './system/own-address.ts'
import { queueRestored } from './system/queue-restored.ts'
import { sealAnew } from './system/seal-anew.ts'
import { openTaxonomy } from './system/taxonomy.ts'
import { joinUpkeep } from './system/upkeep.ts'
import { openWhenDue } from './system/when-due.ts'
import { openWork, type Work } from './system/work.ts'
import { openTokens, type Tokens } from './tokens.ts'

/** Another Assay lives on the data folder. */
export class InUse extends StartError {}

export interface System extends Work {
  readonly config: Config
  readonly databaseUrl: string
  readonly catalog: Catalog
  /** What it keeps no longer comes out of the archive. */
  readonly log: Log
  /** That keeps the present epoch of the log. */
  readonly engine: string
  readonly archiving: Archiving
  readonly tokens: Tokens
  readonly egress: Egress
  readonly sealing: Sealing
  readonly taxonomy: Awaited<ReturnType<typeof openTaxonomy>>['whole']
  readonly categories: KnownCategories | undefined
  readonly jobs: Jobs | null
  readonly events: EventStore
  readonly collecting: Collecting
  /** Whom work that can wait gives way to. */
  readonly others: Others
  /** This process's place among those that transform; null where it does not. */
  readonly transforms: Membership | null
  readonly cursorKey: Buffer
  readonly logger: Logger
  /** Closes everything in reverse order; bounded. */
  close(): Promise<void>
}

/** How soon a server that died is missed. */
const watchMs = 250
/** How soon what is due is seen: a delivery, and lists sorted by score follow within two seconds. */
const dueMs = 500
/** A mail server is asked no more often. */
const mailMs = 1_000

/** By which hosts know us, in their robots.txt and their logs. */
const agent = 'AssayBot'
const crawler = (publicUrl: string | undefined) => `${agent}/1.0${publicUrl ? ` (+${publicUrl})` : ''}`

/**
 * @param roles what this process does; `transforms` runs one loop a partition of its share in it
 * @param alone takes the instance lock: a second live Assay on the same data is refused, or, `if none lives`, joined
 * @param asItIs takes the log that the database names, whatever log the environment does
 * @throws StartError, ConfigError: one sentence each
 */
export async function openSystem(
  config: Config,
  logger: Logger,
  {
    roles,
    alone: asked,
    asItIs = false,
  }: { roles: readonly Role[]; alone: boolean | 'if none lives'; asItIs?: boolean },
): Promise<System> {
  const faults = tellFaults(logger)
  const end = closing(faults('closing'))
  const { closers, close } = end
  try {
    await refuseHalfRestored(config.dataFolder)
    if (config.databaseUrl !== undefined) await makeDataFolder(config.dataFolder)
    const postgres = config.databaseUrl === undefined ? await startEmbeddedPostgres(config.dataFolder) : null
    const databaseUrl = config.databaseUrl ?? postgres?.url ?? ''
    const lock = asked ? await lockInstance(databaseUrl) : null
    const alone = lock !== null
    // The server belongs to the Assay that lives.
    if (asked === true && !lock) throw new InUse(`The data folder ${config.dataFolder} is in use by another Assay.`)
    if (lock) {
      closers.push(() => lock.release())
      // Stopped under the lock: another Assay that starts just now does not find a server that is about to go.
      if (postgres) closers.push(() => postgres.stop(), watch(postgres, faults('the embedded Postgres')))
    }
    if (alone) await clearArchiveScratch(config.dataFolder)
    const now = () => new Date()
    const stores = await openStores(config, { databaseUrl, now, asItIs }, end)
    const { catalog, epoch, member, turns, notices, kafka, log, archiving, leftBehind, sending, inbound } = stores
    // Who is alone takes jobs over and clears files away as if nobody else lived.
    if (!alone && roles.some((role) => role === 'api' || role === 'jobs') && (await isInstanceLocked(catalog.pipeline)))
      throw new StartError(
        'This Postgres is the embedded one of an Assay that has every role; only transforms may join it.',
      )
    const tokens = await openTokens(config.dataFolder, { local: config.localIssuer, provider: config.oidc })
    const sealing = openSealing(await secretKeys(config.dataFolder, config.secretKeys))
    const spoolFolder = join(config.dataFolder, 'spool')
    if (alone) await clearUnfinished(spoolFolder, 0)
    const { whole: taxonomy, known: categories } = await openTaxonomy(config.taxonomy)
    const egress = openEgress({ allow: config.egressAllow, userAgent: crawler(config.publicUrl) })
    const polite = openPolite({ egress, agent })
    const known = { taxonomy: categories }
    const events = openEvents(config, catalog)
    closers.push(() => events.close())
    const others = openOthers({ pool: catalog.pipeline, log }, faults('telling of calls'))
    const work = openWork({
      config,
      catalog,
      sending,
      others,
      inbound,
      digest,
      ...known,
      egress,
      polite,
      events,
      jobs: () => jobs,
    })
    const { imports, undoing, jobControl, publishing, refining, previews, uploads } = work
    const { bulk, following, imageChecks, duplicates, visibility, popularity } = work
    const { feeding, feedStore, feedSchedule, feedGenerating } = work
    const fresh = openFreshLines(log)
    const collecting = openCollecting({ catalog, log, fresh })
    closers.push(() => collecting.close())
    if (roles.includes('events')) {
      const onShare = faults('the share of events')
      const share = kafka
        ? groupShare(kafka, { group: eventsGroup, topic: topics.events }, onShare)
        : leasedShare(
            turns,
            { group: eventsGroup, epoch: log.epoch, topic: topics.events, partitions: log.partitions, member },
            onShare,
          )
      const sink = {
        pool: catalog.pipeline,
        log,
        store: events,
        fresh,
        share,
        member: kafka ? null : member,
        told: kafka ? undefined : arrivalsTold(notices, topics.events),
      }
      const joined = startEventSink({ ...sink, onError: faults('events') })
      closers.push(leftBehind.leaves(() => joined.leave()))
    }
    const transforms = roles.includes('transforms')
      ? joinTransforms({ ...stores, bulk, categories, faults }, end)
      : null
    let jobs: Jobs | null = null
    if (roles.includes('jobs') || roles.includes('api')) {
      const works = roles.includes('jobs')
      const cancellable = openCancellable(catalog)
      const wrapped = Object.entries(works ? work.handlers : {}).map(([kind, run]) => [
        kind,
        leftBehind.inEpoch(cancellable.wrap(run, jobControl.end[kind as JobKind])),
      ])
      const opened = await openJobs(databaseUrl, Object.fromEntries(wrapped), {
        notices,
        takeOver: alone && works,
        gaveUp: async (kind, id) => {
          await feedGenerating.giveUp(kind, id)
          await imports.giveUp(kind, id)
          await undoing.giveUp(id)
        },
        onError: faults('job'),
      })
      jobs = opened
      closers.push(() => opened.close())
      if (works) {
        await queueRestored(catalog.pipeline, opened)
        const outbox = join(config.dataFolder, 'outbox')
        const mailer = openMailer({ smtpUrl: config.smtpUrl, from: config.mailFrom, outbox })
        closers.push(async () => mailer.close())
        // Always the same connection: each further one would have to plan those long questions anew.
        const asking = openPipeline(databaseUrl, { maxConnections: 1, member })
        closers.push(() => asking.end())
        const due = openWhenDue(asking, dueMs, faults('what is due'))
        closers.push(() => due.stop())
        const mail = mailSending({ catalog, mailer, url: ownAddress(config) })
        closers.push(due.watch([{ isDue: isMailDue, work: mail, everyMs: mailMs }], faults('mail')))
        leftBehind.leaves(() => opened.rest())
        if (alone) await releaseTurns(catalog.pipeline)
        await sealAnew(catalog.pipeline, sealing, faults('signing secrets of webhooks'))
        const delivers = { catalog, egress, sealing, now }
        const delivering = openDelivering({ ...delivers, onError: faults('a webhook') })
        closers.push(() => delivering.stop())
        closers.push(due.watch([{ isDue: areTurnsDue, work: () => delivering.fill() }], faults('webhooks')))
        closers.push(cancellable.watch(faults('cancelled jobs')))
        const cared = {
          ...{ catalog, log, sending, publishing, refining, following },
          ...{ imageChecks, duplicates, previews, uploads, events, visibility, popularity, feeding, config, now },
          ...{ feedStore, feedSchedule, feedGenerating, due, asking, delivering },
          openFeedSending: () =>
            openFeedSending({ ...delivers, store: feedStore, onError: faults('a feed on its way') }),
        }
        const upkeep = joinUpkeep(turns, member, { ...cared, archiving, spoolFolder }, faults('upkeep'))
        closers.push(leftBehind.leaves(() => upkeep.leave()))
      }
    }
    closers.push(leftBehind.watch(faults('the epoch of the log')))
    const cursorKey = await readSecret(catalog.pipeline, 'cursor')
    const opened = { databaseUrl, catalog, log, archiving, tokens, egress, sealing, taxonomy, categories, cursorKey }
    const shared = { config, jobs, events, collecting, others, transforms, logger }
    return { ...work, ...opened, ...shared, engine: epoch.engine, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Every address that anyone holds leads to this server, so when it dies it is started again at the same one. */
function watch(postgres: EmbeddedPostgres, onError: (error: unknown) => void): () => Promise<void> {
  const again = async () => {
    if (!(await postgres.lives())) await postgres.restart()
    return false
  }
  return startLoop(again, watchMs, onError)
}
