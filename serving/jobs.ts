/** GET /jobs/{jobId}: what a background job has done so far, when it will end, and what came of it. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { findJob } from '../infra/catalog/job-table.ts'
import type { Catalog } from '../infra/catalog/postgres.ts'
import { ServiceError } from '../schemas/errors.ts'
import { jobId } from '../schemas/ids.ts'
import { jobResource, toJobResource } from './job-resource.ts'
import { bearerOf, principalOf } from './plugins/access.ts'
import { exampleJob } from './workspace/examples.ts'

export const jobs: FastifyPluginAsyncZod<{ catalog: Pick<Catalog, 'withTenant'>; now: () => Date }> = async (
  app,
  { catalog, now },
) => {
  app.get(
    '/jobs/:jobId',
    {
      config: { action: 'jobs:read' },
      schema: {
        summary: 'Follow a background job',
        description: 'What it has done so far, when it will be done, and what came of it.',
        tags: ['Jobs'],
        errors: ['NOT_FOUND'],
        examples: { answer: { job: exampleJob } },
        params: z.object({ jobId }),
        response: { 200: z.object({ job: jobResource }) },
      },
    },
    async (request) => {
      const row = await catalog.withTenant(principalOf(bearerOf(request)), (tx) => findJob(tx, request.params.jobId))
      if (!row) throw new ServiceError('NOT_FOUND', { message: 'Job not found', field: 'jobId' })
      return { job: toJobResource(row, now()) }
    },
  )
}
