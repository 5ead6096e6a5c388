/** Products of a workspace: create (endpoint 5), list, read, edit, delete; every write is a record that the worker judges. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { brandNamed, findBrand } from '../../infra/catalog/brands.ts'
import type { Catalog } from '../../infra/catalog/postgres.ts'
import { findProduct, listProducts, type ProductRow, skuIsTaken } from '../../infra/catalog/product-queries.ts'
import { type CatalogRow, defaultCatalog, findCatalog } from '../../infra/catalog/tenants.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { brandId, catalogId, productId, workspaceId } from '../../schemas/ids.ts'
import type { Cells } from '../../schemas/pipeline.ts'
import { productKind } from '../../schemas/product.ts'
import type { Weights } from '../../schemas/score.ts'
import { listQuery, nextCursor, readCursor } from '../cursor.ts'
import { type Bearer, bearerOf, principalOf } from '../plugins/access.ts'
import { exampleIds, exampleNewProduct, exampleProduct } from './examples.ts'
import { cellsOfBody, productChange, productCreate } from './product-body.ts'
import { productResource, toResource } from './product-resource.ts'

export interface EditScope {
  readonly workspace: string
  readonly brand: string
  readonly catalog: string
  readonly by: string
  /** The same for a repeat of the same request. */
  readonly seed?: string | undefined
}

/** What became of an edit once the sink passed it; `late`: it is on the log and not yet refined. */
export type Settled =
  | { readonly kind: 'done' | 'late' }
  | {
      readonly kind: 'refused'
      readonly code: 'DATA_003' | 'DATA_004' | 'CONFLICT' | 'INVALID_REQUEST'
      readonly says: string
    }

/** What the workspace's plan leaves. */
export interface ProductRoom {
  /** Takes the place of one product. @throws ServiceError where the plan has none left */
  take(workspace: string): Promise<void>
  /** The product did not come. */
  giveBack(workspace: string): void
}

export interface ProductPorts {
  readonly catalog: Pick<Catalog, 'withTenant' | 'readOnce'>
  readonly edits: {
    create(scope: EditScope, cells: Cells): Promise<{ product: string; settled: Settled } | null>
    edit(scope: EditScope, product: { id: string; sid: string }, cells: Cells): Promise<Settled>
  }
  readonly room: ProductRoom
  readonly weights: (workspace: string) => Promise<Weights>
  /** Bits of the profiles that a feed-ready product must pass. */
  readonly requiredProfiles: number
}

const answer = z.object({ product: productResource })
const tags = ['Products']

export const products: FastifyPluginAsyncZod<ProductPorts> = async (
  app,
  { catalog, edits, room, weights, requiredProfiles },
) => {
  const params = z.object({ workspaceId })
  const one = params.extend({ productId })
  const resource = async (row: ProductRow) => toResource(row, await weights(row.workspaceId), requiredProfiles)

  const catalogOf = (bearer: Bearer, id: string | undefined, brand: string | undefined): Promise<CatalogRow> =>
    catalog.withTenant(principalOf(bearer), async (tx) => {
      const named = id ?? bearer.catalog
      if (named !== null) {
        const row = await findCatalog(tx, named)
        if (!row || (brand !== undefined && row.brandId !== brand))
          throw new ServiceError('CATALOG_NOT_FOUND', { field: 'catalog_id' })
        return row
      }
      const chosen = brand ?? bearer.brand ?? (await brandNamed(tx, bearer.workspace, 'main'))
      if (chosen === null)
        throw new ServiceError('INVALID_REQUEST', { message: 'Say which brand with brand_id', field: 'brand_id' })
      if (!(await findBrand(tx, chosen)))
        throw new ServiceError('FORBIDDEN', { message: 'There is no such brand among yours', field: 'brand_id' })
      const row = await defaultCatalog(tx, chosen)
      if (!row) throw new ServiceError('CATALOG_NOT_FOUND', { message: 'The brand has no default catalog' })
      return row
    })

  const read = async (bearer: Bearer, id: string): Promise<ProductRow> => {
    const row = await catalog.readOnce(principalOf(bearer), (tx) => findProduct(tx, id, null))
    if (!row) throw new ServiceError('NOT_FOUND', { message: 'Product not found', field: 'productId' })
    return row
  }

  app.post(
    '/catalog/products',
    {
      config: { action: 'products:write' },
      schema: {
        summary: 'Create a product',
        description: "Without `catalog_id` it goes into the brand's default catalog.",
        tags,
        errors: ['DATA_003', 'DATA_004', 'CONFLICT', 'CATALOG_NOT_FOUND'],
        examples: { body: exampleNewProduct, answer: { product: exampleProduct } },
        params,
        body: productCreate,
        response: { 201: answer },
      },
    },
    async (request, reply) => {
      const bearer = bearerOf(request)
      const { catalog_id, brand_id, ...body } = request.body
      const into = await catalogOf(bearer, catalog_id, brand_id)
      if (body.sku !== undefined) {
        const sku = body.sku
        if (await catalog.withTenant(principalOf(bearer), (tx) => skuIsTaken(tx, into.id, sku)))
          throw new ServiceError('DATA_003', {
            message: `A product with the SKU ${sku} exists in this catalog`,
            field: 'sku',
          })
      }
      const seed = request.idempotent?.key
      const scope = { workspace: bearer.workspace, brand: into.brandId, catalog: into.id, by: bearer.subject, seed }
      await room.take(bearer.workspace)
      const made = await edits.create(scope, cellsOfBody(body)).catch((error: unknown) => {
        room.giveBack(bearer.workspace)
        throw error
      })
      if (made === null || made.settled.kind === 'refused') room.giveBack(bearer.workspace)
      if (made === null)
        throw new ServiceError('DATA_003', {
          message: 'Its identifiers stand on several products; give it a SKU of its own',
        })
      if (made.settled.kind === 'refused')
        throw new ServiceError(made.settled.code, { message: `A product with this identity exists: ${made.product}` })
      if (made.settled.kind === 'late') throw stillOnItsWay()
      return reply.code(201).send({ product: await resource(await read(bearer, made.product)) })
    },
  )

  app.get(
    '/catalog/products',
    {
      config: { action: 'products:read' },
      schema: {
        summary: 'List the products of a catalog',
        tags,
        errors: ['CATALOG_NOT_FOUND'],
        examples: {
          query: { limit: 20, catalog_id: exampleIds.catalogId, sku: 'MUG-1' },
          answer: { products: [exampleProduct], next: null },
        },
        params,
        querystring: listQuery.extend({
          catalog_id: catalogId.optional(),
          brand_id: brandId.optional(),
          kind: productKind.optional(),
          sku: z.string().max(500).optional(),
          family_id: z.uuid().optional(),
        }),
        response: { 200: z.object({ products: z.array(productResource), next: z.string().nullable() }) },
      },
    },
    async (request) => {
      const bearer = bearerOf(request)
      const { after, limit, catalog_id, brand_id, kind, sku, family_id } = request.query
      const from = await catalogOf(bearer, catalog_id, brand_id)
      const filter = { catalog: from.id, kind, sku, family: family_id }
      const rows = await catalog.withTenant(principalOf(bearer), (tx) =>
        listProducts(tx, filter, readCursor(after), limit + 1),
      )
      const weighed = await weights(bearer.workspace)
      const page = rows.slice(0, limit).map((row) => toResource(row, weighed, requiredProfiles))
      return { products: page, next: nextCursor(rows, limit) }
    },
  )

  app.get(
    '/catalog/products/:productId',
    {
      config: { action: 'products:read' },
      schema: {
        summary: 'Read a product',
        tags,
        errors: ['NOT_FOUND'],
        examples: { answer: { product: exampleProduct } },
        params: one,
        response: { 200: answer },
      },
    },
    async (request) => ({ product: await resource(await read(bearerOf(request), request.params.productId)) }),
  )

  app.patch(
    '/catalog/products/:productId',
    {
      config: { action: 'products:write' },
      schema: {
        summary: 'Change a product',
        description: 'A field that is null is cleared; one that is left out stays.',
        tags,
        errors: ['NOT_FOUND', 'DATA_003', 'DATA_004', 'CONFLICT'],
        examples: { body: { price: 11.9, currency: 'EUR' }, answer: { product: exampleProduct } },
        params: one,
        body: productChange,
        response: { 200: answer },
      },
    },
    async (request) => {
      const bearer = bearerOf(request)
      const row = await read(bearer, request.params.productId)
      const { brand_id: _named, ...changes } = request.body
      await edit(bearer, row, cellsOfBody(changes))
      return { product: await resource(await read(bearer, row.id)) }
    },
  )

  app.delete(
    '/catalog/products/:productId',
    {
      config: { action: 'products:write' },
      schema: {
        summary: 'Delete a product',
        tags,
        errors: ['NOT_FOUND', 'DATA_003', 'DATA_004', 'CONFLICT'],
        examples: { answer: { productId: exampleIds.productId, deleted: true } },
        params: one,
        response: { 200: z.object({ productId, deleted: z.literal(true) }) },
      },
    },
    async (request) => {
      const bearer = bearerOf(request)
      const row = await read(bearer, request.params.productId)
      // A value of its own, so that it is news to the layer whatever a file of edits said before.
      await edit(bearer, row, { deleted: new Date().toISOString() })
      return { productId: row.id, deleted: true as const }
    },
  )

  async function edit(bearer: Bearer, row: ProductRow, cells: Cells) {
    const scope = { workspace: row.workspaceId, brand: row.brandId, catalog: row.catalogId, by: bearer.subject }
    const settled = await edits.edit(scope, row, cells)
    if (settled.kind === 'refused') throw new ServiceError(settled.code, { message: settled.says })
    if (settled.kind === 'late') throw stillOnItsWay()
  }
}

/** The record is durable on the log: saying so beats answering with values that are not there yet. */
const stillOnItsWay = () =>
  new ServiceError('SERVER_002', {
    message: 'The write is safe on the log but not refined yet; read the product shortly',
  })
