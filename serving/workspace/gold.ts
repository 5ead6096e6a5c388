/** POST …/catalogs/{catalogId}/batch/gold: grades products that have been through silver; the answer is streamed, so that a large catalog stays out of memory. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { CatalogRow } from '../../infra/catalog/tenants.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { brandId, catalogId, workspaceId } from '../../schemas/ids.ts'
import { type Bearer, bearerOf } from '../plugins/access.ts'
import { type BatchRun, batchAnswer } from './batch-answer.ts'
import { exampleIds } from './examples.ts'

/** A selection of products, or the whole catalog. */
export const batchScope = z.discriminatedUnion(
  'scope',
  [
    z.strictObject({
      scope: z.literal('selection'),
      productIds: z.array(z.string().max(200)).min(1).max(10_000),
      brand_id: brandId.optional(),
    }),
    z.strictObject({ scope: z.literal('all'), productIds: z.unknown().optional(), brand_id: brandId.optional() }),
  ],
  { error: 'scope is `selection`, with productIds, or `all`' },
)

export const goldResult = z.object({
  productId: z.string(),
  status: z.enum(['success', 'error']),
  score: z.int().min(0).max(100).optional(),
  gaps: z.array(z.string()).optional(),
  missingFields: z.array(z.string()).optional(),
  error: z.string().optional(),
})

const catalogSummary = z.object({
  avgScore: z.number(),
  scoreDistribution: z.object({ excellent: z.int(), good: z.int(), warning: z.int(), poor: z.int() }),
  topGaps: z.array(z.string()),
})

const goldAnswer = z.object({ results: z.array(goldResult), catalogSummary })

const exampleAnswer = {
  results: [{ productId: exampleIds.productId, status: 'success', score: 62, gaps: ['gtin'], missingFields: ['gtin'] }],
  catalogSummary: {
    avgScore: 62,
    scoreDistribution: { excellent: 0, good: 0, warning: 1, poor: 0 },
    topGaps: ['gtin'],
  },
}

export type GoldRequest = z.infer<typeof batchScope>
export type GoldResult = z.infer<typeof goldResult>
export type CatalogSummary = z.infer<typeof catalogSummary>

export type GoldRun = BatchRun<GoldResult, CatalogSummary>

export interface Grading {
  findCatalog(bearer: Bearer, catalogId: string): Promise<CatalogRow | null>
  /** null while another run over this catalog is under way. */
  begin(bearer: Bearer, catalog: CatalogRow, what: GoldRequest): Promise<GoldRun | null>
}

export const gold: FastifyPluginAsyncZod<{ grading: Grading }> = async (app, { grading }) => {
  app.post(
    '/catalogs/:catalogId/batch/gold',
    {
      config: { action: 'catalogs:write', invalid: 'VALIDATION_ERROR', long: true },
      schema: {
        summary: 'Grade products',
        description:
          'Scores a selection or the whole catalog; a product that was not through silver yet gets an entry with `status: error`.',
        tags: ['Products'],
        errors: ['CATALOG_NOT_FOUND', 'JOB_ALREADY_RUNNING'],
        examples: {
          body: { scope: 'selection', productIds: [exampleIds.productId] },
        },
        params: z.object({ workspaceId, catalogId }),
        body: batchScope,
        answers: { 200: { type: 'application/json', schema: goldAnswer, example: exampleAnswer } },
      },
    },
    async (asked, reply) => {
      const { params, body } = asked
      const bearer = bearerOf(asked)
      const catalog = await grading.findCatalog(bearer, params.catalogId)
      if (!catalog) throw new ServiceError('CATALOG_NOT_FOUND', { field: 'catalogId' })
      const run = await grading.begin(bearer, catalog, body)
      if (!run) throw new ServiceError('JOB_ALREADY_RUNNING')
      return reply.type('application/json; charset=utf-8').send(batchAnswer(run, 'catalogSummary'))
    },
  )
}
