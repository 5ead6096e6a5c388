/** …/jobs: background jobs of a workspace, newest first; cancelling one that has not ended, and starting a failed one again. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { findJob, type JobRow, listJobs, type Notify } from '../../infra/catalog/job-table.ts'
import type { Catalog } from '../../infra/catalog/postgres.ts'
import { findCatalog } from '../../infra/catalog/tenants.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { brandId, catalogId, jobId, workspaceId } from '../../schemas/ids.ts'
import { instant } from '../../schemas/instant.ts'
import { jobRules, jobStatuses } from '../../schemas/job.ts'
import type { Bearer } from '../access/principal.ts'
import { listQuery, nextTimeCursor, readTimeCursor } from '../cursor.ts'
import { jobResource, toJobResource } from '../job-resource.ts'
import { bearerOf, principalOf } from '../plugins/access.ts'
import { exampleIds, exampleJob } from './examples.ts'
import { notifyOf } from './notify-of.ts'

export interface JobPorts {
  readonly catalog: Pick<Catalog, 'withTenant'>
  readonly now: () => Date
  readonly jobControl: {
    cancel(id: string): Promise<'cancelled' | 'asked' | 'ended'>
    retry(
      row: JobRow,
      by: string,
      notify: Notify | null,
    ): Promise<{ readonly job: string } | { readonly refused: string }>
  }
}

type Kind = keyof typeof jobRules
/** Fetching a file is the first part of an import, whose kind its job has. */
const kinds = Object.keys(jobRules).filter((kind) => kind !== 'fetch_file') as [Kind, ...Kind[]]
const rulesOf = (kind: string) => jobRules[kind as Kind] ?? { right: 'catalogs:write', uncancelled: 'wait for its end' }

export const jobList: FastifyPluginAsyncZod<JobPorts> = async (app, { catalog, now, jobControl }) => {
  const tags = ['Jobs']
  const params = z.object({ workspaceId, jobId })

  /** One that the bearer may stop or start again: who may start a kind may do both. */
  async function jobOf(bearer: Bearer, id: string): Promise<JobRow> {
    const row = await catalog.withTenant(principalOf(bearer), (tx) => findJob(tx, id))
    if (!row) throw new ServiceError('NOT_FOUND', { message: 'Job not found', field: 'jobId' })
    const { right } = rulesOf(row.kind)
    if (!bearer.actions.has(right))
      throw new ServiceError('INSUFFICIENT_PERMISSIONS', { message: `This asks for ${right}, as starting it did` })
    return row
  }

  app.get(
    '/jobs',
    {
      config: { action: 'jobs:read' },
      schema: {
        summary: 'Background jobs, newest first',
        tags,
        examples: { query: { limit: 20, status: 'active' }, answer: { jobs: [exampleJob], next: null } },
        params: z.object({ workspaceId }),
        querystring: listQuery.extend({
          brand_id: z.union([brandId, z.literal('all')]).optional(),
          kind: z.enum(kinds).optional(),
          status: z.enum(jobStatuses).optional(),
          catalog_id: catalogId.optional(),
          since: instant.optional(),
        }),
        response: { 200: z.object({ jobs: z.array(jobResource), next: z.string().nullable() }) },
      },
    },
    async (request) => {
      const { after, limit, kind, status, catalog_id, since } = request.query
      const bearer = bearerOf(request)
      const filter = {
        ...{ kind, status, catalog: catalog_id ?? bearer.catalog ?? undefined },
        since: since === undefined ? undefined : new Date(since),
      }
      const rows = await catalog.withTenant(principalOf(bearer), (tx) =>
        listJobs(tx, filter, readTimeCursor(after), limit + 1),
      )
      const jobs = rows.slice(0, limit).map((row) => toJobResource(row, now()))
      return { jobs, next: nextTimeCursor(rows, limit) }
    },
  )

  app.post(
    '/jobs/:jobId/cancel',
    {
      config: { action: 'jobs:read' },
      schema: {
        summary: 'Cancel a background job',
        description:
          'Asks for the right that starting it asked for. A job that waits fails at once, one that runs within seconds, with the code cancelled; its message and result say what stays. A publish leaves nothing; an import keeps the rows that were appended. Deleting a catalog and bringing it back are not cancelled: each takes the other back.',
        tags,
        errors: ['NOT_FOUND', 'CONFLICT'],
        examples: { answer: { job: { ...exampleJob, cancelling: true } } },
        params,
        response: { 200: z.object({ job: jobResource }) },
      },
    },
    async (request) => {
      const bearer = bearerOf(request)
      const row = await jobOf(bearer, request.params.jobId)
      const ended = (status: string) => new ServiceError('CONFLICT', { message: `The job has ended: it is ${status}` })
      if (row.status === 'completed' || row.status === 'failed') throw ended(row.status)
      const { uncancelled } = rulesOf(row.kind)
      if (uncancelled !== null)
        throw new ServiceError('CONFLICT', { message: `A job of this kind is not cancelled; ${uncancelled}` })
      const became = await jobControl.cancel(row.id)
      const latest = await jobOf(bearer, row.id)
      if (became === 'ended') throw ended(latest.status)
      return { job: toJobResource(latest, now()) }
    },
  )

  app.post(
    '/jobs/:jobId/retry',
    {
      config: { action: 'jobs:read' },
      schema: {
        summary: 'Start a failed job again',
        description:
          'Imports whose file is still kept, and publishes: as a new job with the same input, which names this one as retryOf. Asks for the right that starting it asked for.',
        tags,
        errors: ['NOT_FOUND', 'CONFLICT', 'CATALOG_NOT_FOUND'],
        examples: { body: { notify_email: true }, answer: { job: { id: exampleIds.jobId } } },
        params,
        body: z.strictObject({ notify_email: z.boolean().optional(), brand_id: brandId.optional() }).nullish(),
        response: { 202: z.object({ job: z.object({ id: jobId }) }) },
      },
    },
    async (request, reply) => {
      const bearer = bearerOf(request)
      const row = await jobOf(bearer, request.params.jobId)
      if (row.status !== 'failed')
        throw new ServiceError('CONFLICT', { message: `Only a failed job is started again; this one is ${row.status}` })
      const { catalog: into } = row
      const there =
        into === null || (await catalog.withTenant(principalOf(bearer), (tx) => findCatalog(tx, into))) !== null
      if (!there) throw new ServiceError('CATALOG_NOT_FOUND')
      const notify = await notifyOf(catalog, bearer, request.body?.notify_email)
      const retried = await jobControl.retry(row, bearer.subject, notify)
      if ('refused' in retried) throw new ServiceError('CONFLICT', { message: retried.refused })
      return reply.code(202).send({ job: { id: retried.job } })
    },
  )
}
