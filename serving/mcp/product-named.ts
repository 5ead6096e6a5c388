/** The products of the working catalog that an agent names, by id or by SKU. */
import type { Finder } from '../../infra/catalog/named-products.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { readIdentifier } from '../../transforms/silver/text.ts'
import { type Bearer, principalOf } from '../plugins/access.ts'
import type { McpPorts } from './mcp-ports.ts'

type Ports = Pick<McpPorts, 'catalog'>
interface Named {
  readonly id: string
  readonly brandId: string
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** An id may be of any catalog that the bearer sees; a SKU is of X-Active-Catalog, else of the brand's default catalog. @throws DATA_001 */
export async function productNamed<Row extends Named>(
  find: Finder<Row>,
  { catalog }: Ports,
  bearer: Bearer,
  named: string,
): Promise<Row> {
  if (uuid.test(named)) {
    const row = await catalog.readOnce(principalOf(bearer), (tx) => find.byId(tx, named.toLowerCase()))
    if (row && isOf(row, bearer)) return row
  }
  const sku = readIdentifier(named)
  const row = sku !== null && (await catalog.readOnce(principalOf(bearer), (tx) => find.bySku(tx, bearer, sku)))
  if (row) return row
  throw noProduct(named)
}

/** The same of several, in one question. @returns by name, those that there are; `noProduct` tells of one that there is not */
export async function productsNamed<Row extends Named>(
  find: Finder<Row>,
  { catalog }: Ports,
  bearer: Bearer,
  names: readonly string[],
): Promise<ReadonlyMap<string, Row>> {
  const ids = names.filter((name) => uuid.test(name)).map((name) => name.toLowerCase())
  const skus = names.flatMap((name) => readIdentifier(name) ?? [])
  const rows = await catalog.readOnce(principalOf(bearer), (tx) => find.named(tx, bearer, { ids, skus }))
  const byId = new Map<string, Row>()
  const bySku = new Map<string, Row>()
  for (const row of rows) {
    const [found, key] = row.bySku === null ? [byId, row.id] : [bySku, row.bySku]
    if (!found.has(key) && (row.bySku !== null || isOf(row, bearer))) found.set(key, row)
  }
  return new Map(
    names.flatMap((name) => {
      const row = byId.get(name.toLowerCase()) ?? bySku.get(readIdentifier(name) ?? '')
      return row ? [[name, row] as const] : []
    }),
  )
}

const isOf = (row: Named, { brand }: Bearer) => brand === null || row.brandId === brand

export const noProduct = (named: string) =>
  new ServiceError('DATA_001', {
    message: `There is no product with the id or SKU ${named.slice(0, 100)} in this catalog`,
    field: 'product_id',
  })
