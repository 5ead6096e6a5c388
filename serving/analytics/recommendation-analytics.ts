/** GET …/recommendations/analytics: what was recommended, opened, put into a cart and ordered. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { workspaceId } from '../../schemas/ids.ts'
import { recommendationAnalyticsAnswer } from '../../schemas/recommendation-analytics.ts'
import { boughtWithinHours } from '../../schemas/search-event.ts'
import type { truth } from '../../schemas/truth.ts'
import { bearerOf } from '../plugins/access.ts'
import type { AnalyticsPorts } from './analytics-ports.ts'
import { analyticsQuery, analyticsSays, askedFrom, isFresh, saidText } from './analytics-query.ts'
import { analyticsScope } from './analytics-scope.ts'
import { exampleRecommendations } from './examples.ts'
import { keptAnalytics } from './kept-analytics.ts'

const description = [
  'Lists that were shown (`recommendation_shown`, its `product_ids` in order) and products of them that were opened (`recommendation_click`), joined by `metadata.recommendation_id`; by method, product, position (101 stands for all beyond 100, null for what is not known), channel, agent and day. Of products and positions `shown` counts showings, and `click_through` is the share of them that were opened. An answer of `GET /api/v1/recommendations` is a list for each method that gave products. A click counts for the first list of its id that showed the product, under what that list says of itself; one whose list is not known counts among the clicks, under what it says, and in no share.',
  `\`add_to_cart\` and \`order\` count once for each product that had been opened from a recommendation at most ${boughtWithinHours} hours before, for the last such click of the same \`metadata.recommendation_id\`, session or customer.`,
  analyticsSays,
].join('\n\n')

type Answer = Omit<z.infer<typeof recommendationAnalyticsAnswer>, keyof z.infer<typeof truth>>

export const recommendationAnalytics: FastifyPluginAsyncZod<AnalyticsPorts> = async (app, ports) => {
  const answer = keptAnalytics<Answer>(ports)
  app.get(
    '/recommendations/analytics',
    {
      config: { action: 'dashboards:read' },
      schema: {
        ...{ summary: 'What came of recommendations', description, tags: ['Search'], errors: ['CATALOG_NOT_FOUND'] },
        examples: { query: { time_window_days: 7, method: 'together' }, answer: exampleRecommendations },
        params: z.object({ workspaceId }),
        querystring: analyticsQuery.extend({ method: saidText.optional() }),
        response: { 200: recommendationAnalyticsAnswer },
      },
    },
    async (request, reply) => {
      const tenant = await analyticsScope(ports.catalog, bearerOf(request), request.query.catalog_id)
      const asked = { ...askedFrom(request.query), method: request.query.method ?? null }
      return answer(reply, {
        ...{ tenant, asked, isFresh: isFresh(request.query) },
        make: async (scope, at, signal) => {
          const told = await ports.analytics.recommendations(asked, scope, at, signal)
          const { totals, methods, products, positions, channels, days, rowsRead } = told
          return {
            ...{ totals, rowsRead, methods: [...methods], products: [...products] },
            ...{ positions: [...positions], channels: [...channels], days: [...days] },
          }
        },
      })
    },
  )
}
