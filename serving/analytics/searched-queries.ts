/** GET …/search/analytics/queries: all queries of a time, page by page. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { QueryPlace } from '../../infra/events/searched-queries.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { workspaceId } from '../../schemas/ids.ts'
import { queryOrders, searchedQueriesAnswer } from '../../schemas/search-analytics.ts'
import type { truth } from '../../schemas/truth.ts'
import { nextTextCursor, readTextCursor } from '../cursor.ts'
import { bearerOf } from '../plugins/access.ts'
import type { AnalyticsPorts } from './analytics-ports.ts'
import { analyticsQuery, analyticsSays, askedFrom, isFresh } from './analytics-query.ts'
import { analyticsScope } from './analytics-scope.ts'
import { exampleQuery, exampleTruth } from './examples.ts'
import { keptAnalytics } from './kept-analytics.ts'

/** When the first page was asked for, what the list is in order of, how often the last query was that, and the query. */
const place = new RegExp(`^(\\d{13}):(${queryOrders.join('|')}):(\\d{1,15}):(.{1,4000})$`, 's')

type Answer = Omit<z.infer<typeof searchedQueriesAnswer>, keyof z.infer<typeof truth>>

export const searchedQueries: FastifyPluginAsyncZod<AnalyticsPorts> = async (app, ports) => {
  const answer = keptAnalytics<Answer>(ports)
  app.get(
    '/search/analytics/queries',
    {
      config: { action: 'dashboards:read' },
      schema: {
        summary: 'All queries that were searched for',
        description: `In order of \`sort\`: how often they were searched for, found nothing (\`zero_hits\`), or found something of which nothing was opened (\`no_click\`); those that never did are left out. Pages are of the events that had come when the first one was asked for. ${analyticsSays}`,
        tags: ['Search'],
        errors: ['CATALOG_NOT_FOUND'],
        examples: { query: { sort: 'zero_hits' }, answer: { queries: [exampleQuery], next: null, ...exampleTruth } },
        params: z.object({ workspaceId }),
        querystring: analyticsQuery.extend({
          sort: z.enum(queryOrders).default('searches'),
          after: z.string().max(8_000).optional(),
        }),
        response: { 200: searchedQueriesAnswer },
      },
    },
    async (request, reply) => {
      const { sort: order, catalog_id } = request.query
      const tenant = await analyticsScope(ports.catalog, bearerOf(request), catalog_id)
      const { at, after } = placeOf(request.query.after, order)
      const asked = { ...askedFrom(request.query), query: null, order, after }
      return answer(reply, {
        ...{ tenant, asked, isFresh: isFresh(request.query), ...(at && { at }) },
        make: async (scope, since, signal) => {
          const { queries, next, rowsRead } = await ports.analytics.queries(asked, scope, since, signal)
          const text = next && `${since.getTime()}:${order}:${next.times}:${next.key}`
          return { queries: [...queries], next: text === null ? null : nextTextCursor([text, ''], 1), rowsRead }
        },
      })
    },
  )
}

function placeOf(
  text: string | undefined,
  order: string,
): { readonly at: Date | null; readonly after: QueryPlace | null } {
  const found = place.exec(readTextCursor(text, place) ?? '')
  if (!found) return { at: null, after: null }
  const [, ms, of, times, key = ''] = found
  if (of !== order)
    throw new ServiceError('INVALID_REQUEST', { message: 'after is a cursor of another order', field: 'after' })
  return { at: new Date(Number(ms)), after: { times: Number(times), key } }
}
