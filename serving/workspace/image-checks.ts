/** …/catalogs/{catalogId}/checks/images: fetches the images that a catalog's products name, as a job, and says what each of them is. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { type ImageRow, listDuplicates, listImages } from '../../infra/catalog/image-lists.ts'
import type { Notify } from '../../infra/catalog/job-table.ts'
import type { Catalog } from '../../infra/catalog/postgres.ts'
import { findCatalog } from '../../infra/catalog/tenants.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { brandId, catalogId, jobId, productId, workspaceId } from '../../schemas/ids.ts'
import { imageStates } from '../../schemas/image-check.ts'
import { listQuery, nextTextCursor, readTextCursor } from '../cursor.ts'
import { bearerOf, principalOf } from '../plugins/access.ts'
import { exampleIds, exampleImage } from './examples.ts'
import { notifyOf } from './notify-of.ts'

export interface ImageCheckPorts {
  readonly catalog: Pick<Catalog, 'withTenant'>
  /** @returns the job, and whether it is one that waited or ran already */
  readonly checkImages: (order: {
    workspace: string
    brand: string
    catalog: string
    by: string
    products: readonly string[] | null
    recheck: boolean
    notify: Notify | null
  }) => Promise<{ job: string; running: boolean }>
}

const image = z.object({
  address: z.string(),
  /** One of the products that have it. */
  productId,
  /** null: not checked yet. unreachable: it is asked for again later, and costs nothing. */
  state: z.enum(imageStates).nullable(),
  /** What is wrong with it. */
  reason: z.string().nullable(),
  /** Of HTTP, where the host answered no image. */
  status: z.int().nullable(),
  /** By the first bytes, whatever the address or the host calls it. */
  type: z.string().nullable(),
  width: z.int().nullable(),
  height: z.int().nullable(),
  bytes: z.int().nullable(),
  /** Equal for files that show the same picture. */
  picture: z.string().nullable(),
  checkedAt: z.iso.datetime().nullable(),
})

const toImage = ({ hash: _, product, says, alike, checkedAt, ...row }: ImageRow) => ({
  ...row,
  productId: product,
  reason: says,
  picture: alike?.toString('hex') ?? null,
  checkedAt: checkedAt?.toISOString() ?? null,
})

const tags = ['Products']
/** The hash of an address; before it, in the list of duplicates, its picture. */
const place = /^[0-9a-f]{32}$/
const duplicatePlace = /^[0-9a-f]{48}$/

export const imageChecks: FastifyPluginAsyncZod<ImageCheckPorts> = async (app, { catalog, checkImages }) => {
  const params = z.object({ workspaceId, catalogId })

  app.post(
    '/catalogs/:catalogId/checks/images',
    {
      config: { action: 'products:write' },
      schema: {
        summary: 'Check the images of a catalog',
        description:
          'As a job: each address is fetched once, however many products have it, from public hosts only and from each of them one file at a time. Results are kept: what was well is asked for again after a week, all else after an hour, with `recheck` at once; a host that says that a file is still the same is believed. A first image that is known to be dead, no image, or smaller than platforms take costs points; one that could not be reached costs nothing. One check of a catalog runs at a time.',
        tags,
        errors: ['CATALOG_NOT_FOUND', 'JOB_ALREADY_RUNNING'],
        examples: { body: { recheck: true }, answer: { job: { id: exampleIds.jobId } } },
        params,
        body: z
          .strictObject({
            product_ids: z.array(productId).min(1).max(10_000).optional(),
            recheck: z.boolean().optional(),
            notify_email: z.boolean().optional(),
            brand_id: brandId.optional(),
          })
          .nullish(),
        response: { 202: z.object({ job: z.object({ id: jobId }) }) },
      },
    },
    async (request, reply) => {
      const bearer = bearerOf(request)
      const row = await catalog.withTenant(principalOf(bearer), (tx) => findCatalog(tx, request.params.catalogId))
      if (!row) throw notFound()
      const { product_ids: products = null, recheck = false, notify_email: mail } = request.body ?? {}
      const { job, running } = await checkImages({
        ...{ workspace: row.workspaceId, brand: row.brandId, catalog: row.id, by: bearer.subject, products, recheck },
        notify: await notifyOf(catalog, bearer, mail),
      })
      if (running)
        throw new ServiceError('JOB_ALREADY_RUNNING', { message: `The images are being checked by job ${job}` })
      return reply.code(202).send({ job: { id: job } })
    },
  )

  app.get(
    '/catalogs/:catalogId/checks/images',
    {
      config: { action: 'products:read' },
      schema: {
        summary: 'List the images of a catalog that were checked',
        description:
          'In an order of no meaning. With `duplicates=true` those that show the same picture as another, whatever its size or format, one beside the other.',
        tags,
        errors: ['CATALOG_NOT_FOUND'],
        examples: { query: { state: 'dead', limit: 20 }, answer: { images: [exampleImage], next: null } },
        params,
        querystring: listQuery
          .extend({ state: z.enum(imageStates).optional(), duplicates: z.enum(['true', 'false']).optional() })
          .refine(({ state, duplicates }) => state === undefined || duplicates !== 'true', {
            error: 'state or duplicates, one of the two',
            path: ['duplicates'],
          }),
        response: { 200: z.object({ images: z.array(image), next: z.string().nullable() }) },
      },
    },
    async (request) => {
      const { after, limit, state, duplicates } = request.query
      const same = duplicates === 'true'
      const text = readTextCursor(after, same ? duplicatePlace : place)
      const from = text === null ? null : Buffer.from(text, 'hex')
      const rows = await catalog.withTenant(principalOf(bearerOf(request)), async (tx) => {
        const row = await findCatalog(tx, request.params.catalogId)
        if (!row) throw notFound()
        if (!same) return listImages(tx, row.id, state, from, limit + 1)
        const at = from && { alike: from.subarray(0, 8), hash: from.subarray(8) }
        return listDuplicates(tx, row.id, at, limit + 1)
      })
      const placeOf = ({ alike, hash }: ImageRow) => (same ? `${alike?.toString('hex')}` : '') + hash.toString('hex')
      return { images: rows.slice(0, limit).map(toImage), next: nextTextCursor(rows.map(placeOf), limit) }
    },
  )
}

const notFound = () => new ServiceError('CATALOG_NOT_FOUND', { field: 'catalogId' })
