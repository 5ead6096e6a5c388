/** GET …/insights/demand-gaps: fields that agents asked for and products lack, ranked by the demand that is lost. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Catalog } from '../../infra/catalog/postgres.ts'
import type { Demand, DemandScope } from '../../infra/events/demand.ts'
import { brandId, catalogId, workspaceId } from '../../schemas/ids.ts'
import type { Weights } from '../../schemas/score.ts'
import { bearerOf } from '../plugins/access.ts'
import { wholeNumber } from '../whole-number.ts'
import type { AggregatePorts } from './aggregate.ts'
import { answersKept } from './answers-kept.ts'
import { chooseCatalog } from './choose-catalog.ts'
import { demandAnswer } from './demand-answer.ts'
import { demandGapResource, exampleDemandGap } from './demand-gap-resource.ts'
import { exampleIds } from './examples.ts'
import { untilGone } from './until-gone.ts'

export interface DemandPorts extends Pick<AggregatePorts, 'aggregation' | 'now'> {
  readonly catalog: Pick<Catalog, 'withTenant'>
  /** Those in force. */
  readonly weights: (workspace: string) => Promise<Weights>
  /** @throws TooMuch */
  readonly demand: (scope: Omit<DemandScope, 'fieldOf'>) => Promise<Demand & { readonly watermark: Date | null }>
}

const keptMs = 60_000

const answer = z.object({
  catalogId: z.uuid(),
  days: z.int(),
  /** Dearest first. */
  gaps: z.array(demandGapResource),
  /** A large catalog: so many of its products were looked at, and the shares are theirs. */
  isSample: z.boolean(),
  generated_at: z.iso.datetime(),
  cache_hit: z.boolean(),
  watermark: z.iso.datetime().nullable(),
  lag: z.int(),
  snapshot: z.string(),
  rows_read: z.int(),
})

export const demandGaps: FastifyPluginAsyncZod<DemandPorts> = async (app, ports) => {
  const { catalog, aggregation, now } = ports
  const kept = answersKept<Omit<z.infer<typeof answer>, 'cache_hit'>>(keptMs, () => now().getTime())

  app.get(
    '/insights/demand-gaps',
    {
      config: { action: 'dashboards:read' },
      schema: {
        summary: 'Rank gaps by the demand that is lost',
        description: [
          'What agents filtered by (`metadata.filter_<name>`), called tools with (`metadata.arg_<name>`), searched for and did not find (words of the query that are a value of a field in this catalog), and cancelled orders over (`metadata.reason`), joined to the products that lack it.',
          'lost = the sum, over what was asked beside it, of times × products that lack it ÷ products that match. Matching are products with all other words of the query in title, SKU, brand or category (`metadata.query`), or those that a cancelled order names, else all. An event counts once for a field, and what no product matches is not lost for want of it.',
          'Of the brand’s events in so many days of UTC, today among them, those of this catalog; those that name none are of the default catalog. Answers are given again for 60 seconds; `fresh=true` asks anew where events came since.',
        ].join(' '),
        tags: ['Dashboards'],
        errors: ['CATALOG_NOT_FOUND'],
        examples: {
          query: { days: 30, limit: 10 },
          answer: {
            ...{
              catalogId: exampleIds.catalogId,
              days: 30,
              gaps: [exampleDemandGap],
              isSample: false,
              cache_hit: false,
            },
            ...{ generated_at: '2026-11-27T10:00:00.000Z', watermark: '2026-11-27T09:59:58.120Z', lag: 0 },
            ...{ snapshot: 'kQ2vX0c9mB7tLr4eZp1wYA', rows_read: 4210 },
          },
        },
        params: z.object({ workspaceId }),
        querystring: z.strictObject({
          catalog_id: catalogId.optional(),
          brand_id: brandId.optional(),
          days: wholeNumber(1, 365).default(30),
          limit: wholeNumber(1, 100).default(20),
          fresh: z.enum(['true', 'false']).optional(),
        }),
        response: { 200: answer },
      },
    },
    async (request, reply) => {
      const bearer = bearerOf(request)
      const { catalog_id, brand_id, days, limit } = request.query
      const row = await chooseCatalog(catalog, bearer, { id: catalog_id, brand: brand_id })
      const make = (signal: AbortSignal) => demandAnswer(ports, bearer, { row, days, limit }, signal)
      const present = request.query.fresh === 'true' ? await aggregation.progress() : null
      const key = JSON.stringify([row.workspaceId, row.id, days, limit])
      const isFresh = (one: { snapshot: string }) => !present || one.snapshot === present.snapshot
      const { value, hit } = await kept(key, make, isFresh, () => untilGone(reply), aggregation.isAway)
      return { ...value, ...(hit && present && { lag: present.lag }), cache_hit: hit }
    },
  )
}
