/** Widgets of a dashboard: list, read, change, delete, put in order. */
import { hash } from 'node:crypto'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { PoolClient } from 'pg'
import { z } from 'zod'
import { type DashboardRow, findDashboard, lockDashboard, updateDashboard } from '../../infra/catalog/dashboards.ts'
import type { Catalog } from '../../infra/catalog/postgres.ts'
import { deleteWidget, findWidget, listWidgets, orderWidgets, updateWidget } from '../../infra/catalog/widgets.ts'
import { displayName } from '../../schemas/display-name.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { brandId, dashboardId, widgetId, workspaceId } from '../../schemas/ids.ts'
import { askedDefinition, mostWidgets } from '../../schemas/widget.ts'
import { listQuery, placeCursor, readPlaceCursor } from '../cursor.ts'
import { bearerOf, principalOf } from '../plugins/access.ts'
import {
  changed,
  dashboardNotFound,
  exampleWhole,
  exampleWidget,
  readWhole,
  requireUnchanged,
  revisionTag,
  saidOfWidget,
  wholeDashboard,
  widgetNotFound,
  widgetOf,
  widgetResource,
} from './dashboard-resource.ts'
import { recordChange } from './record-change.ts'

const tags = ['Dashboards']
const answer = z.object({ widget: widgetResource })

const widgetChange = z.strictObject({
  title: displayName.optional(),
  definition: askedDefinition.optional(),
  brand_id: brandId.optional(),
})

const isPlace = (key: string) => /^\d{1,9}$/.test(key)
/** A cursor is one of this dashboard's list. */
const listOf = (dashboard: string) => hash('sha256', dashboard).slice(0, 16)

export const widgets: FastifyPluginAsyncZod<{ catalog: Pick<Catalog, 'withTenant'> }> = async (app, { catalog }) => {
  const params = z.object({ workspaceId, dashboardId })
  const one = params.extend({ widgetId })

  app.get(
    '/dashboards/:dashboardId/widgets',
    {
      config: { action: 'dashboards:read' },
      schema: {
        summary: 'List the widgets of a dashboard',
        description: 'In the order in which they stand.',
        tags,
        errors: ['NOT_FOUND'],
        examples: { query: { limit: 20 }, answer: { widgets: [exampleWidget], next: null } },
        params,
        querystring: listQuery,
        response: { 200: z.object({ widgets: z.array(widgetResource), next: z.string().nullable() }) },
      },
    },
    async (request) => {
      const { after, limit } = request.query
      const id = request.params.dashboardId
      const place = readPlaceCursor(after, listOf(id), isPlace)
      const rows = await catalog.withTenant(principalOf(bearerOf(request)), async (tx) => {
        if (!(await findDashboard(tx, id))) throw dashboardNotFound()
        return listWidgets(tx, id, place && { place: Number(place.key), id: place.id }, limit + 1)
      })
      const last = rows.length > limit ? rows[limit - 1] : undefined
      return {
        widgets: rows.slice(0, limit).map(widgetOf),
        next: last ? placeCursor({ key: String(last.place), id: last.id }, listOf(id)) : null,
      }
    },
  )

  app.get(
    '/dashboards/:dashboardId/widgets/:widgetId',
    {
      config: { action: 'dashboards:read' },
      schema: {
        summary: 'Read a widget',
        tagged: 'shows',
        tags,
        errors: ['NOT_FOUND'],
        examples: { answer: { widget: exampleWidget } },
        params: one,
        response: { 200: answer },
      },
    },
    async (request, reply) => {
      const { dashboardId, widgetId } = request.params
      const row = await catalog.withTenant(principalOf(bearerOf(request)), (tx) =>
        findWidget(tx, dashboardId, widgetId),
      )
      if (!row) throw widgetNotFound()
      return reply.header('etag', revisionTag(row)).send({ widget: widgetOf(row) })
    },
  )

  app.patch(
    '/dashboards/:dashboardId/widgets/:widgetId',
    {
      config: { action: 'dashboards:write' },
      schema: {
        summary: 'Change a widget',
        description:
          'What is left out stays; the definition is taken whole, and may be of another type. With `If-Match` it is changed only where it is as the tag has it, else 412.',
        tagged: 'both',
        tags,
        errors: ['NOT_FOUND', changed],
        examples: { body: { title: exampleWidget.title }, answer: { widget: exampleWidget } },
        params: one,
        body: widgetChange,
        response: { 200: answer },
      },
    },
    async (request, reply) => {
      const { dashboardId, widgetId } = request.params
      const { title, definition } = request.body
      const row = await catalog.withTenant(principalOf(bearerOf(request)), async (tx) => {
        const held = await holdWidget(tx, dashboardId, widgetId)
        requireUnchanged(request.headers['if-match'], held.widget, 'widget')
        if (title === undefined && definition === undefined) return held.widget
        const to = await updateWidget(tx, widgetId, { title, definition })
        await updateDashboard(tx, dashboardId)
        const change = { brand: held.brandId, before: saidOfWidget(held.widget), after: saidOfWidget(to) }
        await recordChange(tx, request, { action: 'widget.update', target: widgetId, ...change })
        return to
      })
      return reply.header('etag', revisionTag(row)).send({ widget: widgetOf(row) })
    },
  )

  app.delete(
    '/dashboards/:dashboardId/widgets/:widgetId',
    {
      config: { action: 'dashboards:write' },
      schema: {
        summary: 'Delete a widget',
        tagged: 'judges',
        tags,
        errors: ['NOT_FOUND', changed],
        examples: { answer: { widgetId: exampleWidget.id, deleted: true } },
        params: one,
        response: { 200: z.object({ widgetId, deleted: z.literal(true) }) },
      },
    },
    async (request) => {
      const { dashboardId, widgetId } = request.params
      await catalog.withTenant(principalOf(bearerOf(request)), async (tx) => {
        const held = await holdWidget(tx, dashboardId, widgetId)
        requireUnchanged(request.headers['if-match'], held.widget, 'widget')
        await deleteWidget(tx, widgetId)
        await updateDashboard(tx, dashboardId)
        const change = { brand: held.brandId, before: saidOfWidget(held.widget), after: null }
        await recordChange(tx, request, { action: 'widget.delete', target: widgetId, ...change })
      })
      return { widgetId, deleted: true as const }
    },
  )

  app.put(
    '/dashboards/:dashboardId/widgets/order',
    {
      config: { action: 'dashboards:write' },
      schema: {
        summary: 'Put the widgets of a dashboard in order',
        description:
          "All of them, each once: an order that was made of another state than the dashboard's is refused. `If-Match` takes the dashboard's tag.",
        tagged: 'both',
        tags,
        errors: ['NOT_FOUND', 'CONFLICT', changed],
        examples: { body: { widget_ids: [exampleWidget.id] }, answer: exampleWhole },
        params,
        body: z.strictObject({ widget_ids: z.array(widgetId).max(mostWidgets), brand_id: brandId.optional() }),
        response: { 200: wholeDashboard },
      },
    },
    async (request, reply) => {
      const id = request.params.dashboardId
      const ids = request.body.widget_ids
      const dashboard = await catalog.withTenant(principalOf(bearerOf(request)), async (tx) => {
        const row = await lockDashboard(tx, id)
        if (!row) throw dashboardNotFound()
        requireUnchanged(request.headers['if-match'], row, 'dashboard')
        const before = (await listWidgets(tx, id)).map((widget) => widget.id)
        if (before.toSorted().join() !== ids.toSorted().join())
          throw new ServiceError('CONFLICT', {
            message: `widget_ids names each widget of the dashboard once; it has ${before.length}`,
            field: 'widget_ids',
          })
        if (before.join() === ids.join()) return readWhole(tx, id)
        await orderWidgets(tx, id, ids)
        await updateDashboard(tx, id)
        const change = { brand: row.brandId, before: { widgets: before }, after: { widgets: ids } }
        await recordChange(tx, request, { action: 'dashboard.order', target: id, ...change })
        return readWhole(tx, id)
      })
      return reply.header('etag', revisionTag(dashboard)).send({ dashboard })
    },
  )
}

/** Changes of one dashboard follow one another. */
async function holdWidget(tx: PoolClient, dashboard: string, id: string) {
  const row: DashboardRow | null = await lockDashboard(tx, dashboard)
  const widget = row && (await findWidget(tx, dashboard, id))
  if (!row || !widget) throw widgetNotFound()
  return { widget, brandId: row.brandId }
}
