/** Replays of the log: ordered, followed, judged by their verdict, promoted or discarded. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Notify } from '../../infra/catalog/job-table.ts'
import type { Catalog } from '../../infra/catalog/postgres.ts'
import { findReplay, listReplays, type Pace, type ReplayRow } from '../../infra/catalog/replays.ts'
import { findCatalog } from '../../infra/catalog/tenants.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { jobId, workspaceId } from '../../schemas/ids.ts'
import type { ShadowSettings } from '../../schemas/settings.ts'
import type { ReplayRange } from '../../transforms/replay/range.ts'
import { requireAllBrands } from '../access/all-brands.ts'
import { listQuery, nextTimeCursor, readTimeCursor } from '../cursor.ts'
import { type Bearer, bearerOf, principalOf } from '../plugins/access.ts'
import { attachment } from './attachment.ts'
import { exampleIds } from './examples.ts'
import { importOf } from './import-of.ts'
import { notifyOf } from './notify-of.ts'
import { replayBody, toRange, underGiven } from './replay-body.ts'
import { exampleReplay, exampleReplayBody, exampleVerdict } from './replay-examples.ts'
import { replayId, replayResource, toReplay, verdictResource } from './replay-resource.ts'

export interface ReplayPorts {
  readonly catalog: Pick<Catalog, 'withTenant'>
  readonly replays: {
    start(order: {
      workspace: string
      brand: string | null
      catalog: string | null
      range: ReplayRange
      pace: Pace
      under: (present: ShadowSettings) => ShadowSettings
      by: string
      notify: Notify | null
    }): Promise<{ job: string; replay: string }>
    promote(replay: ReplayRow, who: { by: string; requestId: string; notify: Notify | null }): Promise<string>
    discard(replay: ReplayRow): Promise<void>
  }
}

const tags = ['Replays']
const params = z.object({ workspaceId, replayId })
const one = z.object({ replay: replayResource })
const usualPace = { rate: null, share: 0.5 }

export const replays: FastifyPluginAsyncZod<ReplayPorts> = async (app, { catalog, replays: ports }) => {
  const replayFor = async (bearer: Bearer, id: string): Promise<ReplayRow> => {
    const row = await catalog.withTenant(principalOf(bearer), (tx) => findReplay(tx, id))
    if (!row) throw new ServiceError('NOT_FOUND', { message: 'Replay not found', field: 'replayId' })
    return row
  }

  app.post(
    '/replays',
    {
      config: { action: 'replays:write' },
      schema: {
        summary: 'Replay the log into a shadow',
        description:
          "The range chooses products; each is folded anew from its whole history, refined and graded under the workspace's settings and weights, or under those given, " +
          'into rows beside the live ones, which stay as they are. The replay ends with its verdict, and waits to be promoted or discarded.',
        tags,
        errors: ['BAD_REQUEST', 'CATALOG_NOT_FOUND', 'NOT_FOUND'],
        examples: {
          body: exampleReplayBody,
          answer: { job: { id: exampleIds.jobId }, replay: { id: exampleIds.replayId } },
        },
        params: z.object({ workspaceId }),
        body: replayBody,
        response: { 202: z.object({ job: z.object({ id: jobId }), replay: z.object({ id: replayId }) }) },
      },
    },
    async (request, reply) => {
      const bearer = bearerOf(request)
      const body = request.body ?? { share: usualPace.share }
      const found = await scopeOf(catalog, bearer, body)
      const { job, replay } = await ports.start({
        workspace: bearer.workspace,
        ...found,
        range: toRange(body),
        pace: { rate: body.rate ?? usualPace.rate, share: body.share },
        under: underGiven(body.settings),
        by: bearer.subject,
        notify: await notifyOf(catalog, bearer, body.notify_email),
      })
      return reply.code(202).send({ job: { id: job }, replay: { id: replay } })
    },
  )

  app.get(
    '/replays',
    {
      config: { action: 'catalogs:read' },
      schema: {
        summary: 'List replays',
        description: 'The newest first.',
        tags,
        examples: { answer: { replays: [exampleReplay], next: null } },
        params: z.object({ workspaceId }),
        querystring: listQuery,
        response: { 200: z.object({ replays: z.array(replayResource), next: z.string().nullable() }) },
      },
    },
    async (request) => {
      const { after, limit } = request.query
      const from = readTimeCursor(after)
      const rows = await catalog.withTenant(principalOf(bearerOf(request)), (tx) => listReplays(tx, from, limit + 1))
      return { replays: rows.slice(0, limit).map(toReplay), next: nextTimeCursor(rows, limit) }
    },
  )

  app.get(
    '/replays/:replayId',
    {
      config: { action: 'catalogs:read' },
      schema: {
        summary: 'Read a replay',
        tags,
        errors: ['NOT_FOUND'],
        examples: { answer: { replay: exampleReplay } },
        params,
        response: { 200: one },
      },
    },
    async (request) => ({ replay: toReplay(await replayFor(bearerOf(request), request.params.replayId)) }),
  )

  app.get(
    '/replays/:replayId/verdict',
    {
      config: { action: 'catalogs:read' },
      schema: {
        summary: 'Download a verdict',
        description: 'As a file.',
        tags,
        errors: ['NOT_FOUND'],
        examples: { answer: exampleVerdict },
        params,
        response: { 200: verdictResource },
      },
    },
    async (request, reply) => {
      const { id, state, verdict } = toReplay(await replayFor(bearerOf(request), request.params.replayId))
      if (verdict === null) {
        const message =
          state === 'discarded' ? 'The replay was discarded before it had a verdict' : 'The replay has no verdict yet'
        throw new ServiceError('NOT_FOUND', { message, field: 'replayId' })
      }
      return reply.header('content-disposition', attachment(`verdict-${id}`, '.json')).send(verdict)
    },
  )

  app.post(
    '/replays/:replayId/promote',
    {
      config: { action: 'replays:write' },
      schema: {
        summary: 'Promote a shadow',
        description:
          "Its settings and weights become the workspace's, its rows the live ones, and its catalogs that are published are published with all of it at once. " +
          '409 where the settings of the workspace have changed since the replay began. Products that have changed since are computed again; those outside its range become stale. ' +
          'Asked again, it is the same job, or goes on where one failed.',
        tags,
        errors: ['NOT_FOUND', 'CONFLICT', 'JOB_ALREADY_RUNNING'],
        examples: { body: {}, answer: { job: { id: exampleIds.jobId } } },
        params,
        body: z.strictObject({ notify_email: z.boolean().optional() }).nullish(),
        response: { 202: z.object({ job: z.object({ id: jobId }) }) },
      },
    },
    async (request, reply) => {
      const bearer = bearerOf(request)
      const row = await replayFor(bearer, request.params.replayId)
      if (row.settings !== row.formerSettings || row.weights !== row.formerWeights) requireAllBrands(bearer)
      const notify = await notifyOf(catalog, bearer, request.body?.notify_email)
      const id = await ports.promote(row, { by: bearer.subject, requestId: request.id, notify })
      return reply.code(202).send({ job: { id } })
    },
  )

  app.post(
    '/replays/:replayId/discard',
    {
      config: { action: 'replays:write' },
      schema: {
        summary: 'Discard a shadow',
        description: 'One that is still running is cancelled. Its rows go; the verdict stays.',
        tags,
        errors: ['NOT_FOUND', 'CONFLICT'],
        examples: { answer: { replay: { ...exampleReplay, state: 'discarded' } } },
        params,
        response: { 200: one },
      },
    },
    async (request) => {
      const bearer = bearerOf(request)
      await ports.discard(await replayFor(bearer, request.params.replayId))
      return { replay: toReplay(await replayFor(bearer, request.params.replayId)) }
    },
  )
}

/** A catalog that is named, or that the import was of; else the bearer's brand; else all, for those who have all. */
async function scopeOf(
  catalog: Pick<Catalog, 'withTenant'>,
  bearer: Bearer,
  { catalog_id, range }: { catalog_id?: string | undefined; range?: { import_id?: string | undefined } | undefined },
): Promise<{ brand: string | null; catalog: string | null }> {
  const imported = range?.import_id === undefined ? null : await importOf(catalog, bearer, range.import_id)
  const named = catalog_id ?? imported?.catalog ?? bearer.catalog
  if (named !== null && named !== undefined) {
    const row = await catalog.withTenant(principalOf(bearer), (tx) => findCatalog(tx, named))
    if (!row) throw new ServiceError('CATALOG_NOT_FOUND', { field: 'catalog_id' })
    return { brand: row.brandId, catalog: row.id }
  }
  if (bearer.brand !== null) return { brand: bearer.brand, catalog: null }
  requireAllBrands(bearer)
  return { brand: null, catalog: null }
}
