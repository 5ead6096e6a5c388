/** …/media-jobs: pictures that a model makes or changes, newest first; read and cancelled here. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { cancelMediaJob, findMediaJob, listMediaJobs, type MediaJobRow } from '../../infra/catalog/media-jobs.ts'
import type { Catalog } from '../../infra/catalog/postgres.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { brandId, productId, workspaceId } from '../../schemas/ids.ts'
import { mediaStatuses } from '../../schemas/media-job.ts'
import { listQuery, nextTimeCursor, readTimeCursor } from '../cursor.ts'
import { bearerOf, principalOf } from '../plugins/access.ts'
import { exampleMediaJob } from './examples.ts'

const resource = z.object({
  id: z.uuid(),
  brandId,
  productId: productId.nullable(),
  kind: z.string(),
  status: z.enum(mediaStatuses),
  /** That did the work, which may be another than was asked for; null until it is known. */
  provider: z.string().nullable(),
  model: z.string().nullable(),
  result: z.unknown(),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  createdBy: z.string(),
  createdAt: z.iso.datetime(),
  startedAt: z.iso.datetime().nullable(),
  finishedAt: z.iso.datetime().nullable(),
})

const toResource = ({ brand, product, by, micros: _micros, ...row }: MediaJobRow) => ({
  ...row,
  brandId: brand,
  productId: product,
  createdBy: by,
  createdAt: row.createdAt.toISOString(),
  startedAt: row.startedAt?.toISOString() ?? null,
  finishedAt: row.finishedAt?.toISOString() ?? null,
})

const notFound = () => new ServiceError('NOT_FOUND', { message: 'Media job not found', field: 'mediaJobId' })

export const mediaJobs: FastifyPluginAsyncZod<{ catalog: Pick<Catalog, 'withTenant'> }> = async (app, { catalog }) => {
  const tags = ['Media jobs']
  const params = z.object({ workspaceId, mediaJobId: z.uuid().toLowerCase() })

  app.get(
    '/media-jobs',
    {
      config: { action: 'jobs:read' },
      schema: {
        summary: 'Media jobs, newest first',
        tags,
        examples: { query: { limit: 20 }, answer: { mediaJobs: [exampleMediaJob], next: null } },
        params: z.object({ workspaceId }),
        querystring: listQuery.extend({
          brand_id: z.union([brandId, z.literal('all')]).optional(),
          status: z.enum(mediaStatuses).optional(),
        }),
        response: { 200: z.object({ mediaJobs: z.array(resource), next: z.string().nullable() }) },
      },
    },
    async (request) => {
      const { after, limit, status } = request.query
      const rows = await catalog.withTenant(principalOf(bearerOf(request)), (tx) =>
        listMediaJobs(tx, status, readTimeCursor(after), limit + 1),
      )
      return { mediaJobs: rows.slice(0, limit).map(toResource), next: nextTimeCursor(rows, limit) }
    },
  )

  app.get(
    '/media-jobs/:mediaJobId',
    {
      config: { action: 'jobs:read' },
      schema: {
        summary: 'Follow a media job',
        tags,
        errors: ['NOT_FOUND'],
        examples: { answer: { mediaJob: exampleMediaJob } },
        params,
        response: { 200: z.object({ mediaJob: resource }) },
      },
    },
    async (request) => {
      const row = await catalog.withTenant(principalOf(bearerOf(request)), (tx) =>
        findMediaJob(tx, request.params.mediaJobId),
      )
      if (!row) throw notFound()
      return { mediaJob: toResource(row) }
    },
  )

  app.post(
    '/media-jobs/:mediaJobId/cancel',
    {
      config: { action: 'products:write' },
      schema: {
        summary: 'Cancel a media job',
        description: 'One that waits or is worked on; what a model makes of it afterwards is thrown away.',
        tags,
        errors: ['NOT_FOUND', 'CONFLICT'],
        examples: { body: {}, answer: { mediaJob: { ...exampleMediaJob, status: 'cancelled' } } },
        params,
        body: z.strictObject({ brand_id: brandId.optional() }).nullish(),
        response: { 200: z.object({ mediaJob: resource }) },
      },
    },
    async (request) => {
      const row = await catalog.withTenant(principalOf(bearerOf(request)), async (tx) => {
        const cancelled = await cancelMediaJob(tx, request.params.mediaJobId)
        const found = await findMediaJob(tx, request.params.mediaJobId)
        if (!found) throw notFound()
        if (!cancelled)
          throw new ServiceError('CONFLICT', { message: `The media job has ended: it is ${found.status}` })
        return found
      })
      return { mediaJob: toResource(row) }
    },
  )
}
