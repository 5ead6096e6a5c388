/** Makes answers of product rows: scores by the weights in force, and parents with the options of their families. */
import { optionAxes } from '../../infra/catalog/family-queries.ts'
import { findProduct, type ProductRow } from '../../infra/catalog/product-queries.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { Layers } from '../../schemas/pipeline.ts'
import { entityTag, type Revision } from '../entity-tag.ts'
import { type Bearer, principalOf } from '../plugins/access.ts'
import type { ProductPorts, WeightsInForce } from './product-ports.ts'
import { type ProductResource, toResource } from './product-resource.ts'

export type OneProduct = ProductRow & { readonly layers: Buffer }

export function presentProducts({
  catalog,
  recentWeights,
  requiredProfiles,
  partitionOf,
}: Pick<ProductPorts, 'catalog' | 'recentWeights' | 'requiredProfiles' | 'partitionOf'>) {
  /** @throws ServiceError 404, also where it is another's */
  async function read(bearer: Bearer, id: string): Promise<OneProduct> {
    const row = await catalog.readOnce(principalOf(bearer), (tx) => findProduct(tx, id))
    if (!row) throw new ServiceError('NOT_FOUND', { message: 'Product not found', field: 'productId' })
    return row
  }

  /** Of one catalog. @param weights that they were found by, where the two must not differ @param place of one that is read alone */
  async function present(
    bearer: Bearer,
    rows: readonly ProductRow[],
    { weights, place = null }: { weights?: WeightsInForce; place?: ProductPorts['partitionOf'] | null } = {},
  ): Promise<ProductResource[]> {
    const [weighed, required] = await Promise.all([
      weights ?? recentWeights(bearer.workspace),
      rows[0] ? requiredProfiles(rows[0].brandId) : 0,
    ])
    const parents = rows.filter(({ kind }) => kind === 'parent')
    const axes = parents[0]
      ? await catalog.withTenant(principalOf(bearer), (tx) =>
          optionAxes(
            tx,
            parents[0]?.catalogId ?? '',
            parents.map(({ id }) => id),
          ),
        )
      : null
    return rows.map((row) => toResource(row, weighed, required, axes?.get(row.id), place))
  }

  return {
    read,
    present,
    async presentOne(bearer: Bearer, row: ProductRow): Promise<ProductResource> {
      const [one] = await present(bearer, [row], { place: partitionOf })
      if (!one) throw new Error('the product was not presented')
      return one
    },
  }
}

/** The position of the last record that changed a cell. */
export const revisionOf = ({ layers }: OneProduct): Revision => JSON.parse(layers.toString()) as Layers
export const tagOf = (row: OneProduct): string => entityTag(revisionOf(row))
