/** Copies of catalogs: a fork is a new catalog on a version of another; a restore takes a catalog back to a version of its own. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Notify } from '../../infra/catalog/job-table.ts'
import type { Catalog } from '../../infra/catalog/postgres.ts'
import { type CatalogRow, findCatalog } from '../../infra/catalog/tenants.ts'
import { displayName } from '../../schemas/display-name.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { brandId, catalogId, jobId, workspaceId } from '../../schemas/ids.ts'
import { bearerOf, principalOf } from '../plugins/access.ts'
import { versionNumber } from '../whole-number.ts'
import { exampleIds } from './examples.ts'
import { keptVersion, versionErrors } from './kept-version.ts'
import { notifyOf } from './notify-of.ts'
import type { ProductRoom } from './product-ports.ts'

export interface ForkPorts {
  readonly room: Pick<ProductRoom, 'take' | 'giveBack'>
  readonly catalog: Pick<Catalog, 'withTenant'>
  readonly fork: (order: {
    workspace: string
    brand: string
    name: string
    by: string
    base: string
    version: number
    notify: Notify | null
  }) => Promise<{ job: string; catalog: string }>
  /** @returns the job */
  readonly restore: (row: CatalogRow, version: number, by: string, notify: Notify | null) => Promise<string>
}

const version = z.int().min(1)
const started = z.object({ job: z.object({ id: jobId }) })

export const forks: FastifyPluginAsyncZod<ForkPorts> = async (app, { catalog, room, fork, restore }) => {
  const tags = ['Catalogs']

  app.post(
    '/catalogs/:catalogId/fork',
    {
      config: { action: 'catalogs:write' },
      schema: {
        summary: 'Fork a catalog',
        description:
          'Makes a catalog of its own of a version: the published one, or any that is kept; in the same brand. Its products are in the working catalog; publish it when it is right.',
        tags,
        errors: ['CATALOG_NOT_FOUND', 'CATALOG_NOT_PUBLISHED', 'PLAN_LIMIT', ...versionErrors],
        examples: {
          body: { name: 'Autumn, for the outlet' },
          answer: { job: { id: exampleIds.jobId }, catalog: { id: exampleIds.catalogId } },
        },
        params: z.object({ workspaceId, catalogId }),
        body: z.strictObject({
          name: displayName,
          version: version.optional(),
          notify_email: z.boolean().optional(),
          brand_id: brandId.optional(),
        }),
        response: { 202: started.extend({ catalog: z.object({ id: catalogId }) }) },
      },
    },
    async (request, reply) => {
      const bearer = bearerOf(request)
      const { name, notify_email } = request.body
      const notify = await notifyOf(catalog, bearer, notify_email)
      const order = await catalog.withTenant(principalOf(bearer), async (tx) => {
        const row = await findCatalog(tx, request.params.catalogId)
        if (!row) throw new ServiceError('CATALOG_NOT_FOUND', { field: 'catalogId' })
        const of = request.body.version ?? row.publishedVersion
        if (of === 0) throw new ServiceError('CATALOG_NOT_PUBLISHED')
        await keptVersion(tx, row, of, 'version')
        return {
          workspace: bearer.workspace,
          brand: row.brandId,
          name,
          by: bearer.subject,
          base: row.id,
          version: of,
          notify,
        }
      })
      // A plan that is full takes no fork; how many products it has is not counted for this.
      await room.take(bearer.workspace)
      room.giveBack(bearer.workspace)
      const made = await fork(order)
      return reply.code(202).send({ job: { id: made.job }, catalog: { id: made.catalog } })
    },
  )

  app.post(
    '/catalogs/:catalogId/versions/:version/restore',
    {
      config: { action: 'catalogs:write' },
      schema: {
        summary: 'Restore a version',
        description:
          'Edits every product that differs from the version back to it, removes what came since, brings back what went, and publishes that.',
        tags,
        errors: ['CATALOG_NOT_FOUND', ...versionErrors],
        examples: { params: { version: 3 }, body: {}, answer: { job: { id: exampleIds.jobId } } },
        params: z.object({
          workspaceId,
          catalogId,
          version: versionNumber,
        }),
        body: z.strictObject({ notify_email: z.boolean().optional(), brand_id: brandId.optional() }).nullish(),
        response: { 202: started },
      },
    },
    async (request, reply) => {
      const bearer = bearerOf(request)
      const { catalogId: id, version: of } = request.params
      const row = await catalog.withTenant(principalOf(bearer), async (tx) => {
        const found = await findCatalog(tx, id)
        if (!found) throw new ServiceError('CATALOG_NOT_FOUND', { field: 'catalogId' })
        await keptVersion(tx, found, of, 'version')
        return found
      })
      const notify = await notifyOf(catalog, bearer, request.body?.notify_email)
      return reply.code(202).send({ job: { id: await restore(row, of, bearer.subject, notify) } })
    },
  )
}
