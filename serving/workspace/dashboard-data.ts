/** GET …/dashboards/{id}/data: all widgets of a dashboard from one snapshot of the events, streamed as they are answered. */
import { Readable } from 'node:stream'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Catalog } from '../../infra/catalog/postgres.ts'
import { listWidgets } from '../../infra/catalog/widgets.ts'
import { catalogId, dashboardId, workspaceId } from '../../schemas/ids.ts'
import { dashboardLine } from '../../schemas/tile.ts'
import { bearerOf, principalOf } from '../plugins/access.ts'
import { exampleWidget } from './dashboard-resource.ts'
import { dashboardScope } from './dashboard-scope.ts'
import { dashboardLines } from './dashboard-stream.ts'
import type { TilePorts } from './tile-ports.ts'
import { untilGone } from './until-gone.ts'
import type { ViewOf } from './views-kept.ts'

const label = { generated_at: '2026-11-28T10:00:00.000Z', lag: 0, snapshot: 'kQ2vX0c9mB7tLr4eZp1wYA' }
const exampleLine = {
  widget: { id: exampleWidget.id, title: exampleWidget.title, type: exampleWidget.definition.type },
  data: { rows: [{ key: null, value: 31 }] },
  cache_hit: false,
}

interface Ports extends TilePorts {
  readonly catalog: Pick<Catalog, 'withTenant'>
  readonly viewOf: ViewOf
}

export const dashboardData: FastifyPluginAsyncZod<Ports> = async (app, { catalog, tiles, viewOf }) => {
  app.get(
    '/dashboards/:dashboardId/data',
    {
      config: { action: 'dashboards:read', long: true },
      schema: {
        summary: 'Answer the widgets of a dashboard',
        description: `As NDJSON. The first line is \`{ dashboard, ${Object.keys(label).join(', ')} }\`, the last \`{ end: { answered, failed }, … , watermark, rows_read }\`; between them is a line for each widget, those that are there first coming first: \`{ widget, data }\`, or \`{ widget, failed: { code, message } }\` where it could not be answered, which is never shown as empty. All of them count the same events, those that \`snapshot\` names, whatever comes meanwhile, and their days end at the same instant, so that they add up. For 60 seconds the same view is given again to whoever looks at the brand; \`fresh=true\` makes a new one where events came since. \`catalog_id\` or \`X-Active-Catalog\` narrows it to a catalog. What cannot go on ends with \`{ error, code: 'STREAM_ERROR' }\`; what has no last line was cut off.`,
        tags: ['Dashboards'],
        errors: ['NOT_FOUND', 'CATALOG_NOT_FOUND'],
        examples: { query: { fresh: 'true' } },
        params: z.object({ workspaceId, dashboardId }),
        querystring: z.object({ fresh: z.enum(['true', 'false']).optional(), catalog_id: catalogId.optional() }),
        answers: { 200: { type: 'application/x-ndjson', schema: dashboardLine, example: exampleLine } },
      },
    },
    async (request, reply) => {
      const bearer = bearerOf(request)
      const { fresh, catalog_id } = request.query
      const { dashboard, scope, widgets } = await catalog.withTenant(principalOf(bearer), async (tx) => {
        const found = await dashboardScope(tx, bearer, request.params.dashboardId, catalog_id)
        return { ...found, widgets: await listWidgets(tx, found.dashboard.id) }
      })
      reply.type('application/x-ndjson; charset=utf-8')
      if (request.method === 'HEAD') return reply.send(Readable.from([]))
      const view = await viewOf(JSON.stringify(scope), fresh === 'true')
      const order = { dashboard, widgets, scope, view, signal: untilGone(reply) }
      const lines = dashboardLines(tiles, {
        ...order,
        onError: (err) => request.log.error({ err, dashboard: dashboard.id }, 'a dashboard was not answered'),
      })
      return reply.send(Readable.from(asText(lines), { highWaterMark: 1 }))
    },
  )
}

async function* asText(lines: AsyncIterable<object>): AsyncGenerator<string> {
  for await (const line of lines) yield `${JSON.stringify(line)}\n`
}
