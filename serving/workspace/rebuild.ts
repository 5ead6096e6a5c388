/** POST …/catalogs/{catalogId}/rebuild: makes a catalog's working products, scores and lists anew from the log, and tells what differed. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Notify } from '../../infra/catalog/job-table.ts'
import type { Catalog } from '../../infra/catalog/postgres.ts'
import { findCatalog } from '../../infra/catalog/tenants.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { brandId, catalogId, workspaceId } from '../../schemas/ids.ts'
import { bearerOf, principalOf } from '../plugins/access.ts'
import { exampleIds } from './examples.ts'
import { notifyOf } from './notify-of.ts'

export interface RebuildPorts {
  readonly catalog: Pick<Catalog, 'withTenant'>
  /** Starts the job, or names the one that runs. */
  readonly rebuild: (order: {
    workspace: string
    brand: string
    catalog: string
    by: string
    notify: Notify | null
  }) => Promise<{ job: string; running: boolean }>
}

const body = z.strictObject({ notify_email: z.boolean().optional(), brand_id: brandId.optional() }).nullish()

export const rebuild: FastifyPluginAsyncZod<RebuildPorts> = async (app, { catalog, rebuild: start }) => {
  app.post(
    '/catalogs/:catalogId/rebuild',
    {
      config: { action: 'replays:write' },
      schema: {
        summary: 'Rebuild a catalog from the log',
        description:
          'Folds every product of the catalog anew from the log, beside live writes, with the same ids: rows that differ are mended, rows that are lost come back, sorted lists follow. ' +
          'What nothing changed stays as it is, its times too; nothing is sent or counted again. The result of the job counts `equal`, `stale`, `mended`, `restored`, `failed` and `unfounded` (rows of which the log knows nothing; they stay), ' +
          'and names up to 100 that differed with the first step that did.',
        tags: ['Catalogs'],
        errors: ['CATALOG_NOT_FOUND', 'JOB_ALREADY_RUNNING'],
        examples: { body: {}, answer: { job: { id: exampleIds.jobId } } },
        params: z.object({ workspaceId, catalogId }),
        body,
        response: { 202: z.object({ job: z.object({ id: z.uuid() }) }) },
      },
    },
    async (request, reply) => {
      const bearer = bearerOf(request)
      const row = await catalog.withTenant(principalOf(bearer), (tx) => findCatalog(tx, request.params.catalogId))
      if (!row) throw new ServiceError('CATALOG_NOT_FOUND', { field: 'catalogId' })
      const notify = await notifyOf(catalog, bearer, request.body?.notify_email)
      const scope = { workspace: row.workspaceId, brand: row.brandId, catalog: row.id }
      const { job, running } = await start({ ...scope, by: bearer.subject, notify })
      if (running)
        throw new ServiceError('JOB_ALREADY_RUNNING', { message: `The catalog is being rebuilt by job ${job}` })
      return reply.code(202).send({ job: { id: job } })
    },
  )
}
