/** POST …/catalogs/{catalogId}/webhooks/dispatch: a full push of the published catalog to its webhooks. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { PoolClient } from 'pg'
import { z } from 'zod'
import type { Catalog } from '../../infra/catalog/postgres.ts'
import { type CatalogRow, findCatalog } from '../../infra/catalog/tenants.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { brandId, webhookId } from '../../schemas/ids.ts'
import { mostWebhooks } from '../../schemas/webhook.ts'
import { bearerOf, principalOf } from '../plugins/access.ts'
import { exampleIds } from '../workspace/examples.ts'
import { recordChange } from '../workspace/record-change.ts'
import { catalogChannel } from './channel.ts'

export interface DispatchPorts {
  readonly catalog: Pick<Catalog, 'withTenant'>
  /**
   * Starts a full push as a job.
   * @param ids null: to all that take one @param and part of the transaction
   * @throws ServiceError 404 where the catalog has none that takes one
   */
  readonly dispatch: (
    row: CatalogRow,
    ids: readonly string[] | null,
    by: string,
    and: (tx: PoolClient, job: string, webhooks: number) => Promise<void>,
  ) => Promise<string>
}

export const deltaDispatch: FastifyPluginAsyncZod<DispatchPorts> = async (app, { catalog, dispatch }) => {
  const { path, tags, params } = catalogChannel
  app.post(
    `${path}/dispatch`,
    {
      config: { action: 'webhooks:write' },
      schema: {
        summary: 'Push the whole published catalog to its webhooks',
        description:
          'In parts, with `full: true` and every product in `added`: what a receiver has beside them is gone. It goes before what was published since, which follows behind it, and makes a webhook active again that was left behind. The job is completed when each webhook has acknowledged all parts, or an attempt has failed, after which its retries go on without the job.',
        tags,
        errors: ['CATALOG_NOT_FOUND', 'NOT_FOUND'],
        examples: { body: {}, answer: { job: { id: exampleIds.jobId } } },
        params,
        body: z
          .strictObject({
            webhook_ids: z.array(webhookId).min(1).max(mostWebhooks).optional(),
            brand_id: brandId.optional(),
          })
          .nullish(),
        response: { 202: z.object({ job: z.object({ id: z.uuid() }) }) },
      },
    },
    async (request, reply) => {
      const bearer = bearerOf(request)
      const { catalogId } = request.params as { catalogId: string }
      const row = await catalog.withTenant(principalOf(bearer), (tx) => findCatalog(tx, catalogId))
      if (!row) throw new ServiceError('CATALOG_NOT_FOUND', { field: 'catalogId' })
      const ids = request.body?.webhook_ids ?? null
      const job = await dispatch(row, ids, bearer.subject, (tx, id, webhooks) =>
        recordChange(tx, request, {
          ...{ action: 'webhook.dispatch', target: row.id, brand: row.brandId, before: null },
          after: { job: id, webhooks },
        }),
      )
      return reply.code(202).send({ job: { id: job } })
    },
  )
}
