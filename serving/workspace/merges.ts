/** Merges of a fork into its base, or of the base into the fork: ordered, followed, decided where sides contradict, applied. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Notify } from '../../infra/catalog/job-table.ts'
import { type Choice, findMerge, forkAmong, isWhole, listConflicts, type MergeRow } from '../../infra/catalog/merges.ts'
import type { Catalog } from '../../infra/catalog/postgres.ts'
import { findCatalog } from '../../infra/catalog/tenants.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { brandId, catalogId, jobId, workspaceId } from '../../schemas/ids.ts'
import { mergeFields } from '../../transforms/versions/fields.ts'
import { listQuery, nextTextCursor, readTextCursor } from '../cursor.ts'
import { bearerOf, principalOf } from '../plugins/access.ts'
import { exampleConflict, exampleIds, exampleMerge } from './examples.ts'
import { choices, conflictField, conflictResource, mergeId, mergeResource, toResource } from './merge-resource.ts'
import { notifyOf } from './notify-of.ts'

export interface MergePorts {
  readonly catalog: Pick<Catalog, 'withTenant'>
  readonly merges: {
    start(order: {
      workspace: string
      brand: string
      target: string
      source: string
      fork: string
      dryRun: boolean
      choices: readonly Choice[]
      by: string
      notify: Notify | null
    }): Promise<{ job: string; merge: string }>
    resolve(merge: string, choices: readonly Choice[]): Promise<boolean>
    apply(merge: MergeRow, by: string, notify: Notify | null): Promise<string | null>
  }
}

const place = new RegExp(`^[0-9a-f-]{36}:(?:product|${mergeFields.join('|')})$`)

export const merges: FastifyPluginAsyncZod<MergePorts> = async (app, { catalog, merges: ports }) => {
  const tags = ['Catalogs']
  const params = z.object({ workspaceId, mergeId })
  const one = z.object({ merge: mergeResource })

  const mergeFor = async (bearer: ReturnType<typeof bearerOf>, id: string): Promise<MergeRow> => {
    const row = await catalog.withTenant(principalOf(bearer), async (tx) => {
      const found = await findMerge(tx, id)
      // Its values are of both catalogs.
      const there = found && (await findCatalog(tx, found.target)) && (await findCatalog(tx, found.source))
      return there ? found : null
    })
    if (!row) throw new ServiceError('NOT_FOUND', { message: 'Merge not found', field: 'mergeId' })
    return row
  }

  app.post(
    '/catalogs/:catalogId/merge',
    {
      config: { action: 'catalogs:write' },
      schema: {
        summary: 'Merge a fork into its base, or the base into its fork',
        description:
          'Field by field: what one side left as it was follows the other. What both changed differently is a conflict; without any, and without dry_run, the merge is applied at once. Choices decide conflicts that are expected.',
        tags,
        errors: ['CATALOG_NOT_FOUND', 'CONFLICT'],
        examples: {
          body: { from: exampleMerge.fromId, dry_run: true },
          answer: { job: { id: exampleIds.jobId }, merge: { id: exampleIds.mergeId } },
        },
        params: z.object({ workspaceId, catalogId }),
        body: z.strictObject({
          from: catalogId,
          choices: choices.default([]),
          dry_run: z.boolean().default(false),
          notify_email: z.boolean().optional(),
          brand_id: brandId.optional(),
        }),
        response: { 202: z.object({ job: z.object({ id: jobId }), merge: z.object({ id: mergeId }) }) },
      },
    },
    async (request, reply) => {
      const bearer = bearerOf(request)
      const { from, dry_run } = request.body
      const order = await catalog.withTenant(principalOf(bearer), async (tx) => {
        const target = await findCatalog(tx, request.params.catalogId)
        if (!target) throw new ServiceError('CATALOG_NOT_FOUND', { field: 'catalogId' })
        const source = await findCatalog(tx, from)
        if (!source) throw new ServiceError('CATALOG_NOT_FOUND', { field: 'from' })
        const fork = await forkAmong(tx, target.id, source.id)
        if (fork === null)
          throw new ServiceError('CONFLICT', { message: 'Neither catalog is a fork of the other', field: 'from' })
        if (!(await isWhole(tx, fork)))
          throw new ServiceError('CONFLICT', { message: 'The fork is still being made', field: 'from' })
        return { workspace: bearer.workspace, brand: target.brandId, target: target.id, source: source.id, fork }
      })
      const { job, merge } = await ports.start({
        ...order,
        dryRun: dry_run,
        choices: request.body.choices,
        by: bearer.subject,
        notify: await notifyOf(catalog, bearer, request.body.notify_email),
      })
      return reply.code(202).send({ job: { id: job }, merge: { id: merge } })
    },
  )

  app.get(
    '/merges/:mergeId',
    {
      config: { action: 'catalogs:read' },
      schema: {
        summary: 'Read a merge',
        tags,
        errors: ['NOT_FOUND'],
        examples: { answer: { merge: exampleMerge } },
        params,
        response: { 200: one },
      },
    },
    async (request) => ({ merge: toResource(await mergeFor(bearerOf(request), request.params.mergeId)) }),
  )

  app.get(
    '/merges/:mergeId/conflicts',
    {
      config: { action: 'catalogs:read' },
      schema: {
        summary: 'List the conflicts of a merge',
        description: 'What both sides changed differently, with the value that both had and that each has now.',
        tags,
        errors: ['NOT_FOUND'],
        examples: { query: { limit: 20 }, answer: { conflicts: [exampleConflict], next: null } },
        params,
        querystring: listQuery,
        response: { 200: z.object({ conflicts: z.array(conflictResource), next: z.string().nullable() }) },
      },
    },
    async (request) => {
      const { after, limit } = request.query
      const bearer = bearerOf(request)
      const [product, name] = readTextCursor(after, place)?.split(':') ?? []
      const { id } = await mergeFor(bearer, request.params.mergeId)
      const from = product && name ? ([product, name] as const) : null
      const rows = await catalog.withTenant(principalOf(bearer), (tx) => listConflicts(tx, id, from, limit + 1))
      const shown = rows.slice(0, limit).map((row) => ({ ...row, field: conflictField.parse(row.field) }))
      return {
        conflicts: shown,
        next: nextTextCursor(
          rows.map((row) => `${row.productId}:${row.field}`),
          limit,
        ),
      }
    },
  )

  app.patch(
    '/merges/:mergeId/conflicts',
    {
      config: { action: 'catalogs:write' },
      schema: {
        summary: 'Decide conflicts of a merge',
        description: 'A choice may be changed until the merge is applied.',
        tags,
        errors: ['NOT_FOUND', 'CONFLICT'],
        examples: {
          body: { choices: [{ productId: exampleIds.productId, field: 'title', take: 'from' }] },
          answer: { merge: { ...exampleMerge, unresolved: 0 } },
        },
        params,
        body: z.strictObject({ choices: choices.min(1), brand_id: brandId.optional() }),
        response: { 200: one },
      },
    },
    async (request) => {
      const bearer = bearerOf(request)
      const { id } = await mergeFor(bearer, request.params.mergeId)
      if (!(await ports.resolve(id, request.body.choices)))
        throw new ServiceError('CONFLICT', {
          message: 'Choices are taken between the plan of a merge and its application',
        })
      const row = await mergeFor(bearer, id)
      return { merge: toResource(row) }
    },
  )

  app.post(
    '/merges/:mergeId/apply',
    {
      config: { action: 'catalogs:write' },
      schema: {
        summary: 'Apply a merge',
        description:
          'Refused while a conflict is undecided. What was edited since the plan is left as it is and counted.',
        tags,
        errors: ['NOT_FOUND', 'CONFLICT'],
        examples: { body: {}, answer: { job: { id: exampleIds.jobId } } },
        params,
        body: z.strictObject({ notify_email: z.boolean().optional(), brand_id: brandId.optional() }).nullish(),
        response: { 202: z.object({ job: z.object({ id: jobId }) }) },
      },
    },
    async (request, reply) => {
      const bearer = bearerOf(request)
      const row = await mergeFor(bearer, request.params.mergeId)
      const notify = await notifyOf(catalog, bearer, request.body?.notify_email)
      const job = await ports.apply(row, bearer.subject, notify)
      if (job !== null) return reply.code(202).send({ job: { id: job } })
      const now = await mergeFor(bearer, row.id)
      const message =
        now.state === 'ready' ? `${now.unresolved} conflicts are undecided` : `The merge is ${now.state} already`
      throw new ServiceError('CONFLICT', { message })
    },
  )
}
