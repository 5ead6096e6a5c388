/** DELETE …/catalogs/{catalogId} (endpoint 7), and its undo while the catalog is kept. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Catalog } from '../../infra/catalog/postgres.ts'
import { findCatalog, isDeletedCatalog } from '../../infra/catalog/tenants.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { brandId, catalogId, workspaceId } from '../../schemas/ids.ts'
import { retention } from '../../schemas/retention.ts'
import type { Forget } from '../access/forget.ts'
import { bearerOf, principalOf } from '../plugins/access.ts'
import { exampleIds } from './examples.ts'

interface Who {
  readonly subject: string
  readonly requestId: string
}

export type Changed =
  /** `until`: when it can no longer be brought back. */
  | { readonly kind: 'begun'; readonly job: string; readonly until: Date }
  | { readonly kind: 'gone' | 'default' | 'brandless' }
  | { readonly kind: 'running'; readonly job: string }
  | { readonly kind: 'expired'; readonly until: Date }

export interface CatalogLivesPort {
  /** Deletes it at once, with what runs on it, and starts the job that removes its products. */
  remove(catalog: string, who: Who): Promise<Changed>
  /** Starts the job at whose end it is there again. */
  bringBack(catalog: string, who: Who): Promise<Changed>
}

export interface CatalogDeletionPorts {
  readonly catalog: Pick<Catalog, 'withTenant'>
  readonly lives: CatalogLivesPort
  readonly forget: Forget
}

const tags = ['Catalogs']
const days = retention.deletedCatalogDays
const until = z.iso.datetime()
const exampleUntil = '2026-12-05T09:30:00.000Z'

export const catalogDeletion: FastifyPluginAsyncZod<CatalogDeletionPorts> = async (app, { catalog, lives, forget }) => {
  const params = z.object({ workspaceId, catalogId })

  app.delete(
    '/catalogs/:catalogId',
    {
      config: { action: 'catalogs:write' },
      schema: {
        summary: 'Delete a catalog',
        description: `It is gone from every read at once, and what runs on it is stopped; the job takes its products out one by one. For ${days} days, until \`restorableUntil\`, it can be brought back. The default catalog of a brand goes last.`,
        tags,
        errors: ['CATALOG_NOT_FOUND', 'CONFLICT'],
        examples: {
          answer: { catalogId: exampleIds.catalogId, restorableUntil: exampleUntil, job: { id: exampleIds.jobId } },
        },
        params,
        response: { 202: z.object({ catalogId, restorableUntil: until, job: z.object({ id: z.uuid() }) }) },
      },
    },
    async (request, reply) => {
      const bearer = bearerOf(request)
      const id = request.params.catalogId
      if (!(await catalog.withTenant(principalOf(bearer), (tx) => findCatalog(tx, id)))) throw notFound()
      const removed = await lives.remove(id, { subject: bearer.subject, requestId: request.id })
      if (removed.kind !== 'begun') throw refusal(removed)
      forget.catalogs()
      const restorableUntil = removed.until.toISOString()
      return reply.code(202).send({ catalogId: id, restorableUntil, job: { id: removed.job } })
    },
  )

  app.post(
    '/catalogs/:catalogId/undelete',
    {
      config: { action: 'catalogs:write' },
      schema: {
        summary: 'Bring a deleted catalog back',
        description:
          'It is there again when the job has ended: its products as they were, without those that were deleted before it, and its published version.',
        tags,
        errors: ['CATALOG_NOT_FOUND', 'CONFLICT', 'JOB_ALREADY_RUNNING', { code: 'NOT_FOUND', status: 410 }],
        examples: { body: {}, answer: { job: { id: exampleIds.jobId } } },
        params,
        body: z.strictObject({ brand_id: brandId.optional() }).nullish(),
        response: { 202: z.object({ job: z.object({ id: z.uuid() }) }) },
      },
    },
    async (request, reply) => {
      const bearer = bearerOf(request)
      const id = request.params.catalogId
      if (!(await catalog.withTenant(principalOf(bearer), (tx) => isDeletedCatalog(tx, id)))) {
        const there = await catalog.withTenant(principalOf(bearer), (tx) => findCatalog(tx, id))
        throw there ? new ServiceError('CONFLICT', { message: 'The catalog is not deleted' }) : notFound()
      }
      const begun = await lives.bringBack(id, { subject: bearer.subject, requestId: request.id })
      if (begun.kind !== 'begun') throw refusal(begun)
      return reply.code(202).send({ job: { id: begun.job } })
    },
  )
}

const notFound = () => new ServiceError('CATALOG_NOT_FOUND', { field: 'catalogId' })

function refusal(changed: Exclude<Changed, { kind: 'begun' }>): ServiceError {
  if (changed.kind === 'gone') return notFound()
  if (changed.kind === 'running')
    return new ServiceError('JOB_ALREADY_RUNNING', {
      message: `The catalog is being brought back by job ${changed.job}`,
    })
  if (changed.kind === 'expired')
    return new ServiceError('NOT_FOUND', {
      status: 410,
      message: `The catalog was deleted; it could be brought back until ${changed.until.toISOString()}`,
    })
  return new ServiceError('CONFLICT', { message: conflicts[changed.kind] })
}

const conflicts = {
  default: 'This is the default catalog of its brand; make another one the default first, or delete the others',
  brandless: 'The brand of this catalog was removed',
} as const
