/** Visibility: what of a catalog stood on each channel, day by day, and what agents met of it. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Notify } from '../../infra/catalog/job-table.ts'
import type { Catalog } from '../../infra/catalog/postgres.ts'
import { findSnapshot, listSnapshots, listVisible, type SnapshotOrder } from '../../infra/catalog/visibility-queries.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { brandId, catalogId, jobId, workspaceId } from '../../schemas/ids.ts'
import { daysAfter, utcDay } from '../../schemas/utc-day.ts'
import { listQuery, nextTextCursor, readTextCursor } from '../cursor.ts'
import { bearerOf, principalOf } from '../plugins/access.ts'
import { chooseCatalog } from './choose-catalog.ts'
import { exampleIds } from './examples.ts'
import { notifyOf } from './notify-of.ts'
import { channel, exampleSnapshot, snapshotResource, toSnapshot } from './visibility-resource.ts'
import { shareOf, visibleProduct } from './visible-product.ts'

export interface VisibilityPorts {
  readonly catalog: Pick<Catalog, 'withTenant'>
  readonly visibility: {
    /** @returns the job @throws ServiceError where it is being taken */
    start(order: SnapshotOrder & { by: string; notify: Notify | null }, day: string): Promise<string>
  }
  readonly now: () => Date
}

const tags = ['Visibility']
const day = z.iso.date()
const usualDays = 30
const dayPlace = /^\d{4}-\d\d-\d\d$/
const productPlace = /^(\d{4}-\d\d-\d\d):(\d{1,16}):([0-9a-f-]{36})$/
const place = { catalog_id: catalogId.optional(), brand_id: brandId.optional() }

export const visibility: FastifyPluginAsyncZod<VisibilityPorts> = async (app, { catalog, visibility: ports, now }) => {
  const params = z.object({ workspaceId })

  app.get(
    '/visibility',
    {
      config: { action: 'dashboards:read' },
      schema: {
        summary: 'Read the visibility of a catalog day by day',
        description: [
          'For each channel how many products were offered (published), valid and feed-ready there (for search, recommendations and tools: for all platforms of the brand), and searchable (published with a title), as the catalog stood at `takenAt`; and from the events of that day of UTC how many were read, found, recommended or returned.',
          'A feed that is read names how many products it had and not which, so the largest read is the least that was `seen`. Events that name no catalog are of the brand’s default catalog.',
          'Pages are of days, oldest first, by default the last 30. A day without a snapshot is in `missing`: nothing is known of it.',
        ].join(' '),
        tags,
        errors: ['CATALOG_NOT_FOUND'],
        examples: {
          query: { from: '2026-11-26', to: '2026-11-27', channel: 'search' },
          answer: { visibility: [exampleSnapshot], missing: ['2026-11-26'], next: null },
        },
        params,
        querystring: listQuery.extend({
          ...place,
          from: day.optional(),
          to: day.optional(),
          channel: channel.optional(),
        }),
        response: {
          200: z.object({
            visibility: z.array(snapshotResource),
            missing: z.array(day),
            next: z.string().nullable(),
          }),
        },
      },
    },
    async (request) => {
      const bearer = bearerOf(request)
      const { after, limit, catalog_id, brand_id, channel: only } = request.query
      const row = await chooseCatalog(catalog, bearer, { id: catalog_id, brand: brand_id })
      const today = utcDay(now())
      const last = earlier(request.query.to ?? today, today)
      const asked = request.query.from ?? daysAfter(last, 1 - usualDays)
      if (request.query.from !== undefined && request.query.to !== undefined && request.query.from > request.query.to)
        throw new ServiceError('INVALID_REQUEST', { message: 'from is after to', field: 'from' })
      const done = readTextCursor(after, dayPlace)
      const first = later(done === null ? asked : daysAfter(done, 1), utcDay(row.createdAt))
      const to = earlier(daysAfter(first, limit - 1), last)
      if (first > to) return { visibility: [], missing: [], next: null }
      const range = { from: first, to, channel: only ?? null }
      const rows = await catalog.withTenant(principalOf(bearer), (tx) => listSnapshots(tx, row.id, range))
      const taken = new Set(rows.map((one) => one.day))
      return {
        visibility: rows.map((one) => toSnapshot(one, row.id)),
        // Today's may come yet.
        missing: daysOf(first, to).filter((one) => !taken.has(one) && one !== today),
        next: to < last ? nextTextCursor([to, ''], 1) : null,
      }
    },
  )

  app.get(
    '/visibility/products',
    {
      config: { action: 'dashboards:read' },
      schema: {
        summary: 'Read how often each product was met',
        description:
          'Of a day’s snapshot, by default the last that was taken: products that events of the channel named, the most often met first, 10,000 at most. `share` is of the events that say what they met, or that they met nothing (`of`). Kept for 90 days.',
        tags,
        errors: ['CATALOG_NOT_FOUND', 'NOT_FOUND'],
        examples: {
          query: { channel: 'search', day: '2026-11-27' },
          answer: {
            ...{ day: '2026-11-27', since: '2026-11-26', channel: 'search', of: 4100, unnamed: 0, next: null },
            products: [
              {
                ...{ productId: exampleIds.productId, sku: 'MUG-1', title: 'Enamel mug', appearances: 410, share: 0.1 },
                change: { appearances: 12, share: 0.004 },
              },
            ],
          },
        },
        params,
        querystring: listQuery.extend({ ...place, channel, day: day.optional() }),
        response: {
          200: z.object({
            day,
            since: day.nullable(),
            channel,
            of: z.int(),
            unnamed: z.int(),
            products: z.array(visibleProduct),
            next: z.string().nullable(),
          }),
        },
      },
    },
    async (request) => {
      const bearer = bearerOf(request)
      const { after, limit, catalog_id, brand_id, channel: of } = request.query
      const row = await chooseCatalog(catalog, bearer, { id: catalog_id, brand: brand_id })
      const [ofDay, appearances, id] = readTextCursor(after, productPlace)?.split(':') ?? []
      const from = appearances !== undefined && id !== undefined ? { appearances: Number(appearances), id } : null
      return catalog.withTenant(principalOf(bearer), async (tx) => {
        const found = await findSnapshot(tx, row.id, ofDay ?? request.query.day ?? null, of)
        if (!found) throw new ServiceError('NOT_FOUND', { message: 'There is no snapshot of that day', field: 'day' })
        const { since } = found
        const before = since === null ? null : await findSnapshot(tx, row.id, since, of)
        const scope = { catalog: row.id, day: found.day, since, channel: of }
        const rows = await listVisible(tx, scope, from, limit + 1)
        const places = rows.map((one) => `${found.day}:${one.appearances}:${one.id}`)
        return {
          ...{ day: found.day, since, channel: of, of: found.events - found.unnamed, unnamed: found.unnamed },
          products: rows.slice(0, limit).map((one) => shareOf(one, found, before)),
          next: nextTextCursor(places, limit),
        }
      })
    },
  )

  app.post(
    '/visibility/snapshots',
    {
      config: { action: 'dashboards:write' },
      schema: {
        summary: 'Take a visibility snapshot now',
        description:
          'Published catalogs have one taken by themselves when a day of UTC is over. This takes one of today as far as it has come, or of yesterday anew, in place of what was taken of that day before; never of a day before the catalog was made.',
        tags,
        errors: ['CATALOG_NOT_FOUND', 'JOB_ALREADY_RUNNING'],
        examples: { body: { catalog_id: exampleIds.catalogId }, answer: { job: { id: exampleIds.jobId } } },
        params,
        body: z.strictObject({ ...place, day: day.optional(), notify_email: z.boolean().optional() }).nullish(),
        response: { 202: z.object({ job: z.object({ id: jobId }) }) },
      },
    },
    async (request, reply) => {
      const bearer = bearerOf(request)
      const { catalog_id, brand_id, day: wanted, notify_email } = request.body ?? {}
      const row = await chooseCatalog(catalog, bearer, { id: catalog_id, brand: brand_id })
      const today = utcDay(now())
      const of = wanted ?? today
      if (of !== today && of !== daysAfter(today, -1))
        throw new ServiceError('INVALID_REQUEST', {
          message: 'Only today and yesterday can be taken: what a catalog was before is not known any more',
          field: 'day',
        })
      if (of < utcDay(row.createdAt))
        throw new ServiceError('INVALID_REQUEST', {
          message: `The catalog was made on ${utcDay(row.createdAt)}: of a day before there is nothing to take`,
          field: 'day',
        })
      const order = { workspace: bearer.workspace, brand: row.brandId, catalog: row.id, version: row.publishedVersion }
      const notify = await notifyOf(catalog, bearer, notify_email)
      return reply.code(202).send({ job: { id: await ports.start({ ...order, by: bearer.subject, notify }, of) } })
    },
  )
}

const earlier = (a: string, b: string) => (a < b ? a : b)
const later = (a: string, b: string) => (a < b ? b : a)

function daysOf(first: string, last: string): string[] {
  const days: string[] = []
  for (let one = first; one <= last; one = daysAfter(one, 1)) days.push(one)
  return days
}
