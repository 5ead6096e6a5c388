/** GET /api/search, for anyone who knows a brand, and GET /api/v1/search, for who has a key: searches of the published catalog. */
import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { brandNamed } from '../../infra/catalog/brands.ts'
import { findCatalog } from '../../infra/catalog/tenants.ts'
import { type ErrorCode, ServiceError } from '../../schemas/errors.ts'
import { brandId } from '../../schemas/ids.ts'
import { requireOneBrand } from '../access/active-brand.ts'
import { isAllowed } from '../access/ip-ranges.ts'
import type { AccessPorts } from '../access/principal.ts'
import { type Bearer, bearerOf, principalOf } from '../plugins/access.ts'
import { exampleIds } from '../workspace/examples.ts'
import { type AnswerPorts, answerSearch, type SearchScope, searchAnswer } from './answer-search.ts'
import { searchQuery } from './search-query.ts'

export interface SearchRoutePorts extends AnswerPorts {
  /** The workspace of a brand that there is. */
  readonly workspaceOf: (brand: string) => Promise<string | null>
  readonly access: Pick<AccessPorts, 'findPolicy'>
}

export const tags = ['Search']

const description = [
  'Searches what is published; the answer to a publish comes when it can be found. Words are found in any of their forms and without their accents, codes and numbers only as they are; a mistyped word that nothing has is corrected (`corrected_to`), and where no product has all words, those that have most of them are found (`relaxed`). A SKU, GTIN or MPN comes first.',
  'Filters: `category` (a level, or a path as `Shoes > Boots`), `brand`, `price_min` and `price_max` in integer minor units of the product’s own currency, `currency`, `availability`, `condition`, `attributes=color:red`, `feed_ready`. Of one filter that is named several times any value will do. `facets` names what is counted: `brand`, `category`, `price`, `availability`, `condition`, `attributes`, or one as `attributes.color`; beyond 10,000 products over the first of them (`counted_over`).',
  '`after` goes on in the versions, and with the synonyms and rules, that the first page read: nothing comes twice, whatever is published or told meanwhile. `rules` names the rules of the brand that had a say, for who has a key. A cursor is good for 55 minutes, then 410.',
  'Each search is an event. `search_id` is its id, the same on all its pages: send `product_view` with `metadata.search_id` and `metadata.position` (1 is the first of all pages) to `/api/v1/events` when a product that it found is opened, and `session_id` with the search, if you have one, so that the search analytics tell what came of it.',
].join('\n\n')

const example = {
  products: [
    {
      ...{
        id: exampleIds.productId,
        catalogId: exampleIds.catalogId,
        title: 'Enamel mug',
        price: 12.5,
        currency: 'EUR',
      },
      highlights: { title: 'Enamel <mark>mug</mark>' },
    },
  ],
  ...{ total: 1, total_is_estimate: false, corrected_to: null, relaxed: null, rules: [], next: null },
  search_id: exampleIds.searchId,
}

const searchErrors = [
  ...(['SEARCH_001', 'SEARCH_002', 'DATA_002', 'RATE_001', 'INVALID_REQUEST'] satisfies ErrorCode[]),
  { code: 'NOT_FOUND' as const, status: 410 },
]
const schema = { description, tags, errors: searchErrors, response: { 200: searchAnswer } }

export const search: FastifyPluginAsyncZod<SearchRoutePorts> = async (app, ports) => {
  app.get(
    '/api/search',
    {
      config: {
        channel: 'search',
        rate: 'search-anonymous',
        anonymous: true,
        invalid: 'SEARCH_001',
        stripsSearch: true,
      },
      schema: {
        ...schema,
        summary: 'Search the published catalogs of a brand, without a key',
        examples: { query: { brand_id: exampleIds.brandId, q: 'mug' }, answer: example },
        querystring: searchQuery.extend({ brand_id: brandId }),
      },
    },
    async (request) =>
      answerSearch(request, ports, await anonymousScope(request, request.query.brand_id, ports), request.query, {
        channel: 'anonymous_search',
      }),
  )

  app.get(
    '/api/v1/search',
    {
      config: { action: 'search:read', channel: 'search', invalid: 'SEARCH_001', stripsSearch: true },
      schema: {
        ...schema,
        summary: 'Search the published catalogs of a brand',
        examples: { query: { q: 'mug', facets: 'brand,price' }, answer: example },
        querystring: searchQuery.extend({ brand_id: z.string().optional() }),
      },
    },
    async (request) => {
      const bearer = bearerOf(request)
      const catalog = request.query.catalog_id ?? bearer.catalog ?? undefined
      const scope = await knownScope(bearer, catalog, ports)
      return answerSearch(request, ports, scope, { ...request.query, catalog_id: catalog }, { channel: 'search' })
    },
  )
}

/** @throws DATA_002 for a brand that there is not, as for one that has nothing published */
async function anonymousScope(
  { ip }: FastifyRequest,
  brand: string,
  { workspaceOf, access }: Pick<SearchRoutePorts, 'workspaceOf' | 'access'>,
): Promise<SearchScope> {
  const workspaceId = await workspaceOf(brand)
  const policy = workspaceId === null ? null : await access.findPolicy(workspaceId)
  if (workspaceId === null || !policy)
    throw new ServiceError('DATA_002', { message: 'Nothing is published under this brand', field: 'brand_id' })
  if (policy.ipAllow.length > 0 && !isAllowed(ip, policy.ipAllow))
    throw new ServiceError('FORBIDDEN', { message: `This workspace is not open to the address ${ip}` })
  return { principal: { workspaceId, brandIds: [brand] }, brand, known: false }
}

/** The catalog's brand where one is named, else the bearer's, else `main`. */
export async function knownScope(
  bearer: Bearer,
  catalog: string | undefined,
  { search }: Pick<SearchRoutePorts, 'search'>,
): Promise<SearchScope> {
  const principal = principalOf(bearer)
  if (catalog === undefined) requireOneBrand(bearer)
  if (catalog === undefined && bearer.brand !== null) return { principal, brand: bearer.brand, known: true }
  const brand = await search.catalog.withTenant(principal, async (tx) => {
    if (catalog === undefined) return bearer.brand ?? (await brandNamed(tx, bearer.workspace, 'main'))
    const row = await findCatalog(tx, catalog)
    if (!row) throw new ServiceError('DATA_002', { field: 'catalog_id' })
    return row.brandId
  })
  if (brand === null)
    throw new ServiceError('SEARCH_001', { message: 'Say which brand with brand_id', field: 'brand_id' })
  return { principal, brand, known: true }
}
