/** What one of the processes with the role `jobs` does unasked: ranks, publishes and what follows them, lines of feeds, duplicates, what follows from settings, from imports and in families, how popular products are, records that ended jobs left unsent, what is kept no longer, log segments, the archive, counters, rests of jobs and kept answers. */
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import type { Pool } from 'pg'
import { clearUnfinished } from '../../ingest/spool.ts'
import { retention } from '../../schemas/retention.ts'
import type { Membership } from '../../transforms/ports.ts'
import { sweepBulk } from '../catalog/bulk-queries.ts'
import { areChangesDue } from '../catalog/change-queries.ts'
import { areDuplicatesDue } from '../catalog/duplicate-rounds.ts'
import { areFeedDeliveriesDue } from '../catalog/feed-deliveries.ts'
import { sweepForecasts } from '../catalog/feed-forecasts.ts'
import { areSchedulesDue } from '../catalog/feed-schedules.ts'
import { areFeedsDue, retireUnread, sweepFeedLines } from '../catalog/feed-sweep.ts'
import { areFeedsUntold } from '../catalog/feeds-untold.ts'
import { sweepKeys } from '../catalog/idempotency.ts'
import { areFamiliesDue } from '../catalog/joined-families.ts'
import { sweepTold } from '../catalog/mail-queue.ts'
import { areEventsUntold, sweepOutbox } from '../catalog/outbox.ts'
import { sweepNames } from '../catalog/popularity-build.ts'
import type { Catalog } from '../catalog/postgres.ts'
import { isAutoPublishDue } from '../catalog/publish.ts'
import { areCancelsDue, finishCancels } from '../catalog/publish-cancel.ts'
import { purgeStep } from '../catalog/purge.ts'
import { followRank, isRankDue } from '../catalog/rank.ts'
import { sharedCounter } from '../catalog/rate-counter.ts'
import { areWeightsDue, reweigh } from '../catalog/reweigh.ts'
import { areShadowsDue, sweepShadows } from '../catalog/shadow-rows.ts'
import { isRefineDue } from '../catalog/stale-queries.ts'
import { sweepUnsent } from '../catalog/unsent.ts'
import { dropVersions, sweepVersions } from '../catalog/version-retention.ts'
import { sweepVisible } from '../catalog/visibility-queries.ts'
import { areDeltasDue, wakeDeltas } from '../catalog/webhook-deltas.ts'
import { sweepSecrets } from '../catalog/webhook-secrets.ts'
import { sweepDeliveries } from '../catalog/webhook-turns.ts'
import type { EventStore } from '../events/port.ts'
import { closeSegment, segmentIsFull } from '../log/close-segment.ts'
import type { Log } from '../log/port.ts'
import type { Archiving } from './archiving.ts'
import { relayChanges } from './change-relay.ts'
import type { Delivering } from './delivering.ts'
import type { Duplicates } from './duplicates.ts'
import { expireKept } from './expiring.ts'
import type { FeedFileStore } from './feed-file-store.ts'
import type { FeedGenerating } from './feed-generating.ts'
import type { FeedSchedule } from './feed-schedule.ts'
import type { FeedSending } from './feed-sending.ts'
import { tellFeed } from './feed-telling.ts'
import type { Feeding } from './feeding.ts'
import { sweepFiles, sweepUnclaimed } from './file-keeping.ts'
import type { Following } from './following.ts'
import type { ImageChecks } from './image-checks.ts'
import { keepIndex } from './indexing.ts'
import type { LeaseTurns } from './lease-turns.ts'
import { leasedShare } from './leased-share.ts'
import { startLoop } from './loop.ts'
import type { OwnAddress } from './own-address.ts'
import type { Popularity } from './popularity.ts'
import type { Previews } from './previews.ts'
import type { Publishing } from './publishing.ts'
import type { Refining } from './refining.ts'
import type { Sending } from './sending.ts'
import { tellEvents } from './telling.ts'
import type { Uploads } from './uploads.ts'
import type { Visibility } from './visibility.ts'
import { openWhenDue, type WhenDue } from './when-due.ts'

const publishMs = 1_000
/** Saves that follow one another closely are one change. */
const refineMs = 1_000
/** What follows from files that a start named, and from a rubric that it brought, is looked for by the minute. */
const lookMs = 60_000
/** A search over some more segments is no slower that anyone would notice. */
const indexMs = 2_000
/** What jobs left is sent although nobody says anything since. */
const leftMs = 500
/** Images are checked in hours; seconds do not matter. */
const imagesMs = 5_000
/** Once a day; whether that day is over is asked by the minute. */
const visibilityMs = 60_000
/** By the hour; whether that is over is asked by the minute. */
const popularityMs = 60_000
const keptMs = 60_000
const segmentMs = 30_000
/** What is due is so by the day. */
const archiveMs = 600_000
const countersMs = 600_000
/** What becomes too old does so at midnight; a shorter time is carried out as soon. */
const eventsMs = 300_000
const keptAnswersMs = 600_000
/** Between the first rounds of what comes by time. */
const apartMs = 100
/** Whoever writes a file does not pause for so long; its bound is `requestWithinMs` of the server. */
const unfinishedMs = 24 * 3_600_000

interface UpkeepParts {
  readonly catalog: Catalog
  readonly log: Log
  readonly sending: Pick<Sending, 'sendLeft'>
  readonly publishing: Publishing
  readonly refining: Refining
  readonly following: Pick<Following, 'auto'>
  readonly imageChecks: Pick<ImageChecks, 'auto'>
  readonly duplicates: Pick<Duplicates, 'follow'>
  readonly previews: Pick<Previews, 'sweep'>
  readonly uploads: Pick<Uploads, 'sweep'>
  readonly archiving: Pick<Archiving, 'auto' | 'keepBases'>
  readonly events: Pick<EventStore, 'ask' | 'remove'>
  readonly visibility: Pick<Visibility, 'auto'>
  readonly popularity: Pick<Popularity, 'auto'>
  readonly feeding: Pick<Feeding, 'follow' | 'state' | 'step'>
  readonly feedStore: Pick<FeedFileStore, 'remove'>
  readonly feedSchedule: Pick<FeedSchedule, 'auto'>
  readonly feedGenerating: Pick<FeedGenerating, 'sweep'>
  readonly due: WhenDue
  /** For questions that come by time. */
  readonly asking: Pool
  readonly delivering: Pick<Delivering, 'fill'>
  /** One while this process has the upkeep. */
  readonly openFeedSending: () => Pick<FeedSending, 'fill' | 'stop'>
  readonly config: OwnAddress
  readonly now: () => Date
  readonly spoolFolder: string
}

/** Shared as partitions are, of which there is one: another process follows when this one is gone. @param turns of this process */
export function joinUpkeep(
  turns: LeaseTurns,
  member: string,
  parts: UpkeepParts,
  onError: (error: unknown) => void,
): Membership {
  const lease = { group: 'upkeep', epoch: 0, topic: 'upkeep', partitions: 1, member }
  return leasedShare(turns, lease, onError).join(async (_, signal) => {
    const stops = startUpkeep(parts, onError)
    if (!signal.aborted) await once(signal, 'abort')
    await Promise.all(stops.map((stop) => stop()))
  })
}

function startUpkeep(
  {
    catalog,
    log,
    sending,
    publishing,
    refining,
    following,
    imageChecks,
    duplicates,
    previews,
    uploads,
    archiving,
    events,
    visibility,
    popularity,
    feeding,
    feedStore,
    feedSchedule,
    feedGenerating,
    openFeedSending,
    due,
    asking,
    delivering,
    config,
    now,
    spoolFolder,
  }: UpkeepParts,
  onError: (error: unknown) => void,
): (() => Promise<void>)[] {
  const feedSending = openFeedSending()
  // What was begun is due until it has ended.
  const begin = () => feedSending.fill().then(() => false)
  const index = openWhenDue(asking, indexMs, onError)
  let chores = 0
  // One after the other: all at once they were ten connections that nothing needed again.
  const chore = (work: (signal: AbortSignal) => Promise<boolean>, everyMs: number) =>
    startLoop(work, everyMs, onError, ++chores * apartMs)
  return [
    () => feedSending.stop(),
    due.watch(
      [
        { isDue: isRankDue, work: (signal) => followRank(catalog.pipeline, signal) },
        { isDue: areFamiliesDue, work: (signal) => following.auto(signal) },
        { isDue: areDuplicatesDue, work: () => duplicates.follow() },
        { isDue: areWeightsDue, work: () => reweigh(catalog.pipeline) },
        { isDue: areFeedsDue, work: (signal) => feeding.follow(signal) },
        { isDue: areFeedDeliveriesDue, work: begin },
        { isDue: areSchedulesDue, work: () => feedSchedule.auto() },
        { isDue: areChangesDue, work: () => relayChanges(catalog, log) },
        {
          isDue: areEventsUntold,
          work: async () => {
            const more = await tellEvents(catalog, now)
            delivering.fill().catch(onError)
            return more
          },
        },
        {
          isDue: areDeltasDue,
          work: async () => {
            await wakeDeltas(catalog.pipeline, now())
            return false
          },
        },
        { isDue: areFeedsUntold, work: (signal) => tellFeed({ catalog, feeding, config, now, onError }, signal) },
        { isDue: areCancelsDue, work: () => finishCancels(catalog.pipeline) },
        { isDue: isAutoPublishDue, work: () => publishing.auto(), everyMs: publishMs },
        { isDue: isRefineDue, work: () => refining.auto(), everyMs: refineMs },
        { isDue: areShadowsDue, work: () => sweepShadows(catalog.pipeline) },
      ],
      onError,
    ),
    chore(() => refining.auto(), lookMs),
    startLoop((signal) => sending.sendLeft(signal), leftMs, onError),
    index.watch([keepIndex(catalog.pipeline)], onError),
    index.stop,
    chore(() => imageChecks.auto(), imagesMs),
    chore(() => visibility.auto(), visibilityMs),
    chore(() => popularity.auto(), popularityMs),
    chore((signal) => keepNoLonger({ catalog, feedStore, feedGenerating, spoolFolder }, signal), keptMs),
    chore(async () => {
      if (await segmentIsFull(catalog.pipeline)) await closeSegment(catalog.pipeline)
      return false
    }, segmentMs),
    chore(async (signal) => {
      await archiving.auto(signal)
      await archiving.keepBases(log, signal)
      return false
    }, archiveMs),
    chore(async () => {
      await sharedCounter(catalog.pipeline).sweep()
      await sweepBulk(catalog.pipeline)
      await sweepUnsent(catalog.pipeline)
      await sweepTold(catalog.pipeline, retention.toldDays)
      await sweepOutbox(catalog.pipeline, retention.outboxDays)
      await sweepDeliveries(catalog.pipeline, retention.deliveryDays)
      await sweepSecrets(catalog.pipeline)
      await sweepVisible(catalog.pipeline, retention.visibleProductDays, new Date())
      await sweepNames(catalog.pipeline)
      await sweepForecasts(catalog.pipeline, retention.forecastDays)
      await previews.sweep()
      await uploads.sweep()
      await clearUnfinished(spoolFolder, unfinishedMs)
      return false
    }, countersMs),
    chore(async () => {
      await expireKept({ catalog, events }, new Date())
      return false
    }, eventsMs),
    chore(() => sweepKeys(catalog.pipeline, new Date()), keptAnswersMs),
  ]
}

type Kept = Pick<UpkeepParts, 'catalog' | 'feedStore' | 'feedGenerating' | 'spoolFolder'>

async function keepNoLonger(
  { catalog: { pipeline }, feedStore, feedGenerating, spoolFolder }: Kept,
  signal: AbortSignal,
): Promise<false> {
  await dropVersions(pipeline, retention.versions)
  while (!signal.aborted && (await sweepVersions(pipeline)));
  await retireUnread(pipeline, retention.unreadFeedDays)
  while (!signal.aborted && (await sweepFeedLines(pipeline)));
  await feedGenerating.sweep(signal)
  const removing = {
    files: async (spools: readonly string[]) => {
      for (const spool of spools) await rm(spool, { force: true })
    },
    feedFiles: async (ids: readonly string[]) => {
      for (const id of ids) await feedStore.remove(id)
    },
  }
  while (!signal.aborted && (await sweepFiles(pipeline, retention.importFileDays, new Date())) > 0);
  await sweepUnclaimed(pipeline, spoolFolder, new Date())
  while (!signal.aborted && (await purgeStep(pipeline, retention.deletedCatalogDays, removing)));
  return false
}
