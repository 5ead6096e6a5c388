/** The brand and catalog that a question about events is about. */
import { brandNamed } from '../../infra/catalog/brands.ts'
import type { Catalog, Principal } from '../../infra/catalog/postgres.ts'
import { findCatalog } from '../../infra/catalog/tenants.ts'
import type { Scope } from '../../infra/events/aggregate.ts'
import { ServiceError } from '../../schemas/errors.ts'

export interface Named {
  readonly principal: Principal
  readonly brand: string | null
  readonly catalog: string | null
}

/** A catalog that is named must be of the brand that is named. */
export function scopeOf(
  catalog: Pick<Catalog, 'withTenant'>,
  { principal, brand: named, catalog: id }: Named,
): Promise<Scope> {
  const workspace = principal.workspaceId
  return catalog.withTenant(principal, async (tx) => {
    const row = id === null ? null : await findCatalog(tx, id)
    if (id !== null && (!row || (named !== null && row.brandId !== named)))
      throw new ServiceError('CATALOG_NOT_FOUND', { field: 'X-Active-Catalog' })
    const brand = named ?? row?.brandId ?? (await brandNamed(tx, workspace, 'main'))
    if (brand === null)
      throw new ServiceError('INVALID_REQUEST', { message: 'Say which brand with brand_id', field: 'brand_id' })
    return { workspace, brand, catalog: row?.id ?? null }
  })
}
