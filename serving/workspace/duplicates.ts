/** Duplicates of a catalog: products that are held to be one thing, with why and how sure that is; flagged, and never merged by themselves. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { duplicateState, findDuplicates, listDuplicates } from '../../infra/catalog/duplicate-queries.ts'
import type { Notify } from '../../infra/catalog/job-table.ts'
import type { Catalog } from '../../infra/catalog/postgres.ts'
import { findCatalog } from '../../infra/catalog/tenants.ts'
import { duplicateReason, reasonBits } from '../../schemas/duplicate.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { brandId, catalogId, jobId, workspaceId } from '../../schemas/ids.ts'
import type { Bearer } from '../access/principal.ts'
import { listQuery, nextTextCursor, readTextCursor } from '../cursor.ts'
import { bearerOf, principalOf } from '../plugins/access.ts'
import { duplicateResource, groupId, toResource } from './duplicate-resource.ts'
import { exampleDuplicates, exampleIds } from './examples.ts'
import { notifyOf } from './notify-of.ts'

interface Scope {
  readonly workspace: string
  readonly brand: string
  readonly catalog: string
}

export interface DuplicatePorts {
  readonly catalog: Pick<Catalog, 'withTenant'>
  readonly duplicates: {
    /** @returns the job @throws ServiceError where one looks for them already */
    start(scope: Scope, by: string, notify: Notify | null): Promise<string>
    /** @returns null where the catalog has no such group */
    dismiss(scope: Scope, group: string, by: string, requestId: string): Promise<'dismissed' | 'before' | null>
  }
}

const place = /^(\d{1,3}):([0-9a-f-]{36})$/

export const duplicates: FastifyPluginAsyncZod<DuplicatePorts> = async (app, { catalog, duplicates: ports }) => {
  const tags = ['Duplicates']
  const params = z.object({ workspaceId, catalogId })
  const groupParams = params.extend({ groupId })

  const scopeOf = async (bearer: Bearer, id: string): Promise<Scope> => {
    const row = await catalog.withTenant(principalOf(bearer), (tx) => findCatalog(tx, id))
    if (!row) throw new ServiceError('CATALOG_NOT_FOUND', { field: 'catalogId' })
    return { workspace: bearer.workspace, brand: row.brandId, catalog: row.id }
  }
  const noGroup = () =>
    new ServiceError('NOT_FOUND', {
      message: 'There is no such group of duplicates now; its products may have changed, or be in another',
      field: 'groupId',
    })

  app.get(
    '/catalogs/:catalogId/duplicates',
    {
      config: { action: 'products:read' },
      schema: {
        summary: 'List the duplicates of a catalog',
        description: [
          'Groups of products that are held to be one thing, the surest first. Variants of one family are never duplicates of each other.',
          '`reason` asks for groups of which a member has it: one barcode (`gtin`), one part number of one brand (`mpn_brand`), one page (`url`), or near titles of one brand and price (`title`).',
          'They follow edits within seconds, and an import when it has ended: `as_of` says up to when nothing is missing, null where a catalog was never looked through. `skipped` counts products of which so many are alike that they were not all compared.',
        ].join(' '),
        tags,
        errors: ['CATALOG_NOT_FOUND'],
        examples: {
          query: { limit: 20, reason: 'title' },
          answer: { duplicates: [exampleDuplicates], next: null, as_of: exampleDuplicates.foundAt, skipped: 0 },
        },
        params,
        querystring: listQuery.extend({ reason: duplicateReason.optional() }),
        response: {
          200: z.object({
            duplicates: z.array(duplicateResource),
            next: z.string().nullable(),
            as_of: z.iso.datetime().nullable(),
            skipped: z.int(),
          }),
        },
      },
    },
    async (request) => {
      const bearer = bearerOf(request)
      const { after, limit, reason } = request.query
      const [confidence, id] = readTextCursor(after, place)?.split(':') ?? []
      const from = confidence !== undefined && id !== undefined ? { confidence: Number(confidence), id } : null
      const scope = await scopeOf(bearer, request.params.catalogId)
      return catalog.withTenant(principalOf(bearer), async (tx) => {
        const bit = reason === undefined ? 0 : reasonBits([reason])
        const rows = await listDuplicates(tx, scope.catalog, bit, from, limit + 1)
        const { settledAt, skipped } = await duplicateState(tx, scope.catalog)
        const places = rows.map((row) => `${row.confidence}:${row.id}`)
        return {
          duplicates: rows.slice(0, limit).map(toResource),
          next: nextTextCursor(places, limit),
          as_of: settledAt?.toISOString() ?? null,
          skipped,
        }
      })
    },
  )

  app.get(
    '/catalogs/:catalogId/duplicates/:groupId',
    {
      config: { action: 'products:read' },
      schema: {
        summary: 'Read a group of duplicates',
        description: 'Its id is made of its members: with another member, or one fewer, it is another group.',
        tags,
        errors: ['CATALOG_NOT_FOUND', 'NOT_FOUND'],
        examples: { answer: { group: exampleDuplicates } },
        params: groupParams,
        response: { 200: z.object({ group: duplicateResource }) },
      },
    },
    async (request) => {
      const bearer = bearerOf(request)
      const scope = await scopeOf(bearer, request.params.catalogId)
      const row = await catalog.withTenant(principalOf(bearer), (tx) =>
        findDuplicates(tx, scope.catalog, request.params.groupId),
      )
      if (!row) throw noGroup()
      return { group: toResource(row) }
    },
  )

  app.post(
    '/catalogs/:catalogId/duplicates',
    {
      config: { action: 'products:write' },
      schema: {
        summary: 'Look for duplicates in all of a catalog',
        description:
          'They are looked for by themselves after every import and edit; the job tells when all of them are found.',
        tags,
        errors: ['CATALOG_NOT_FOUND', 'JOB_ALREADY_RUNNING'],
        examples: { body: {}, answer: { job: { id: exampleIds.jobId } } },
        params,
        body: z.strictObject({ notify_email: z.boolean().optional(), brand_id: brandId.optional() }).nullish(),
        response: { 202: z.object({ job: z.object({ id: jobId }) }) },
      },
    },
    async (request, reply) => {
      const bearer = bearerOf(request)
      const scope = await scopeOf(bearer, request.params.catalogId)
      const notify = await notifyOf(catalog, bearer, request.body?.notify_email)
      return reply.code(202).send({ job: { id: await ports.start(scope, bearer.subject, notify) } })
    },
  )

  app.post(
    '/catalogs/:catalogId/duplicates/:groupId/dismiss',
    {
      config: { action: 'products:write' },
      schema: {
        summary: 'Say that a group are no duplicates',
        description: 'No two of its members are in one group again. Said twice it is said once.',
        tags,
        errors: ['CATALOG_NOT_FOUND', 'NOT_FOUND'],
        examples: { body: {}, answer: { group: { id: exampleIds.groupId, dismissed: true } } },
        params: groupParams,
        body: z.strictObject({ brand_id: brandId.optional() }).nullish(),
        response: { 200: z.object({ group: z.object({ id: groupId, dismissed: z.literal(true) }) }) },
      },
    },
    async (request) => {
      const bearer = bearerOf(request)
      const { groupId: id } = request.params
      const scope = await scopeOf(bearer, request.params.catalogId)
      if ((await ports.dismiss(scope, id, bearer.subject, request.id)) === null) throw noGroup()
      return { group: { id, dismissed: true as const } }
    },
  )
}
