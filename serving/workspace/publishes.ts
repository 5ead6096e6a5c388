/** POST …/catalogs/{catalogId}/publish: makes a new version of what a catalog holds. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Notify } from '../../infra/catalog/job-table.ts'
import type { Catalog } from '../../infra/catalog/postgres.ts'
import { type CatalogRow, findCatalog } from '../../infra/catalog/tenants.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { brandId, catalogId, workspaceId } from '../../schemas/ids.ts'
import { bearerOf, principalOf } from '../plugins/access.ts'
import { exampleIds } from './examples.ts'
import { notifyOf } from './notify-of.ts'

export interface PublishPorts {
  readonly catalog: Pick<Catalog, 'withTenant'>
  /** Starts a publish as a job. @returns the job, and whether it is one that was already building */
  readonly publish: (
    row: CatalogRow,
    by: string,
    changelog: string | null,
    notify: Notify | null,
  ) => Promise<{ job: string; running: boolean }>
}

export const publishes: FastifyPluginAsyncZod<PublishPorts> = async (app, { catalog, publish }) => {
  app.post(
    '/catalogs/:catalogId/publish',
    {
      config: { action: 'catalogs:write' },
      schema: {
        summary: 'Publish a catalog',
        description: 'Makes a new version of what the catalog holds; the job says when it is done.',
        tags: ['Versions'],
        errors: ['CATALOG_NOT_FOUND', 'JOB_ALREADY_RUNNING'],
        examples: {
          body: { changelog: 'Autumn prices' },
          answer: { job: { id: exampleIds.jobId } },
        },
        params: z.object({ workspaceId, catalogId }),
        body: z
          .strictObject({
            changelog: z.string().max(2_000).optional(),
            notify_email: z.boolean().optional(),
            brand_id: brandId.optional(),
          })
          .nullish(),
        response: { 202: z.object({ job: z.object({ id: z.uuid() }) }) },
      },
    },
    async (request, reply) => {
      const bearer = bearerOf(request)
      const row = await catalog.withTenant(principalOf(bearer), (tx) => findCatalog(tx, request.params.catalogId))
      if (!row) throw new ServiceError('CATALOG_NOT_FOUND', { field: 'catalogId' })
      const notify = await notifyOf(catalog, bearer, request.body?.notify_email)
      const { job, running } = await publish(row, bearer.subject, request.body?.changelog ?? null, notify)
      if (running)
        throw new ServiceError('JOB_ALREADY_RUNNING', { message: `The catalog is being published by job ${job}` })
      return reply.code(202).send({ job: { id: job } })
    },
  )
}
