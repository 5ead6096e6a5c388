/** Dashboards of a brand: list, read, change, delete. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { lockBrand } from '../../infra/catalog/brands.ts'
import {
  deleteDashboard,
  ensureDefaultDashboard,
  findDashboard,
  giveUpDefault,
  listDashboards,
  lockDashboard,
  updateDashboard,
} from '../../infra/catalog/dashboards.ts'
import type { Catalog } from '../../infra/catalog/postgres.ts'
import { listWidgets } from '../../infra/catalog/widgets.ts'
import { displayName } from '../../schemas/display-name.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { brandId, dashboardId, workspaceId } from '../../schemas/ids.ts'
import { listQuery, nextCursor, readCursor } from '../cursor.ts'
import { bearerOf, principalOf } from '../plugins/access.ts'
import {
  changed,
  dashboardNotFound,
  dashboardOf,
  dashboardResource,
  exampleDashboard,
  exampleWhole,
  readWhole,
  requireUnchanged,
  revisionTag,
  saidOfDashboard,
  wholeDashboard,
} from './dashboard-resource.ts'
import { recordChange } from './record-change.ts'

const tags = ['Dashboards']
const answer = z.object({ dashboard: dashboardResource })

const dashboardChange = z.strictObject({
  name: displayName.optional(),
  is_default: z.literal(true).optional(),
  brand_id: brandId.optional(),
})

export const dashboards: FastifyPluginAsyncZod<{ catalog: Pick<Catalog, 'withTenant'> }> = async (app, { catalog }) => {
  const params = z.object({ workspaceId })
  const one = params.extend({ dashboardId })

  app.get(
    '/dashboards',
    {
      config: { action: 'dashboards:read' },
      schema: {
        summary: 'List dashboards',
        description:
          'With `brand_id` those of one brand. Every brand has a default one, which came with it; a brand from before there were dashboards gets it when it is first looked at.',
        tags,
        examples: { query: { limit: 20 }, answer: { dashboards: [exampleDashboard], next: null } },
        params,
        querystring: listQuery.extend({ brand_id: z.string().max(50).optional() }),
        response: { 200: z.object({ dashboards: z.array(dashboardResource), next: z.string().nullable() }) },
      },
    },
    async (request) => {
      const { after, limit } = request.query
      const bearer = bearerOf(request)
      const rows = await catalog.withTenant(principalOf(bearer), async (tx) => {
        await ensureDefaultDashboard(tx, bearer.brand)
        return listDashboards(tx, readCursor(after), limit + 1)
      })
      return { dashboards: rows.slice(0, limit).map(dashboardOf), next: nextCursor(rows, limit) }
    },
  )

  app.get(
    '/dashboards/:dashboardId',
    {
      config: { action: 'dashboards:read' },
      schema: {
        summary: 'Read a dashboard with its widgets',
        tagged: 'shows',
        tags,
        errors: ['NOT_FOUND'],
        examples: { answer: exampleWhole },
        params: one,
        response: { 200: wholeDashboard },
      },
    },
    async (request, reply) => {
      const id = request.params.dashboardId
      const found = await catalog.withTenant(principalOf(bearerOf(request)), (tx) => readWhole(tx, id))
      return reply.header('etag', revisionTag(found)).send({ dashboard: found })
    },
  )

  app.patch(
    '/dashboards/:dashboardId',
    {
      config: { action: 'dashboards:write' },
      schema: {
        summary: 'Change a dashboard',
        description:
          'What is left out stays. A brand has one default dashboard: one that becomes it (`is_default: true`) takes the place of the former. With `If-Match` it is changed only where it is as the tag has it, else 412.',
        tagged: 'both',
        tags,
        errors: ['NOT_FOUND', changed],
        examples: { body: { name: exampleDashboard.name }, answer: { dashboard: exampleDashboard } },
        params: one,
        body: dashboardChange,
        response: { 200: answer },
      },
    },
    async (request, reply) => {
      const { name, is_default: isDefault } = request.body
      const id = request.params.dashboardId
      const row = await catalog.withTenant(principalOf(bearerOf(request)), async (tx) => {
        const seen = await findDashboard(tx, id)
        // Who changes which dashboard is a brand's default follows one another.
        if (!seen || (isDefault && !(await lockBrand(tx, seen.brandId)))) throw dashboardNotFound()
        const from = await lockDashboard(tx, id)
        if (!from) throw dashboardNotFound()
        requireUnchanged(request.headers['if-match'], from, 'dashboard')
        if ((name === undefined || name === from.name) && (!isDefault || from.isDefault)) return from
        if (isDefault && !from.isDefault) await giveUpDefault(tx, from.brandId)
        const to = await updateDashboard(tx, id, { name, isDefault })
        const change = { brand: from.brandId, before: saidOfDashboard(from), after: saidOfDashboard(to) }
        await recordChange(tx, request, { action: 'dashboard.update', target: id, ...change })
        return to
      })
      return reply.header('etag', revisionTag(row)).send({ dashboard: dashboardOf(row) })
    },
  )

  app.delete(
    '/dashboards/:dashboardId',
    {
      config: { action: 'dashboards:write' },
      schema: {
        summary: 'Delete a dashboard with its widgets',
        description:
          'The default dashboard of a brand is what people land on, and is not deleted: make another one the default first.',
        tagged: 'judges',
        tags,
        errors: ['NOT_FOUND', 'CONFLICT', changed],
        examples: { answer: { dashboardId: exampleDashboard.id, deleted: true } },
        params: one,
        response: { 200: z.object({ dashboardId, deleted: z.literal(true) }) },
      },
    },
    async (request) => {
      const id = request.params.dashboardId
      await catalog.withTenant(principalOf(bearerOf(request)), async (tx) => {
        const row = await lockDashboard(tx, id)
        if (!row) throw dashboardNotFound()
        requireUnchanged(request.headers['if-match'], row, 'dashboard')
        if (row.isDefault)
          throw new ServiceError('CONFLICT', {
            message: "This is the brand's default dashboard; make another one the default first",
          })
        // Whole, so that the audit log can tell what was lost.
        const widgets = (await listWidgets(tx, id)).map(({ title, definition }) => ({ title, definition }))
        await deleteDashboard(tx, id)
        const change = { brand: row.brandId, before: { ...saidOfDashboard(row), widgets }, after: null }
        await recordChange(tx, request, { action: 'dashboard.delete', target: id, ...change })
      })
      return { dashboardId: id, deleted: true as const }
    },
  )
}
