/** GET and POST /api/v1/feeds/{platform}/validation: which products a platform would refuse, for what, and what would mend it. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { ConfigSettings } from '../../infra/catalog/feed-configs.ts'
import type { Notify } from '../../infra/catalog/job-table.ts'
import { catalogId, jobId } from '../../schemas/ids.ts'
import { listQuery } from '../cursor.ts'
import { bearerOf, principalOf } from '../plugins/access.ts'
import { exampleIds } from '../workspace/examples.ts'
import { notifyOf } from '../workspace/notify-of.ts'
import { chooseFeed } from './choose-feed.ts'
import type { FeedPorts } from './feed-ports.ts'
import { tags } from './feed-route.ts'
import { feedOrder, namedCatalog, ofCatalog } from './named-catalog.ts'
import { validationPage, validationResource } from './validation-page.ts'

const exampleProblem = {
  field: 'image_link',
  rule: 'required, http or https, at most 2000 characters',
  reason: '"htp:/broken" is no web address',
  fix: 'the image address must start with http:// or https:// and a host',
  severity: 'error' as const,
  source: 'https://support.google.com/merchants/answer/12472547',
}

export interface ValidationPorts {
  /** @returns the job @throws ServiceError where one is at it */
  readonly validateFeed: (order: {
    workspace: string
    brand: string
    catalog: string
    settings: ConfigSettings
    by: string
    notify: Notify | null
  }) => Promise<string>
}

export const feedValidation: FastifyPluginAsyncZod<FeedPorts & ValidationPorts> = async (
  app,
  { catalog, feeds, validateFeed },
) => {
  app.post(
    '/api/v1/feeds/:platform/validation',
    {
      config: { action: 'mcp:feed:read', channel: 'feed' },
      schema: {
        summary: 'Validate a feed as a job',
        description:
          'Makes the lines of the published version, counts what is refused and by which fields, and tells `feed.validated` to webhooks; the report itself is read with GET.',
        tags,
        errors: ['FEED_001', 'FEED_002', 'DATA_002', 'JOB_ALREADY_RUNNING'],
        examples: { body: {}, answer: { job: { id: exampleIds.jobId } } },
        params: z.object({ platform: z.string().max(50) }),
        querystring: ofCatalog,
        body: feedOrder.nullish(),
        response: { 202: z.object({ job: z.object({ id: jobId }) }) },
      },
    },
    async (request, reply) => {
      const bearer = bearerOf(request)
      const { row, settings } = await catalog.withTenant(principalOf(bearer), (tx) =>
        chooseFeed(tx, bearer, request.params.platform, namedCatalog(request)),
      )
      const notify = await notifyOf(catalog, bearer, request.body?.notify_email)
      const place = { workspace: row.workspaceId, brand: row.brandId, catalog: row.id }
      const id = await validateFeed({ ...place, settings, by: bearer.subject, notify })
      return reply.code(202).send({ job: { id } })
    },
  )

  app.get(
    '/api/v1/feeds/:platform/validation',
    {
      config: { action: 'mcp:feed:read', channel: 'feed', long: true },
      schema: {
        summary: 'Which products a platform would refuse, and why',
        description:
          'Of the published version as the feed has it: products that are left out, in pages, each with all that the platform refuses it for, the rule as the platform has it, and what would mend it. `counts` come with the first page.',
        tags,
        errors: ['FEED_001', 'FEED_002', 'DATA_002'],
        examples: {
          query: { limit: 50 },
          answer: {
            ...{ platform: 'google', profileVersion: 4, catalogId: exampleIds.catalogId, version: 2, next: null },
            counts: { valid: 2, refused: 1 },
            products: [
              { productId: exampleIds.productId, sku: 'P-2', title: 'Enamel mug', problems: [exampleProblem] },
            ],
          },
        },
        params: z.object({ platform: z.string().max(50) }),
        querystring: listQuery.extend({ catalog_id: catalogId.optional() }),
        response: {
          200: validationResource,
        },
      },
    },
    async (request) => {
      const { catalog_id, after, limit } = request.query
      const { platform } = request.params
      return validationPage({ catalog, feeds }, bearerOf(request), { platform, catalog: catalog_id, after, limit })
    },
  )
}
