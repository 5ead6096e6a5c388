/** Published versions of a catalog: list, read, read product by product, compare. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { PoolClient } from 'pg'
import { z } from 'zod'
import type { Catalog } from '../../infra/catalog/postgres.ts'
import { type CatalogRow, findCatalog } from '../../infra/catalog/tenants.ts'
import { findVersionProduct, listVersionProducts, listVersions } from '../../infra/catalog/version-queries.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { catalogId, productId, workspaceId } from '../../schemas/ids.ts'
import { listQuery, nextCursor, nextTextCursor, readCursor, readTextCursor } from '../cursor.ts'
import { bearerOf, principalOf } from '../plugins/access.ts'
import { exampleIds, exampleProduct, exampleVersion } from './examples.ts'
import { keptVersion, versionErrors } from './kept-version.ts'
import { changeResource, comparePage } from './version-compare.ts'
import { toVersion, toVersionProduct, versionProduct, versionResource } from './version-resource.ts'

const tags = ['Versions']
const whole = /[1-9]\d{0,14}/
const versionNumber = z
  .string()
  .regex(new RegExp(`^${whole.source}$`), 'a version is a whole number from 1')
  .transform(Number)

const {
  optimizationScore: _s,
  feedReady: _f,
  feedReadyFor: _p,
  createdBy: _c,
  stage: _g,
  sourceIdentifier: _i,
  scoredWith: _w,
  duplicateGroup: _d,
  ...exampleVersionProduct
} = exampleProduct
const exampleChange = {
  productId: exampleIds.productId,
  change: 'modified',
  fields: [{ field: 'price', before: '12.50', after: '11.90' }],
}

export const versions: FastifyPluginAsyncZod<{ catalog: Pick<Catalog, 'withTenant'> }> = async (app, { catalog }) => {
  const params = z.object({ workspaceId, catalogId })
  const one = params.extend({ version: versionNumber })
  const errors = ['CATALOG_NOT_FOUND', ...versionErrors] as const

  /** What a page reads is one moment of the catalog. */
  const within = <T>(
    request: Parameters<typeof bearerOf>[0] & { params: { catalogId: string } },
    work: (tx: PoolClient, row: CatalogRow) => Promise<T>,
  ): Promise<T> =>
    catalog.withTenant(principalOf(bearerOf(request)), async (tx) => {
      const row = await findCatalog(tx, request.params.catalogId)
      if (!row) throw new ServiceError('CATALOG_NOT_FOUND', { field: 'catalogId' })
      return work(tx, row)
    })

  app.get(
    '/catalogs/:catalogId/versions',
    {
      config: { action: 'catalogs:read' },
      schema: {
        summary: 'List the versions of a catalog that are kept',
        description: 'Most recent first.',
        tags,
        errors: ['CATALOG_NOT_FOUND'],
        examples: { query: { limit: 20 }, answer: { versions: [exampleVersion], next: null } },
        params,
        querystring: listQuery,
        response: { 200: z.object({ versions: z.array(versionResource), next: z.string().nullable() }) },
      },
    },
    async (request) => {
      const { after, limit } = request.query
      const below = readTextCursor(after, whole)
      const rows = await within(request, (tx, row) =>
        listVersions(tx, row.id, below === null ? null : Number(below), limit + 1),
      )
      const next = nextTextCursor(
        rows.map(({ version }) => String(version)),
        limit,
      )
      return { versions: rows.slice(0, limit).map(toVersion), next }
    },
  )

  app.get(
    '/catalogs/:catalogId/versions/compare',
    {
      config: { action: 'catalogs:read' },
      schema: {
        summary: 'Compare two versions of a catalog',
        description:
          'What was added, removed and modified on the way from one to the other, in order of product id; either may be the later. A page may have fewer than `limit`; the last one has no `next`.',
        tags,
        errors,
        examples: {
          query: { from: '1', to: '2', limit: 20 },
          answer: { from: 1, to: 2, changes: [exampleChange], next: null },
        },
        params,
        querystring: listQuery.extend({ from: versionNumber, to: versionNumber }),
        response: {
          200: z.object({ from: z.int(), to: z.int(), changes: z.array(changeResource), next: z.string().nullable() }),
        },
      },
    },
    async (request) => {
      const { from, to, limit } = request.query
      const after = readCursor(request.query.after)
      const page = await within(request, async (tx, row) => {
        await keptVersion(tx, row, from, 'from')
        await keptVersion(tx, row, to, 'to')
        return comparePage(tx, row.id, [from, to], after, limit)
      })
      return { from, to, ...page }
    },
  )

  app.get(
    '/catalogs/:catalogId/versions/:version',
    {
      config: { action: 'catalogs:read' },
      schema: {
        summary: 'Read a version',
        tags,
        errors,
        examples: { answer: { version: exampleVersion } },
        params: one,
        response: { 200: z.object({ version: versionResource }) },
      },
    },
    async (request) => {
      const { version } = request.params
      const found = await within(request, (tx, row) => keptVersion(tx, row, version, 'version'))
      return { version: toVersion(found) }
    },
  )

  app.get(
    '/catalogs/:catalogId/versions/:version/products',
    {
      config: { action: 'products:read' },
      schema: {
        summary: 'List the products of a version',
        description: 'As they were when it was published.',
        tags,
        errors,
        examples: { query: { limit: 20 }, answer: { products: [exampleVersionProduct], next: null } },
        params: one,
        querystring: listQuery,
        response: { 200: z.object({ products: z.array(versionProduct), next: z.string().nullable() }) },
      },
    },
    async (request) => {
      const { limit } = request.query
      const { version } = request.params
      const after = readCursor(request.query.after)
      return within(request, async (tx, row) => {
        await keptVersion(tx, row, version, 'version')
        const rows = await listVersionProducts(tx, row.id, version, after, limit + 1)
        const scope = { ...row, catalogId: row.id }
        return {
          products: rows.slice(0, limit).map((one) => toVersionProduct(one, scope)),
          next: nextCursor(rows, limit),
        }
      })
    },
  )

  app.get(
    '/catalogs/:catalogId/versions/:version/products/:productId',
    {
      config: { action: 'products:read' },
      schema: {
        summary: 'Read a product of a version',
        tags,
        errors,
        examples: { answer: { product: exampleVersionProduct } },
        params: one.extend({ productId }),
        response: { 200: z.object({ product: versionProduct }) },
      },
    },
    async (request) => {
      const { version, productId: id } = request.params
      return within(request, async (tx, row) => {
        await keptVersion(tx, row, version, 'version')
        const found = await findVersionProduct(tx, row.id, version, id)
        if (!found) throw new ServiceError('NOT_FOUND', { message: 'Product not found', field: 'productId' })
        return { product: toVersionProduct(found, { ...row, catalogId: row.id }) }
      })
    },
  )
}
