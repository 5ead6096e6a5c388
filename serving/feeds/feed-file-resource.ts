/** A stored feed as callers read about it: what it is, what the guard saw, and what became of sending it. */
import { z } from 'zod'
import { versionOf } from '../../infra/catalog/feed-edition.ts'
import type { FeedFile, FileDelivery } from '../../infra/catalog/feed-files.ts'
import { deliveryOutcomes, feedFileStates, fileGuard } from '../../schemas/feed-file.ts'
import { feedFormats } from '../../schemas/feeds/feed-formats.ts'
import { exampleIds } from '../workspace/examples.ts'

const delivery = z.object({
  targetId: z.uuid(),
  state: z.enum(deliveryOutcomes),
  tries: z.int(),
  nextAt: z.iso.datetime().nullable(),
  endedAt: z.iso.datetime().nullable(),
  ms: z.int().nullable(),
  /** Where it came to lie. */
  remote: z.string().nullable(),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
})

export const feedFileResource = z.object({
  id: z.uuid(),
  platform: z.string(),
  catalogId: z.uuid(),
  /** The published version that it is of. */
  version: z.int(),
  profileVersion: z.int(),
  state: z.enum(feedFileStates),
  /** The one at `…/files/latest`. */
  latest: z.boolean(),
  format: z.enum(feedFormats),
  gzip: z.boolean(),
  lines: z.int(),
  bytes: z.int(),
  sha256: z.string(),
  guard: fileGuard,
  deliveries: z.array(delivery),
  jobId: z.uuid(),
  madeAt: z.iso.datetime(),
  decidedAt: z.iso.datetime().nullable(),
  decidedBy: z.string().nullable(),
})

export const toFeedFile = (f: FeedFile & { deliveries: readonly FileDelivery[] }, latest: string | null) => ({
  ...{ id: f.id, platform: f.platform, catalogId: f.catalog, version: versionOf(f.edition) },
  ...{ profileVersion: f.profileVersion, state: f.state, latest: f.id === latest, format: f.format, gzip: f.gzip },
  ...{ lines: f.lines, bytes: f.bytes, sha256: f.sha256, guard: f.guard, jobId: f.job },
  deliveries: f.deliveries.map(({ code, says, nextAt, endedAt, ...d }) => ({
    ...d,
    nextAt: nextAt && new Date(nextAt).toISOString(),
    endedAt: endedAt && new Date(endedAt).toISOString(),
    error: code === null ? null : { code, message: says ?? '' },
  })),
  madeAt: f.madeAt.toISOString(),
  decidedAt: f.decidedAt?.toISOString() ?? null,
  decidedBy: f.decidedBy,
})

export const exampleFeedFile = {
  ...{ id: exampleIds.fileId, platform: 'google', catalogId: exampleIds.catalogId, version: 7 },
  ...{ profileVersion: 4, state: 'ready' as const, latest: true, format: 'xml' as const, gzip: true },
  ...{ lines: 4_680, bytes: 812_344, sha256: '30039729880ec5ac4851de088ad228a6898aa253f0de5d5ebea5bb1437478fce' },
  guard: { former: 4_671, changed: 12, removed: 3, share: 0.0032, limit: 0.3, reasons: [] },
  deliveries: [
    {
      ...{ targetId: exampleIds.targetId, state: 'delivered' as const, tries: 1, nextAt: null },
      ...{ endedAt: '2026-11-28T04:00:09.120Z', ms: 2_310, remote: '/incoming/google.xml.gz', error: null },
    },
  ],
  ...{ jobId: exampleIds.jobId, madeAt: '2026-11-28T04:00:06.800Z', decidedAt: null, decidedBy: null },
}
