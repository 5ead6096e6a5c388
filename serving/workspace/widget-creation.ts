/** Makes widgets of a dashboard: from a definition, or as a copy of another. */
import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { PoolClient } from 'pg'
import { z } from 'zod'
import { type DashboardRow, lockDashboard, updateDashboard } from '../../infra/catalog/dashboards.ts'
import type { Catalog } from '../../infra/catalog/postgres.ts'
import { findWidget, insertWidget } from '../../infra/catalog/widgets.ts'
import { displayName } from '../../schemas/display-name.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { brandId, dashboardId, widgetId, workspaceId } from '../../schemas/ids.ts'
import { mostWidgets, newWidget } from '../../schemas/widget.ts'
import { bearerOf, principalOf } from '../plugins/access.ts'
import {
  copyOf,
  dashboardNotFound,
  exampleWidget,
  revisionTag,
  saidOfWidget,
  widgetNotFound,
  widgetOf,
  widgetResource,
} from './dashboard-resource.ts'
import { recordChange } from './record-change.ts'

const tags = ['Dashboards']
const answer = z.object({ widget: widgetResource })

export const widgetCreation: FastifyPluginAsyncZod<{ catalog: Pick<Catalog, 'withTenant'> }> = async (
  app,
  { catalog },
) => {
  const params = z.object({ workspaceId, dashboardId })

  app.post(
    '/dashboards/:dashboardId/widgets',
    {
      config: { action: 'dashboards:write' },
      schema: {
        summary: 'Add a widget to a dashboard',
        description:
          'At its end. `counter`, `time_series`, `breakdown_bar`, `top_n` and `table` take a `question` as `POST …/dashboards/aggregate` does, of a grouping that they can draw; `funnel` takes steps.',
        tagged: 'shows',
        tags,
        errors: ['NOT_FOUND', 'CONFLICT'],
        examples: {
          body: { title: exampleWidget.title, definition: exampleWidget.definition },
          answer: { widget: exampleWidget },
        },
        params,
        body: newWidget.extend({ brand_id: brandId.optional() }),
        response: { 201: answer },
      },
    },
    async (request, reply) => {
      const { title, definition } = request.body
      const row = await add(request, request.params.dashboardId, async () => ({ title, definition, after: null }))
      return reply
        .code(201)
        .header('etag', revisionTag(row))
        .send({ widget: widgetOf(row) })
    },
  )

  app.post(
    '/dashboards/:dashboardId/widgets/:widgetId/duplicate',
    {
      config: { action: 'dashboards:write' },
      schema: {
        summary: 'Make a copy of a widget',
        description: 'Right behind it.',
        tagged: 'shows',
        tags,
        errors: ['NOT_FOUND', 'CONFLICT'],
        examples: { body: { title: 'Orders of the week' }, answer: { widget: exampleWidget } },
        params: params.extend({ widgetId }),
        body: z.strictObject({ title: displayName.optional(), brand_id: brandId.optional() }).nullish(),
        response: { 201: answer },
      },
    },
    async (request, reply) => {
      const { dashboardId, widgetId } = request.params
      const row = await add(request, dashboardId, async (tx) => {
        const from = await findWidget(tx, dashboardId, widgetId)
        if (!from) throw widgetNotFound()
        return { title: request.body?.title ?? copyOf(from.title), definition: from.definition, after: from.place }
      })
      return reply
        .code(201)
        .header('etag', revisionTag(row))
        .send({ widget: widgetOf(row) })
    },
  )

  type Order = Parameters<typeof insertWidget>[2]
  async function add(
    request: FastifyRequest,
    dashboard: string,
    what: (tx: PoolClient) => Promise<Omit<Order, 'by'> & { readonly after: number | null }>,
  ) {
    const bearer = bearerOf(request)
    return catalog.withTenant(principalOf(bearer), async (tx) => {
      const into: DashboardRow | null = await lockDashboard(tx, dashboard)
      if (!into) throw dashboardNotFound()
      const { after, ...order } = await what(tx)
      if (into.widgetCount >= mostWidgets)
        throw new ServiceError('CONFLICT', { message: `A dashboard has at most ${mostWidgets} widgets` })
      const row = await insertWidget(tx, into, { ...order, by: bearer.subject }, after)
      await updateDashboard(tx, dashboard)
      const change = { target: row.id, brand: into.brandId, before: null, after: saidOfWidget(row) }
      await recordChange(tx, request, { action: 'widget.create', ...change })
      return row
    })
  }
}
