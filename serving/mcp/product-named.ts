/** The product of the working catalog that an agent names, by id or by SKU. */
import { findProduct, findProductBySku } from '../../infra/catalog/product-queries.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { readIdentifier } from '../../transforms/silver/text.ts'
import { type Bearer, principalOf } from '../plugins/access.ts'
import type { OneProduct } from '../workspace/present-products.ts'
import type { McpPorts } from './mcp-ports.ts'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** An id may be of any catalog that the bearer sees; a SKU is of X-Active-Catalog, else of the brand's default catalog. @throws DATA_001 */
export async function productNamed(
  { catalog }: Pick<McpPorts, 'catalog'>,
  bearer: Bearer,
  named: string,
): Promise<OneProduct> {
  if (uuid.test(named)) {
    const row = await catalog.readOnce(principalOf(bearer), (tx) => findProduct(tx, named.toLowerCase()))
    if (row && (bearer.brand === null || row.brandId === bearer.brand)) return row
  }
  const sku = readIdentifier(named)
  const row = sku !== null && (await catalog.readOnce(principalOf(bearer), (tx) => findProductBySku(tx, bearer, sku)))
  if (row) return row
  throw new ServiceError('DATA_001', {
    message: `There is no product with the id or SKU ${named.slice(0, 100)} in this catalog`,
    field: 'product_id',
  })
}
