/** GET …/search/analytics: what was searched for, found nothing, led nowhere, was opened, asked next and filtered by. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { SearchAnalytics } from '../../infra/events/search-analytics.ts'
import { workspaceId } from '../../schemas/ids.ts'
import { searchAnalyticsAnswer } from '../../schemas/search-analytics.ts'
import { openedWithinMinutes, refinedWithinMinutes } from '../../schemas/search-event.ts'
import type { truth } from '../../schemas/truth.ts'
import { bearerOf } from '../plugins/access.ts'
import type { AnalyticsPorts } from './analytics-ports.ts'
import { analyticsQuery, analyticsSays, askedFrom, isFresh, saidText } from './analytics-query.ts'
import { analyticsScope } from './analytics-scope.ts'
import { exampleSearches } from './examples.ts'
import { keptAnalytics } from './kept-analytics.ts'

const description = [
  `The queries that were searched for most, that found nothing most, and of whose finds nothing was opened most; the places at which products were opened (101 stands for all beyond 100, null for what is not known); what the same session asked next, within ${refinedWithinMinutes} minutes; what was filtered by, each with its five commonest values; and all figures by channel and agent. Queries are told apart without case, accents and surplus space, and shown as they were typed most often; \`query\` narrows all of it to one.`,
  `What is opened is a \`product_view\`: of the search that its \`metadata.search_id\` names, at \`metadata.position\`, else where that search showed it; without an id, of the last search of its \`session_id\` that showed the product, at most ${openedWithinMinutes} minutes before. A search counts once, however many of its pages were read.`,
  analyticsSays,
].join('\n\n')

type Answer = Omit<z.infer<typeof searchAnalyticsAnswer>, keyof z.infer<typeof truth>>

export const searchAnalytics: FastifyPluginAsyncZod<AnalyticsPorts> = async (app, ports) => {
  const answer = keptAnalytics<Answer>(ports)
  app.get(
    '/search/analytics',
    {
      config: { action: 'dashboards:read' },
      schema: {
        ...{ summary: 'What came of searches', description, tags: ['Search'], errors: ['CATALOG_NOT_FOUND'] },
        examples: { query: { time_window_days: 7, channel: 'tools' }, answer: exampleSearches },
        params: z.object({ workspaceId }),
        querystring: analyticsQuery.extend({ query: saidText.optional() }),
        response: { 200: searchAnalyticsAnswer },
      },
    },
    async (request, reply) => {
      const tenant = await analyticsScope(ports.catalog, bearerOf(request), request.query.catalog_id)
      const asked = { ...askedFrom(request.query), query: request.query.query ?? null }
      return answer(reply, {
        ...{ tenant, asked, isFresh: isFresh(request.query) },
        make: async (scope, at, signal) => toAnswer(await ports.analytics.searches(asked, scope, at, signal)),
      })
    },
  )
}

function toAnswer({ totals, lists, positions, refinements, filters, channels, rowsRead }: SearchAnalytics) {
  const { searches, clicks, mean_position: mean } = totals
  return {
    ...{ totals, rowsRead },
    ...{ top_queries: [...lists.searches], zero_hits: [...lists.zero_hits], no_click: [...lists.no_click] },
    click_positions: { clicks, mean, positions: positions.map((one) => ({ ...one, share: one.clicks / clicks })) },
    refinements: [...refinements],
    filters: filters.map((one) => ({ ...one, share: one.searches / searches, values: [...one.values] })),
    channels: [...channels],
  }
}
