/** GET …/catalog/products: the products of a catalog, filtered and in order, page by page. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { PoolClient } from 'pg'
import { z } from 'zod'
import { listProductPage } from '../../infra/catalog/product-list.ts'
import { workspaceId } from '../../schemas/ids.ts'
import { placeCursor, readPlaceCursor } from '../cursor.ts'
import { bearerOf, principalOf } from '../plugins/access.ts'
import { chooseCatalog } from './choose-catalog.ts'
import { exampleIds, exampleProduct } from './examples.ts'
import { presentProducts } from './present-products.ts'
import { productQuery, readProductQuery, readScoring } from './product-filter.ts'
import type { ProductPorts } from './product-ports.ts'
import { productResource } from './product-resource.ts'
import { underWeights } from './under-weights.ts'

export const productList: FastifyPluginAsyncZod<ProductPorts> = async (app, ports) => {
  const { catalog, requiredProfiles } = ports
  const { present } = presentProducts(ports)
  app.get(
    '/catalog/products',
    {
      config: { action: 'products:read', stripsSearch: true },
      schema: {
        summary: 'List the products of a catalog',
        description: [
          'Filters are met together. `band`, `feed_ready`, `gap` (a field that costs points) and `missing` (one that is absent altogether) follow from the present weights; `platform` asks `feed_ready` of that platform alone instead of those of the brand; `q` takes words that stand in title, SKU, GTIN, brand or part number; `category` takes levels, such as `Kitchen > Mugs`; `duplicate` asks for what is in a group of duplicates, or in none.',
          'By score only graded products are listed. Lists by score and by `updated_at` follow the products within two seconds, after an import when it has ended: `as_of` says up to when nothing is missing.',
          'A page may have fewer products than `limit`, even none, where those that are meant stand far apart: go on with `next` until it is null.',
        ].join(' '),
        tags: ['Products'],
        errors: ['CATALOG_NOT_FOUND'],
        examples: {
          query: { limit: 20, catalog_id: exampleIds.catalogId, band: 'warning', gap: 'gtin', sort: '-score' },
          answer: { products: [exampleProduct], next: null, as_of: exampleProduct.updatedAt },
        },
        params: z.object({ workspaceId }),
        querystring: productQuery,
        response: {
          200: z.object({
            products: z.array(productResource),
            next: z.string().nullable(),
            as_of: z.iso.datetime().optional(),
          }),
        },
      },
    },
    async (request) => {
      const bearer = bearerOf(request)
      const { after, limit, catalog_id, brand_id } = request.query
      const from = await chooseCatalog(catalog, bearer, { id: catalog_id, brand: brand_id })
      const list = (tx: PoolClient) =>
        underWeights(tx, bearer.workspace, async (inForce) => {
          const { weights } = inForce
          const { filter, platform, sort, direction, digest, isKey } = readProductQuery(request.query, from.id, weights)
          const place = readPlaceCursor(after, digest, isKey)
          const scoring = await readScoring(platform, weights, requiredProfiles, from.brandId)
          return { inForce, digest, ...(await listProductPage(tx, filter, scoring, { sort, direction }, place, limit)) }
        })
      const { rows, end, asOf, inForce, digest } = await catalog.withTenant(principalOf(bearer), list)
      return {
        products: await present(bearer, rows, { weights: inForce }),
        next: end && placeCursor(end, digest),
        ...(asOf ? { as_of: asOf.toISOString() } : {}),
      }
    },
  )
}
