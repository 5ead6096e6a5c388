/** search_products: what is published, found as the search of the shop finds it. */
import { z } from 'zod'
import { ServiceError } from '../../../schemas/errors.ts'
import { catalogId } from '../../../schemas/ids.ts'
import { availability } from '../../../schemas/product.ts'
import { seal, unseal } from '../../seal.ts'
import { answerSearch } from '../../search/answer-search.ts'
import { knownScope } from '../../search/search.ts'
import { longestCursor, type SearchQuery, searchQuery } from '../../search/search-query.ts'
import { pageSize } from '../shapes.ts'
import { shownProduct, toShown } from '../shown-product.ts'
import { defineTool } from '../tool.ts'

const minor = z.int().min(0)

export const searchProducts = defineTool({
  name: 'search_products',
  title: 'Search products',
  description: 'Searches published products by words, SKU or GTIN. Prices are integer minor units.',
  category: 'catalog',
  needs: null,
  input: z.strictObject({
    query: z.string().max(10_000).default(''),
    category: z.string().max(500).optional(),
    brand: z.string().max(500).optional(),
    price_min: minor.optional(),
    price_max: minor.optional(),
    availability: availability.optional(),
    attributes: z.array(z.string().max(500)).max(20).optional().describe('as color:red'),
    catalog_id: catalogId.optional(),
    limit: pageSize,
    cursor: z.string().max(longestCursor).optional(),
  }),
  output: z.object({
    products: z.array(shownProduct),
    total: z.int(),
    corrected_to: z.string().nullable(),
    next_cursor: z.string().nullable(),
    search_id: z.string(),
  }),
  async run({ query, catalog_id, cursor: given, limit, price_min, price_max, ...filters }, context) {
    const { bearer, ports, request, tell, agent } = context
    const catalog = catalog_id ?? bearer.catalog ?? undefined
    const scope = await knownScope(bearer, catalog, ports)
    // Spelled as in an address, where all is text.
    const amounts = { price_min: price_min?.toString(), price_max: price_max?.toString() }
    const place = `search_products\n${bearer.workspace}`
    const after = given === undefined ? undefined : unseal(ports.cursorKey, place, given)
    if (after === null)
      throw new ServiceError('MCP_002', { message: 'This is no cursor of this list', field: 'cursor' })
    const asked = readAsked({ q: query, catalog_id: catalog, after, limit: String(limit), ...amounts, ...filters })
    const found = await answerSearch(request, ports, scope, asked, { channel: 'tools', agent })
    tell({ brand: scope.brand, products: found.products.flatMap(({ id }) => id ?? []) })
    return {
      products: found.products.map(toShown),
      ...{
        total: found.total,
        corrected_to: found.corrected_to,
        next_cursor: found.next && seal(ports.cursorKey, place, found.next),
        search_id: found.search_id,
      },
    }
  },
})

/** @throws MCP_002 for what the search of an address would refuse */
function readAsked(query: object): SearchQuery {
  const read = searchQuery.safeParse(query)
  if (read.success) return read.data
  const [issue] = read.error.issues
  const field = String(issue?.path[0] ?? 'arguments')
  throw new ServiceError('MCP_002', { message: `${field}: ${issue?.message ?? 'is not valid'}`, field })
}
