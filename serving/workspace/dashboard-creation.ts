/** Makes dashboards: from widgets that are given, or as a copy of another. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { PoolClient } from 'pg'
import { z } from 'zod'
import { brandNamed, lockBrand } from '../../infra/catalog/brands.ts'
import { countDashboards, type DashboardRow, findDashboard, insertDashboard } from '../../infra/catalog/dashboards.ts'
import type { Catalog } from '../../infra/catalog/postgres.ts'
import { copyWidgets, insertWidget } from '../../infra/catalog/widgets.ts'
import { displayName } from '../../schemas/display-name.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { brandId, dashboardId, workspaceId } from '../../schemas/ids.ts'
import { mostDashboards, mostWidgets, newWidget } from '../../schemas/widget.ts'
import { bearerOf, principalOf } from '../plugins/access.ts'
import {
  copyOf,
  dashboardNotFound,
  exampleDashboard,
  exampleWhole,
  exampleWidget,
  readWhole,
  revisionTag,
  saidOfDashboard,
  wholeDashboard,
} from './dashboard-resource.ts'
import { recordChange } from './record-change.ts'

const tags = ['Dashboards']

const newDashboard = z.strictObject({
  name: displayName,
  widgets: z.array(newWidget).max(mostWidgets).optional(),
  brand_id: brandId.optional(),
})

export const dashboardCreation: FastifyPluginAsyncZod<{ catalog: Pick<Catalog, 'withTenant'> }> = async (
  app,
  { catalog },
) => {
  const params = z.object({ workspaceId })

  app.post(
    '/dashboards',
    {
      config: { action: 'dashboards:write' },
      schema: {
        summary: 'Make a dashboard',
        description: `With its widgets, or without any. A brand has at most ${mostDashboards} dashboards, and a dashboard ${mostWidgets} widgets.`,
        tagged: 'shows',
        tags,
        errors: ['CONFLICT'],
        examples: {
          body: {
            name: exampleDashboard.name,
            widgets: [{ title: exampleWidget.title, definition: exampleWidget.definition }],
          },
          answer: exampleWhole,
        },
        params,
        body: newDashboard,
        response: { 201: wholeDashboard },
      },
    },
    async (request, reply) => {
      const bearer = bearerOf(request)
      const { name, brand_id, widgets = [] } = request.body
      const made = await catalog.withTenant(principalOf(bearer), async (tx) => {
        const brand = brand_id ?? bearer.brand ?? (await brandNamed(tx, bearer.workspace, 'main'))
        if (brand === null)
          throw new ServiceError('INVALID_REQUEST', { message: 'Say which brand with brand_id', field: 'brand_id' })
        return create(tx, request, { workspace: bearer.workspace, brand, name }, async (row) => {
          for (const widget of widgets) await insertWidget(tx, row, { ...widget, by: bearer.subject })
        })
      })
      return reply.code(201).header('etag', revisionTag(made)).send({ dashboard: made })
    },
  )

  app.post(
    '/dashboards/:dashboardId/duplicate',
    {
      config: { action: 'dashboards:write' },
      schema: {
        summary: 'Make a copy of a dashboard with its widgets',
        description: 'In the same brand, and not its default.',
        tagged: 'shows',
        tags,
        errors: ['NOT_FOUND', 'CONFLICT'],
        examples: { body: { name: 'Winter campaign' }, answer: exampleWhole },
        params: params.extend({ dashboardId }),
        body: z.strictObject({ name: displayName.optional(), brand_id: brandId.optional() }).nullish(),
        response: { 201: wholeDashboard },
      },
    },
    async (request, reply) => {
      const bearer = bearerOf(request)
      const copy = await catalog.withTenant(principalOf(bearer), async (tx) => {
        const from = await findDashboard(tx, request.params.dashboardId)
        if (!from) throw dashboardNotFound()
        const name = request.body?.name ?? copyOf(from.name)
        const order = { workspace: from.workspaceId, brand: from.brandId, name }
        return create(tx, request, order, (to) => copyWidgets(tx, from.id, to.id, bearer.subject))
      })
      return reply.code(201).header('etag', revisionTag(copy)).send({ dashboard: copy })
    },
  )
}

async function create(
  tx: PoolClient,
  request: Parameters<typeof recordChange>[1],
  { workspace, brand, name }: { workspace: string; brand: string; name: string },
  fill: (row: DashboardRow) => Promise<void>,
) {
  if (!(await lockBrand(tx, brand)))
    throw new ServiceError('FORBIDDEN', { message: 'There is no such brand among yours', field: 'brand_id' })
  if ((await countDashboards(tx, brand)) >= mostDashboards)
    throw new ServiceError('CONFLICT', { message: `A brand has at most ${mostDashboards} dashboards` })
  const id = await insertDashboard(tx, { workspace, brand, name, by: bearerOf(request).subject })
  const row = await findDashboard(tx, id)
  if (!row) throw new Error('the dashboard was not made')
  await fill(row)
  const change = { target: id, brand, before: null, after: saidOfDashboard(row) }
  await recordChange(tx, request, { action: 'dashboard.create', ...change })
  return readWhole(tx, id)
}
