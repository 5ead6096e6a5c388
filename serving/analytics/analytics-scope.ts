/** The brand or catalog whose searches or recommendations are asked about. */
import { brandNamed } from '../../infra/catalog/brands.ts'
import type { Catalog } from '../../infra/catalog/postgres.ts'
import { findCatalog } from '../../infra/catalog/tenants.ts'
import type { AnalyticsScope } from '../../infra/events/analytics-scope.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { requireOneBrand } from '../access/active-brand.ts'
import { type Bearer, principalOf } from '../plugins/access.ts'

export type Tenant = Omit<AnalyticsScope, 'upTo' | 'receivedBy'>

/** A catalog that is named must be of the brand that is named. */
export function analyticsScope(
  catalog: Pick<Catalog, 'withTenant'>,
  bearer: Bearer,
  id: string | undefined,
): Promise<Tenant> {
  const { workspace, brand } = bearer
  const named = id ?? bearer.catalog
  return catalog.withTenant(principalOf(bearer), async (tx) => {
    if (named !== null) {
      const row = await findCatalog(tx, named)
      if (!row || (brand !== null && row.brandId !== brand))
        throw new ServiceError('CATALOG_NOT_FOUND', { field: 'catalog_id' })
      return { workspace, brand: row.brandId, catalog: row.id, isDefault: row.isDefault }
    }
    requireOneBrand(bearer)
    const chosen = brand ?? (await brandNamed(tx, workspace, 'main'))
    if (chosen === null)
      throw new ServiceError('INVALID_REQUEST', { message: 'Say which brand with brand_id', field: 'brand_id' })
    return { workspace, brand: chosen, catalog: null, isDefault: false }
  })
}
