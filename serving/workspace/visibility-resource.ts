/** A visibility snapshot as it is told, with the change since the one before it. */
import { z } from 'zod'
import type { ChannelFigures } from '../../infra/catalog/visibility-build.ts'
import type { TakenSnapshot } from '../../infra/catalog/visibility-queries.ts'
import { channelNames } from '../../schemas/visibility.ts'
import { exampleIds } from './examples.ts'

export const channel = z.enum(channelNames)
const known = z.int().nullable()

const channelResource = z.object({
  channel,
  /** Who tells what happens there; `callers`: where they say nothing, nobody knows. */
  recorder: z.enum(['assay', 'callers']),
  /** Published, where Assay writes this channel. */
  offered: known,
  valid: z.int(),
  feedReady: z.int(),
  /** Published otherwise than they were last graded: neither valid nor not. */
  unjudged: z.int(),
  searchable: z.int(),
  events: z.int(),
  /** Of these, that met nothing; and that do not say what they met. */
  nothing: z.int(),
  unnamed: z.int(),
  /** Products that were read, found, recommended or returned; null where nobody knows. */
  seen: known,
  /** There may have been more. */
  seenAtLeast: z.boolean(),
  /** Names in events that no published product has. */
  unknown: z.int(),
  /** Since the snapshot before; null where one of the two is not known, or was taken before its day was over. */
  change: z
    .object({ offered: known, valid: known, feedReady: known, searchable: known, events: known, seen: known })
    .nullable(),
})

export const snapshotResource = z.object({
  day: z.iso.date(),
  catalogId: z.uuid(),
  version: z.int(),
  takenAt: z.iso.datetime(),
  /** false: taken before the day was over. */
  complete: z.boolean(),
  /** Events that were taken in and not counted yet. */
  lag: z.int(),
  /** How far the event store had come. */
  snapshot: z.string(),
  /** Day of the snapshot before. */
  since: z.iso.date().nullable(),
  channels: z.array(channelResource),
})

const minus = (now: number | null, before: number | null) => (now === null || before === null ? null : now - before)

const toChannel = (
  { before, ...now }: ChannelFigures & { readonly before: ChannelFigures | null },
  whole: boolean,
): z.infer<typeof channelResource> => ({
  ...now,
  channel: channel.parse(now.channel),
  recorder: now.recorder === 'assay' ? 'assay' : 'callers',
  change: before && {
    offered: minus(now.offered, before.offered),
    valid: minus(now.valid, before.valid),
    feedReady: minus(now.feedReady, before.feedReady),
    searchable: minus(now.searchable, before.searchable),
    // Half a day beside a whole one is no change.
    events: whole ? now.events - before.events : null,
    seen: whole ? minus(now.seen, before.seen) : null,
  },
})

export const toSnapshot = (row: TakenSnapshot, catalogId: string): z.infer<typeof snapshotResource> => ({
  day: row.day,
  catalogId,
  version: row.version,
  takenAt: row.takenAt.toISOString(),
  complete: row.complete,
  lag: row.lag,
  snapshot: row.store,
  since: row.since,
  channels: row.channels.map((one) => toChannel(one, row.complete && row.sinceComplete === true)),
})

export const exampleSnapshot: z.infer<typeof snapshotResource> = {
  day: '2026-11-27',
  catalogId: exampleIds.catalogId,
  version: 2,
  takenAt: '2026-11-28T00:15:20.000Z',
  complete: true,
  lag: 0,
  snapshot: 'kQ2vX0c9mB7tLr4eZp1wYA',
  since: '2026-11-26',
  channels: [
    {
      ...{ channel: 'search', recorder: 'callers', offered: 468, valid: 441, feedReady: 437, unjudged: 3 },
      ...{ searchable: 468, events: 4100, nothing: 320, unnamed: 0, seen: 212, seenAtLeast: false, unknown: 4 },
      change: { offered: 2, valid: 5, feedReady: 5, searchable: 2, events: -120, seen: 9 },
    },
  ],
}
