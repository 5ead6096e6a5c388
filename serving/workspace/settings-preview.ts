/** POST …/settings/pipeline/preview: what other weights would do to the scores, before anybody saves them. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Catalog } from '../../infra/catalog/postgres.ts'
import { countMoves, type MoveRow } from '../../infra/catalog/score-moves.ts'
import { findSettings } from '../../infra/catalog/settings.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { brandId, catalogId, productId, workspaceId } from '../../schemas/ids.ts'
import { dimensions, type Weights } from '../../schemas/score.ts'
import { normaliseWeights } from '../../transforms/gold/reweight.ts'
import { rubricVersion } from '../../transforms/gold/rubric.ts'
import type { Standing } from '../../transforms/gold/standing.ts'
import { whatIf } from '../../transforms/gold/what-if.ts'
import { bearerOf, principalOf } from '../plugins/access.ts'
import { exampleSettings } from './examples.ts'
import { examplePreview } from './score-examples.ts'
import { settingsBody, weightsBody } from './settings-body.ts'
import { inBands } from './standing.ts'

export interface SettingsPreviewPorts {
  readonly catalog: Pick<Catalog, 'withTenant'>
}

/** One of each of the largest moves. */
const shownMoves = 20

const score = z.int().min(0).max(100)
const standing = z.object({ average_score: z.number(), distribution: inBands, feed_ready: z.int() })
const preview = z.object({
  /** As they would be saved: of ten thousand. */
  weights: settingsBody.shape.weights,
  /** Of the weights in force, which these are compared with. */
  weights_number: z.int(),
  products: z.int(),
  before: standing,
  after: standing,
  /** From a band to a band, those that stay too. */
  moves: z.object({ excellent: inBands, good: inBands, warning: inBands, poor: inBands }),
  feed_ready: z.object({ gained: z.int(), lost: z.int() }),
  /** Products whose score stays to the point. */
  unchanged: z.int(),
  examples: z.array(
    z.object({ product_id: productId, catalog_id: catalogId, before: score, after: score, products: z.int() }),
  ),
})

const wire = ({ avgScore, scoreDistribution, feedReady }: Standing) => ({
  average_score: avgScore,
  distribution: scoreDistribution,
  feed_ready: feedReady,
})

const named = (weights: Weights) =>
  Object.fromEntries(dimensions.map((name, place) => [name, weights[place] ?? 0])) as Record<
    (typeof dimensions)[number],
    number
  >

export const settingsPreview: FastifyPluginAsyncZod<SettingsPreviewPorts> = async (app, { catalog }) => {
  app.post(
    '/settings/pipeline/preview',
    {
      config: { action: 'settings:write' },
      schema: {
        summary: 'Preview other weights',
        description:
          'Takes `weights` as PUT does, on any scale, and changes nothing: how many products would move from which band to which, and become feed-ready or stop being it, with one product of each of the largest moves. ' +
          'Of all catalogs that you see; with `brand_id` of one brand. Saving these weights brings exactly these figures.',
        tags: ['Settings'],
        examples: { body: { weights: exampleSettings.weights }, answer: { preview: examplePreview } },
        params: z.object({ workspaceId }),
        body: z.strictObject({ weights: weightsBody, brand_id: brandId.optional() }),
        response: { 200: z.object({ preview }) },
      },
    },
    async (request) => {
      const bearer = bearerOf(request)
      const after = normaliseWeights(dimensions.map((name) => request.body.weights[name]))
      return catalog.withTenant(principalOf(bearer), async (tx) => {
        const settings = await findSettings(tx, bearer.workspace)
        if (!settings) throw new ServiceError('FORBIDDEN', { message: 'There is no such workspace' })
        const before = settings.weights
        const rows = await countMoves(tx, { before, after }, rubricVersion, shownMoves)
        const result = whatIf(rows)
        return {
          preview: {
            weights: named(after),
            weights_number: settings.weightsNumber,
            products: result.before.products,
            before: wire(result.before),
            after: wire(result.after),
            moves: result.moves,
            feed_ready: { gained: result.gained, lost: result.lost },
            unchanged: result.unchanged,
            examples: rows.flatMap(exampleOf).sort(bySize).slice(0, shownMoves),
          },
        }
      })
    },
  )
}

type Example = z.infer<typeof preview>['examples'][number]

const exampleOf = ({ product, catalog, before, after, products }: MoveRow): Example[] =>
  product === null || catalog === null ? [] : [{ product_id: product, catalog_id: catalog, before, after, products }]

const bySize = (a: Example, b: Example) =>
  Math.abs(b.after - b.before) - Math.abs(a.after - a.before) || a.before - b.before || a.after - b.after
