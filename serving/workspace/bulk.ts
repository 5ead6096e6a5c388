/** POST …/catalog/products/bulk: changes, deletes or brings back many products as a job. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { BulkTarget } from '../../infra/catalog/bulk-queries.ts'
import type { Notify } from '../../infra/catalog/job-table.ts'
import type { Catalog } from '../../infra/catalog/postgres.ts'
import { findCatalog } from '../../infra/catalog/tenants.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { brandId, catalogId, productId, workspaceId } from '../../schemas/ids.ts'
import { type Cells, clearWord } from '../../schemas/pipeline.ts'
import type { Weights } from '../../schemas/score.ts'
import { bearerOf, principalOf } from '../plugins/access.ts'
import { exampleIds } from './examples.ts'
import { notifyOf } from './notify-of.ts'
import { cellsOfBody, productChange } from './product-body.ts'
import { bodysFilter, readFilter, readScoring } from './product-filter.ts'

export interface BulkPorts {
  readonly catalog: Pick<Catalog, 'withTenant'>
  readonly weights: (workspace: string) => Promise<Weights>
  readonly requiredProfiles: (brand: string) => Promise<number>
  /** Singles and parents that the plan still takes. */
  readonly productsLeft: (workspace: string) => Promise<number>
  readonly bulkEdits: {
    /** @returns the job */
    start(edit: {
      workspace: string
      brand: string
      target: BulkTarget
      cells: Cells
      by: string
      notify: Notify | null
    }): Promise<string>
    count(target: BulkTarget): Promise<number>
  }
}

const isEmpty = (filter: object) => Object.values(filter).every((value) => value === undefined)

const request = z
  .strictObject({
    /** Always said: a bulk change is of one catalog, and of no default. */
    catalog_id: catalogId,
    brand_id: brandId.optional(),
    product_ids: z.array(productId).min(1).max(10_000).optional(),
    /** As the list takes it; empty means every product of the catalog. */
    filter: bodysFilter.optional(),
    /** Said beside an empty filter: every product of the catalog is meant. */
    all: z.literal(true).optional(),
    changes: productChange.optional(),
    /** true deletes; false brings back what was deleted. */
    deleted: z.boolean().optional(),
    dry_run: z.boolean().optional(),
    notify_email: z.boolean().optional(),
  })
  .refine((body) => (body.product_ids === undefined) !== (body.filter === undefined), {
    error: 'say which products: product_ids or filter, one of the two',
    path: ['product_ids'],
  })
  .refine((body) => (body.changes === undefined) !== (body.deleted === undefined), {
    error: 'say what to do: changes or deleted, one of the two',
    path: ['changes'],
  })
  .refine((body) => body.changes?.sku === undefined, {
    error: 'a SKU belongs to one product and cannot be set in bulk',
    path: ['changes', 'sku'],
  })
  .refine((body) => body.deleted !== true || body.all || body.filter === undefined || !isEmpty(body.filter), {
    error: 'an empty filter deletes every product of the catalog: say "all": true beside it if that is meant',
    path: ['filter'],
  })
  .refine((body) => !body.all || (body.filter !== undefined && isEmpty(body.filter)), {
    error: 'all stands beside an empty filter; this request names some products',
    path: ['all'],
  })

const counted = z.object({ matched: z.int() })

type Bulk = z.infer<typeof request>

export const bulk: FastifyPluginAsyncZod<BulkPorts> = async (
  app,
  { catalog, bulkEdits, weights, requiredProfiles, productsLeft },
) => {
  /** Whole or not at all; variants are counted for products here, since most that come back are none. */
  async function requireRoom(workspace: string, target: BulkTarget) {
    const [back, left] = await Promise.all([bulkEdits.count(target), productsLeft(workspace)])
    if (back <= left) return
    const message = `It would bring back up to ${back} products, and the plan takes ${Math.max(0, left)} more`
    throw new ServiceError('PLAN_LIMIT', { message })
  }

  app.post(
    '/catalog/products/bulk',
    {
      config: { action: 'products:write' },
      schema: {
        summary: 'Change, delete or bring back many products',
        description:
          'As a job, whose result says what really happened: `matched`, `changed`, `unchanged`, `refused`, `missing`. ' +
          'An empty `filter` means every product of the catalog; to delete them all, `"all": true` stands beside it. ' +
          'With `dry_run` nothing is done and the answer counts the products that it would touch.',
        tags: ['Products'],
        errors: ['CATALOG_NOT_FOUND', 'PLAN_LIMIT'],
        examples: {
          body: { catalog_id: exampleIds.catalogId, filter: { kind: 'single' }, changes: { brand: 'Rheingold Home' } },
          answer: { job: { id: exampleIds.jobId } },
        },
        params: z.object({ workspaceId }),
        body: request,
        answers: { 200: { type: 'application/json', schema: counted, example: { matched: 120 } } },
        response: { 200: counted, 202: z.object({ job: z.object({ id: z.uuid() }) }) },
      },
    },
    async (asked, reply) => {
      const bearer = bearerOf(asked)
      const { body } = asked
      const row = await catalog.withTenant(principalOf(bearer), (tx) => findCatalog(tx, body.catalog_id))
      if (!row || (body.brand_id !== undefined && row.brandId !== body.brand_id))
        throw new ServiceError('CATALOG_NOT_FOUND', { field: 'catalog_id' })
      const weighed = await weights(row.workspaceId)
      const scoring = await readScoring(body.filter?.platform, weighed, requiredProfiles, row.brandId)
      const target = {
        ...targetOf(row.id, body),
        scoring,
        filter: body.filter && readFilter(body.filter, row.id, weighed),
      }
      if (body.dry_run) return reply.code(200).send({ matched: await bulkEdits.count(target) })
      if (body.deleted === false) await requireRoom(row.workspaceId, target)
      const notify = await notifyOf(catalog, bearer, body.notify_email)
      const edit = {
        ...{ workspace: row.workspaceId, brand: row.brandId, target },
        ...{ cells: cellsOf(body), by: bearer.subject, notify },
      }
      return reply.code(202).send({ job: { id: await bulkEdits.start(edit) } })
    },
  )
}

function targetOf(catalog: string, { product_ids, deleted }: Bulk): BulkTarget {
  const ids = product_ids && [...new Set(product_ids.map((id) => id.toLowerCase()))]
  return { catalog, alive: deleted !== false, ids }
}

/** A deletion has a value of its own, so that it is news to the layer whatever was said before. */
function cellsOf({ changes, deleted }: Bulk): Cells {
  if (deleted !== undefined) return { deleted: deleted ? new Date().toISOString() : clearWord }
  const { brand_id: _named, ...fields } = changes ?? {}
  return cellsOfBody(fields)
}
