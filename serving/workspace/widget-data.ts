/** GET …/widgets/{id}/data: one widget of a dashboard, of the same view as its dashboard, as JSON or as a file. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Catalog } from '../../infra/catalog/postgres.ts'
import { findWidget } from '../../infra/catalog/widgets.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { catalogId, dashboardId, widgetId, workspaceId } from '../../schemas/ids.ts'
import { tileData, tileWidget, truthLabel } from '../../schemas/tile.ts'
import { tileTable } from '../../transforms/events/tile-table.ts'
import { bearerOf, principalOf } from '../plugins/access.ts'
import { askedFormat } from './asked-format.ts'
import { exampleWidget, widgetNotFound } from './dashboard-resource.ts'
import { dashboardScope } from './dashboard-scope.ts'
import { answerTile } from './dashboard-stream.ts'
import { sendTable, type TablePorts, tableFormat, tableMedia, tableSays } from './send-table.ts'
import type { TilePorts } from './tile-ports.ts'
import { untilGone } from './until-gone.ts'
import type { ViewOf } from './views-kept.ts'

const answer = z.object({ widget: tileWidget, data: tileData, cache_hit: z.boolean(), ...truthLabel.shape })
const example = {
  widget: { id: exampleWidget.id, title: exampleWidget.title, type: exampleWidget.definition.type },
  data: { rows: [{ key: null, value: 31 }] },
  cache_hit: false,
  generated_at: '2026-11-28T10:00:00.000Z',
  watermark: '2026-11-28T09:59:58.120Z',
  lag: 0,
  snapshot: 'kQ2vX0c9mB7tLr4eZp1wYA',
  rows_read: 4210,
}

interface Ports extends TilePorts, TablePorts {
  readonly catalog: Pick<Catalog, 'withTenant'>
  readonly viewOf: ViewOf
}

export const widgetData: FastifyPluginAsyncZod<Ports> = async (app, { catalog, tiles, viewOf, writeTable }) => {
  app.get(
    '/dashboards/:dashboardId/widgets/:widgetId/data',
    {
      config: { action: 'dashboards:read' },
      schema: {
        summary: 'Answer one widget',
        description: `Of the view that its dashboard has, which is given again for 60 seconds; \`fresh=true\` makes a new one where events came since. ${tableSays} Of a funnel there is a row for each step of the whole, then of each group.`,
        tags: ['Dashboards'],
        errors: ['NOT_FOUND', 'CATALOG_NOT_FOUND'],
        examples: { query: { fresh: 'true' } },
        params: z.object({ workspaceId, dashboardId, widgetId }),
        querystring: z.object({
          fresh: z.enum(['true', 'false']).optional(),
          catalog_id: catalogId.optional(),
          format: tableFormat.optional(),
        }),
        response: { 200: answer },
        answers: { 200: [{ type: 'application/json', schema: answer, example }, ...tableMedia] },
      },
    },
    async (request, reply) => {
      const bearer = bearerOf(request)
      const { fresh, catalog_id, format } = request.query
      const { dashboardId, widgetId } = request.params
      const { scope, row } = await catalog.withTenant(principalOf(bearer), async (tx) => {
        const row = await findWidget(tx, dashboardId, widgetId)
        if (!row) throw widgetNotFound()
        return { row, scope: (await dashboardScope(tx, bearer, dashboardId, catalog_id)).scope }
      })
      const view = await viewOf(JSON.stringify(scope), fresh === 'true')
      const signal = untilGone(reply)
      const [{ tile, hit }, newest] = await Promise.all([
        answerTile(tiles, row.definition, { scope, view, signal }),
        tiles.newest({ ...scope, upTo: view.snapshot.upTo }, signal),
      ]).catch((cause: unknown) => {
        const known = tiles.failureOf(cause)
        if (known?.code !== 'INVALID_REQUEST') throw cause
        throw new ServiceError('INVALID_REQUEST', { message: known.message, cause })
      })
      const label = {
        generated_at: view.at.toISOString(),
        watermark: newest?.toISOString() ?? null,
        lag: view.snapshot.lag,
        snapshot: view.snapshot.text,
      }
      const asked = askedFormat(format, request.headers.accept)
      if (asked === null) {
        const widget = { id: row.id, title: row.title, type: row.definition.type }
        return reply.send({ widget, data: tile.data, cache_hit: hit, ...label, rows_read: tile.rowsRead })
      }
      return sendTable(reply, { writeTable }, { name: row.title, format: asked, table: tileTable(tile.data), label })
    },
  )
}
