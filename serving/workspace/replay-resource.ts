/** A replay and its verdict as the API shows them. */
import { z } from 'zod'
import type { ReplayRow } from '../../infra/catalog/replays.ts'
import { brandId, catalogId, jobId, productId } from '../../schemas/ids.ts'
import { dimensions } from '../../schemas/score.ts'
import { shadowSteps } from '../../transforms/replay/shadow.ts'
import { inBands } from './standing.ts'

export const replayId = z.uuid().toLowerCase()

const count = z.int().min(0)
const score = z.int().min(0).max(100).nullable()
const step = z.enum(shadowSteps)
const standing = z.object({ products: count, avgScore: z.number(), scoreDistribution: inBands, feedReady: count })

export const verdictResource = z.object({
  /** Products that have a shadow. */
  compared: count,
  up: count,
  down: count,
  unchanged: count,
  scoreAppeared: count,
  scoreGone: count,
  /** On neither side: parents of families, and products that are gone. */
  unscored: count,
  before: standing,
  after: standing,
  /** From a band to a band, those that stay too. */
  moves: z.object({ excellent: inBands, good: inBands, warning: inBands, poor: inBands }),
  bandUp: count,
  bandDown: count,
  feedReady: z.object({ gained: count, lost: count }),
  gaps: z.array(z.object({ field: z.string(), appeared: count, gone: count })),
  /** Another rubric graded them, so that their gaps before cannot be told. */
  gapsUnknown: count,
  /** `points`: what it adds to the mean score, in hundredths of a point. */
  dimensions: z.array(z.object({ dimension: z.enum(dimensions), up: count, down: count, points: z.int() })),
  /** Products whose values differ, by the first step that makes them differ; `weights`: only their score does. */
  differing: z.object({ merge: count, silver: count, gold: count, weights: count }),
  places: z.array(z.object({ step, place: z.string().nullable(), products: count })),
  examples: z.array(
    z.object({
      productId,
      catalogId,
      sku: z.string().nullable(),
      title: z.string().nullable(),
      before: score,
      after: score,
      step,
      place: z.string().nullable(),
    }),
  ),
  /** Changed while this was made. */
  moved: count,
  /** Chosen, and without a shadow. */
  leftOut: count,
  /** Of those left out: the log has lost records that may have been of them. */
  unsure: count,
  /** Where it lost records of the range, or of what may be left out: `to` is one past the last offset. */
  holes: z.array(z.object({ epoch: z.int(), partition: count, from: count, to: count })),
})

export const replayResource = z.object({
  id: replayId,
  brandId: brandId.nullable(),
  catalogIds: z.array(catalogId),
  state: z.enum(['running', 'ready', 'promoting', 'promoted', 'discarded']),
  jobId,
  range: z.object({
    offsets: z
      .array(z.object({ epoch: z.int().optional(), partition: z.int(), from: z.int(), to: z.int().nullable() }))
      .nullable(),
    from: z.string().nullable(),
    to: z.string().nullable(),
    importId: z.string().nullable(),
    productIds: z.array(z.string()).nullable(),
  }),
  rate: z.int().nullable(),
  share: z.number(),
  /** That the shadow is made with. */
  settingsNumber: z.int(),
  weightsNumber: z.int(),
  /** The workspace's when it began: a promotion asks that they still are. */
  formerSettingsNumber: z.int(),
  formerWeightsNumber: z.int(),
  verdict: verdictResource.nullable(),
  promoteJobId: jobId.nullable(),
  createdBy: z.string(),
  createdAt: z.iso.datetime(),
  readyAt: z.iso.datetime().nullable(),
  endedAt: z.iso.datetime().nullable(),
})

/** One of before this was told has been made of all that the log had. */
function verdictIn({ verdict }: ReplayRow): z.infer<typeof verdictResource> | null {
  const told = verdict as z.infer<typeof verdictResource> | null
  return told && { ...told, unsure: told.unsure ?? 0, holes: told.holes ?? [] }
}

export function toReplay(row: ReplayRow): z.infer<typeof replayResource> {
  const { offsets, since, until, import: of, keys } = row.range
  const open = Number.MAX_SAFE_INTEGER
  return {
    id: row.id,
    brandId: row.brand,
    catalogIds: [...row.catalogs],
    state: row.state,
    jobId: row.job,
    range: {
      offsets: offsets?.map(({ to, ...from }) => ({ ...from, to: to === open ? null : to })) ?? null,
      ...{ from: since, to: until, importId: of, productIds: keys && [...keys] },
    },
    ...row.pace,
    settingsNumber: row.settings,
    weightsNumber: row.weights,
    formerSettingsNumber: row.formerSettings,
    formerWeightsNumber: row.formerWeights,
    verdict: verdictIn(row),
    promoteJobId: row.promoteJob,
    createdBy: row.by,
    createdAt: row.createdAt.toISOString(),
    readyAt: row.readyAt?.toISOString() ?? null,
    endedAt: row.endedAt?.toISOString() ?? null,
  }
}
