/** GET /api/v1/products/{id}: a product as it is published. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { findPublished } from '../../infra/catalog/published-products.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { productId } from '../../schemas/ids.ts'
import { bearerOf, principalOf } from '../plugins/access.ts'
import { openedEvent, searchId, sessionId } from './opened-event.ts'
import { examplePublished, publishedProduct, publishedResource } from './published-resource.ts'
import { type SearchRoutePorts, tags } from './search.ts'

export const publishedRead: FastifyPluginAsyncZod<SearchRoutePorts> = async (
  app,
  { search, weights, requiredProfiles, recordFor },
) => {
  app.get(
    '/api/v1/products/:productId',
    {
      config: { action: 'search:read', channel: 'search', invalid: 'SEARCH_001' },
      schema: {
        summary: 'Read a published product',
        description:
          'As the present version has it; what is only in the working catalog, was removed, or is in a catalog that is not published is not there. With the `search_id` of the search that found it, it is told as opened.',
        tags,
        errors: ['SEARCH_001', 'DATA_001', 'RATE_001'],
        examples: { answer: { product: examplePublished } },
        params: z.object({ productId }),
        querystring: z.object({
          brand_id: z.string().optional(),
          search_id: searchId.optional(),
          session_id: sessionId.optional(),
        }),
        response: { 200: z.object({ product: publishedResource }) },
      },
    },
    async (request) => {
      const bearer = bearerOf(request)
      const row = await search.catalog.withTenant(principalOf(bearer), (tx) =>
        findPublished(tx, request.params.productId, bearer.brand),
      )
      if (!row) throw new ServiceError('DATA_001', { field: 'productId' })
      const { search_id, session_id } = request.query
      if (search_id !== undefined)
        recordFor(row.workspace, request, openedEvent(row, { channel: 'search', search_id, session_id }))
      return { product: publishedProduct(row, await weights(row.workspace), await requiredProfiles(row.brand)) }
    },
  )
}
