/** GET /api/v1/recommendations: products to show beside one, in a category, or to begin with, each with the way in which it was found. */
import { randomUUID } from 'node:crypto'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { ServiceError } from '../../schemas/errors.ts'
import type { RecordedEvent } from '../../schemas/event.ts'
import { catalogId, productId } from '../../schemas/ids.ts'
import { isOfProduct, type RecommendationMethod, recommendationMethods } from '../../schemas/recommendation.ts'
import { bearerOf } from '../plugins/access.ts'
import { wholeNumber } from '../whole-number.ts'
import { exampleIds } from '../workspace/examples.ts'
import { fieldsOf } from './answer-search.ts'
import { publishedProduct, publishedResource } from './published-resource.ts'
import { type AskedRecommendation, type Recommended, type RecommendPorts, recommend } from './recommend.ts'
import { knownScope, type SearchRoutePorts, tags } from './search.ts'
import { askedFields, fieldsFrom } from './search-query.ts'

export interface RecommendationPorts extends SearchRoutePorts {
  readonly recommend: RecommendPorts
}

const method = z.enum(recommendationMethods)

const query = z.object({
  product_id: productId.optional(),
  category: z.string().max(500).optional(),
  method: method.optional(),
  brand_id: z.string().optional(),
  catalog_id: catalogId.optional(),
  fields: askedFields,
  limit: wholeNumber(1, 100).default(10),
})
type Query = z.output<typeof query>

const category = z.array(z.string()).nullable()
const answer = z.object({
  recommendation_id: z.uuid(),
  products: z.array(publishedResource.partial().extend({ method, position: z.int() })),
  methods_tried: z.array(z.object({ method, category, products: z.int() })),
})

const description = [
  'Published products of the brand, never the product itself nor two of one family; what is out of stock comes last. `method` says how they are found, and where it finds too few, the methods behind it in this list fill up: `similar` (category, words, brand and price), `together` (ordered by the same customers, or in the same session), `viewed_together` (viewed in the same sessions), `trending` (met more in the last three days than the two weeks before let expect), `popular` (views, clicks, carts and orders of the last 60 days, each halved once a week), `best` (by score). The first three need `product_id`; without `method` it is `similar` with a product, else `trending`. Of the others those in the product’s own category come first, then in the categories above it.',
  '`category`, a level or a path as `Shoes > Boots`, leaves out all else. Each product has its `method` and `position`, and `methods_tried` says in which order what was tried, and how many products of the answer each gave.',
  'Each answer is told as events `recommendation_shown`, one for each method that gave products. Send a `recommendation_click` when somebody opens one: `{ "type": "recommendation_click", "product_id": …, "metadata": { "recommendation_id": …, "method": …, "position": … } }`.',
].join('\n\n')

export const recommendations: FastifyPluginAsyncZod<RecommendationPorts> = async (app, ports) => {
  app.get(
    '/api/v1/recommendations',
    {
      config: { action: 'search:read', channel: 'search', invalid: 'SEARCH_001', stripsSearch: true },
      schema: {
        summary: 'Recommend products',
        description,
        tags,
        errors: ['SEARCH_001', 'DATA_001', 'DATA_002', 'RATE_001', 'INVALID_REQUEST'],
        examples: {
          query: { limit: 4 },
          answer: {
            recommendation_id: exampleIds.productId,
            products: [{ id: exampleIds.productId, title: 'Enamel mug', price: 12.5, method: 'popular', position: 1 }],
            methods_tried: [
              { method: 'trending', category: null, products: 0 },
              { method: 'popular', category: null, products: 1 },
            ],
          },
        },
        querystring: query,
        response: { 200: answer },
      },
    },
    async (request) => {
      const bearer = bearerOf(request)
      const catalog = request.query.catalog_id ?? bearer.catalog ?? undefined
      const { principal, brand } = await knownScope(bearer, catalog, ports)
      const asked = { ...askedOf(request.query, brand, catalog ?? null), at: ports.now() }
      const found = await recommend(ports.recommend, principal, asked)
      const id = randomUUID()
      for (const event of eventsOf(id, asked, found)) ports.recordFor(principal.workspaceId, request, event)
      const [weights, required] = await Promise.all([
        ports.weights(principal.workspaceId),
        ports.requiredProfiles(brand),
      ])
      const fields = fieldsFrom(request.query)
      return {
        recommendation_id: id,
        products: found.products.map(({ product, step }, i) => ({
          ...fieldsOf(publishedProduct(product.row, weights, required), fields, true),
          ...{ method: step.method, position: i + 1 },
        })),
        methods_tried: found.tried.map((step) => ({
          ...{ method: step.method, category: step.category && [...step.category] },
          products: found.products.filter((one) => one.step === step).length,
        })),
      }
    },
  )
}

/** @throws SEARCH_001 for a method that needs a product and has none */
function askedOf(
  { product_id, category, method, limit }: Query,
  brand: string,
  catalog: string | null,
): Omit<AskedRecommendation, 'at'> {
  const product = product_id ?? null
  if (method && isOfProduct(method) && product === null)
    throw new ServiceError('SEARCH_001', {
      message: `The method ${method} begins with a product: say which with product_id, or ask for trending, popular or best`,
      field: 'product_id',
    })
  const levels = (category ?? '').split('>').flatMap((level) => level.trim() || [])
  const chosen = method ?? (product === null ? 'trending' : 'similar')
  return { ...{ brand, catalog, product, limit, method: chosen }, category: levels.length === 0 ? null : levels }
}

/** One for each method that gave products, so that each is measured by its own; one that says so where none did. */
function eventsOf(id: string, asked: AskedRecommendation, { products }: Recommended): RecordedEvent[] {
  const given = new Map<RecommendationMethod, { ids: string[]; positions: number[] }>()
  products.forEach(({ product, step }, i) => {
    const of = given.get(step.method) ?? { ids: [], positions: [] }
    of.ids.push(product.id)
    of.positions.push(i + 1)
    given.set(step.method, of)
  })
  if (given.size === 0) given.set(asked.method, { ids: [], positions: [] })
  return [...given].map(([method, { ids, positions }]) => ({
    ...{ type: 'recommendation_shown', brand: asked.brand },
    ...(asked.catalog !== null && { catalog: asked.catalog }),
    ...(ids.length > 0 && { products: ids }),
    metadata: {
      ...{ channel: 'recommendations', method, recommendation_id: id, results: String(ids.length) },
      ...(ids.length > 0 && { positions: positions.join(',') }),
      ...(method !== asked.method && { asked_method: asked.method }),
      ...(asked.product !== null && { product: asked.product }),
      ...(asked.category !== null && { category: asked.category.join(' > ') }),
    },
  }))
}
