/** GET /api/v1/feeds/{platform}/analytics: how a feed was read, from the events of its reads. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Catalog } from '../../infra/catalog/postgres.ts'
import type { ReadScope, Reads } from '../../infra/events/feed-reads.ts'
import { catalogId } from '../../schemas/ids.ts'
import { daysAfter, utcDay } from '../../schemas/utc-day.ts'
import { bearerOf, principalOf } from '../plugins/access.ts'
import { wholeNumber } from '../whole-number.ts'
import { exampleIds } from '../workspace/examples.ts'
import { chooseFeed } from './choose-feed.ts'
import type { FeedPorts } from './feed-ports.ts'
import { tags } from './feed-route.ts'

export interface AnalyticsPorts extends Pick<FeedPorts, 'now'> {
  readonly catalog: Pick<Catalog, 'withTenant'>
  readonly feedReads: (
    scope: ReadScope,
  ) => Promise<Reads & { readonly consumers: readonly (Reads & { readonly consumer: string })[] }>
}

const reads = z.object({
  reads: z.int(),
  /** That came to their end. */
  complete: z.int(),
  lines: z.int(),
  bytes: z.int(),
  errors: z.int(),
  lastAt: z.iso.datetime().nullable(),
  lastPosition: z.string().nullable(),
})

const example = {
  ...{ reads: 48, complete: 47, lines: 22_464, bytes: 19_400_000, errors: 0 },
  ...{ lastAt: '2026-11-27T09:59:58.120Z', lastPosition: `t.3.7.${exampleIds.productId}` },
}

export const feedAnalytics: FastifyPluginAsyncZod<AnalyticsPorts> = async (app, { catalog, feedReads, now }) => {
  app.get(
    '/api/v1/feeds/:platform/analytics',
    {
      config: { action: 'mcp:feed:read', channel: 'feed' },
      schema: {
        summary: 'How a feed was read',
        description:
          'In so many days of UTC, today among them: reads, those that came to their end, lines and bytes (before any encoding) that were sent, and reads that broke off or were refused on this side. `consumers` are named by their user agents; those whom nobody knows are together under an empty name. Reads show within seconds.',
        tags,
        errors: ['FEED_001', 'FEED_002', 'DATA_002'],
        examples: {
          query: { days: 7 },
          answer: {
            ...{ platform: 'google', catalogId: exampleIds.catalogId, days: 7, ...example },
            consumers: [{ consumer: 'OpenAI', ...example }],
          },
        },
        params: z.object({ platform: z.string().max(50) }),
        querystring: z.object({ catalog_id: catalogId.optional(), days: wholeNumber(1, 365).default(30) }),
        response: {
          200: reads.extend({
            platform: z.string(),
            catalogId: z.uuid(),
            days: z.int(),
            consumers: z.array(reads.extend({ consumer: z.string() })),
          }),
        },
      },
    },
    async (request) => {
      const bearer = bearerOf(request)
      const { catalog_id, days } = request.query
      const { row, profile } = await catalog.withTenant(principalOf(bearer), (tx) =>
        chooseFeed(tx, bearer, request.params.platform, catalog_id),
      )
      const at = now()
      const told = await feedReads({
        ...{ workspace: row.workspaceId, brand: row.brandId, catalog: row.id, isDefault: row.isDefault },
        ...{ platform: profile.platform, from: daysAfter(utcDay(at), 1 - days), now: at },
      })
      return { platform: profile.platform, catalogId: row.id, days, ...told, consumers: [...told.consumers] }
    },
  )
}
