/** GET /jobs/{jobId}: what a background job has done so far, when it will end, and what came of it. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { findJob, type JobRow } from '../infra/catalog/job-table.ts'
import type { Catalog } from '../infra/catalog/postgres.ts'
import { ServiceError } from '../schemas/errors.ts'
import { jobId } from '../schemas/ids.ts'
import { bearerOf, principalOf } from './plugins/access.ts'
import { exampleJob } from './workspace/examples.ts'

const resource = z.object({
  id: jobId,
  kind: z.string(),
  status: z.enum(['queued', 'active', 'completed', 'failed']),
  catalogId: z.uuid().nullable(),
  progress: z.object({
    done: z.int(),
    total: z.int().nullable(),
    /** Items a second since the job began. */
    rate: z.number().nullable(),
  }),
  /** When it will be done at this rate. */
  eta: z.iso.datetime().nullable(),
  result: z.unknown(),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  createdAt: z.iso.datetime(),
  startedAt: z.iso.datetime().nullable(),
  finishedAt: z.iso.datetime().nullable(),
})

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
        response: { 200: z.object({ job: resource }) },
      },
    },
    async (request) => {
      const row = await catalog.withTenant(principalOf(bearerOf(request)), (tx) => findJob(tx, request.params.jobId))
      if (!row) throw new ServiceError('NOT_FOUND', { message: 'Job not found', field: 'jobId' })
      return { job: toResource(row, now()) }
    },
  )
}

function toResource(row: JobRow, now: Date) {
  const end = row.finishedAt ?? now
  const seconds = row.startedAt ? (end.getTime() - row.startedAt.getTime()) / 1_000 : 0
  const rate = seconds > 0.2 && row.done > 0 ? row.done / seconds : null
  const left = row.status === 'active' && rate !== null && row.total !== null ? (row.total - row.done) / rate : null
  return {
    id: row.id,
    kind: row.kind,
    status: row.status,
    catalogId: row.catalog,
    progress: { done: row.done, total: row.total, rate: rate === null ? null : Math.round(rate) },
    eta: left === null ? null : new Date(now.getTime() + left * 1_000).toISOString(),
    result: row.result,
    error: row.error,
    createdAt: row.createdAt.toISOString(),
    startedAt: row.startedAt?.toISOString() ?? null,
    finishedAt: row.finishedAt?.toISOString() ?? null,
  }
}
