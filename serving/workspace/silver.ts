/** POST …/catalogs/{catalogId}/batch/silver: refines products in bronze and those that were refined under former settings. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Catalog } from '../../infra/catalog/postgres.ts'
import { type CatalogRow, findCatalog } from '../../infra/catalog/tenants.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { catalogId, workspaceId } from '../../schemas/ids.ts'
import { stage } from '../../schemas/product.ts'
import { bearerOf, principalOf } from '../plugins/access.ts'
import { type BatchRun, batchAnswer } from './batch-answer.ts'
import { exampleIds } from './examples.ts'
import { batchScope } from './gold.ts'
import { type SilverPages, silverRun } from './silver-run.ts'

const silverResult = z.object({
  productId: z.string(),
  status: z.enum(['success', 'error']),
  stage: stage.optional(),
  /** False where there was nothing to refine. */
  refined: z.boolean().optional(),
  /** Whether that changed its content. */
  changed: z.boolean().optional(),
  error: z.string().optional(),
})
export type SilverResult = z.infer<typeof silverResult>

const silverSummary = z.object({ refined: z.int(), changed: z.int(), current: z.int(), failed: z.int() })
export type SilverSummary = z.infer<typeof silverSummary>

export interface SilverPorts {
  readonly catalog: Pick<Catalog, 'withTenant'>
  /** null while another batch run over this catalog is under way. */
  readonly lock: (catalog: string) => Promise<{ release(): Promise<void> } | null>
  readonly silver: (row: CatalogRow) => SilverPages
}

export const silver: FastifyPluginAsyncZod<SilverPorts> = async (app, { catalog, lock, silver: pagesOf }) => {
  app.post(
    '/catalogs/:catalogId/batch/silver',
    {
      config: { action: 'catalogs:write', invalid: 'VALIDATION_ERROR', long: true },
      schema: {
        summary: 'Refine products',
        description:
          'Refines a selection, or all products of the catalog that are in bronze or stale, whether or not that happens unasked. Gold follows where it does so unasked.',
        tags: ['Products'],
        errors: ['CATALOG_NOT_FOUND', 'JOB_ALREADY_RUNNING'],
        examples: { body: { scope: 'all' } },
        params: z.object({ workspaceId, catalogId }),
        body: batchScope,
        answers: {
          200: {
            type: 'application/json',
            schema: z.object({ results: z.array(silverResult), summary: silverSummary }),
            example: exampleAnswer,
          },
        },
      },
    },
    async (request, reply) => {
      const principal = principalOf(bearerOf(request))
      const row = await catalog.withTenant(principal, (tx) => findCatalog(tx, request.params.catalogId))
      if (!row) throw new ServiceError('CATALOG_NOT_FOUND', { field: 'catalogId' })
      const held = await lock(row.id)
      if (!held) throw new ServiceError('JOB_ALREADY_RUNNING')
      const run: BatchRun<SilverResult, SilverSummary> = silverRun(pagesOf(row), request.body, () => held.release())
      return reply.type('application/json; charset=utf-8').send(batchAnswer(run, 'summary'))
    },
  )
}

const exampleAnswer = {
  results: [{ productId: exampleIds.productId, status: 'success', stage: 'gold', refined: true, changed: true }],
  summary: { refined: 1, changed: 1, current: 0, failed: 0 },
}
