/** POST …/catalogs/{catalogId}/verify: folds, refines and grades products anew from the log, and tells where what is stored differs. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Notify } from '../../infra/catalog/job-table.ts'
import type { Catalog } from '../../infra/catalog/postgres.ts'
import { findCatalog } from '../../infra/catalog/tenants.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { brandId, catalogId, workspaceId } from '../../schemas/ids.ts'
import { bearerOf, principalOf } from '../plugins/access.ts'
import { exampleIds } from './examples.ts'
import { notifyOf } from './notify-of.ts'

export interface VerifyPorts {
  readonly catalog: Pick<Catalog, 'withTenant'>
  /** Starts the job. @param order.sample so many products; null: all */
  readonly verify: (order: {
    workspace: string
    brand: string
    catalog: string
    sample: number | null
    by: string
    notify: Notify | null
  }) => Promise<string>
}

const usualSample = 1_000

const body = z
  .strictObject({
    sample: z.int().min(1).max(1_000_000).optional(),
    all: z.literal(true).optional(),
    notify_email: z.boolean().optional(),
    brand_id: brandId.optional(),
  })
  .refine(({ sample, all }) => sample === undefined || all === undefined, {
    message: 'Send sample or all, and not both',
    path: ['sample'],
  })
  .nullish()

export const verify: FastifyPluginAsyncZod<VerifyPorts> = async (app, { catalog, verify: start }) => {
  app.post(
    '/catalogs/:catalogId/verify',
    {
      config: { action: 'catalogs:write' },
      schema: {
        summary: 'Verify a catalog',
        description:
          'Folds products anew from the log, refines and grades them under the settings that they name, and compares value by value; ' +
          `nothing is changed. Looks at \`sample\` products, ${usualSample.toLocaleString('en-US')} unless said, or at \`all\`. ` +
          'The result of the job counts `compared`, `equal`, `differing`, `stale` (made by a rubric or settings that cannot be asked again) and `unsure` ' +
          '(the log has lost records that may have been of them; `holes` says which offsets), ' +
          'and names up to 100 that differ with the first step that does. Of all it also counts as `lost`, among those that differ, the ' +
          'products that the log has and the catalog has no row of, and names up to 100 of them in `lostProducts`.',
        tags: ['Catalogs'],
        errors: ['CATALOG_NOT_FOUND'],
        examples: { body: { sample: 500 }, answer: { job: { id: exampleIds.jobId } } },
        params: z.object({ workspaceId, catalogId }),
        body,
        response: { 202: z.object({ job: z.object({ id: z.uuid() }) }) },
      },
    },
    async (request, reply) => {
      const bearer = bearerOf(request)
      const { sample = usualSample, all, notify_email } = request.body ?? {}
      const row = await catalog.withTenant(principalOf(bearer), (tx) => findCatalog(tx, request.params.catalogId))
      if (!row) throw new ServiceError('CATALOG_NOT_FOUND', { field: 'catalogId' })
      const notify = await notifyOf(catalog, bearer, notify_email)
      const id = await start({
        ...{ workspace: row.workspaceId, brand: row.brandId, catalog: row.id },
        ...{ sample: all ? null : sample, by: bearer.subject, notify },
      })
      return reply.code(202).send({ job: { id } })
    },
  )
}
