/** The catalog that a request about products means: the one it names, else the default catalog of its brand. */
import { brandNamed, findBrand } from '../../infra/catalog/brands.ts'
import type { Catalog } from '../../infra/catalog/postgres.ts'
import { type CatalogRow, defaultCatalog, findCatalog } from '../../infra/catalog/tenants.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { requireOneBrand } from '../access/active-brand.ts'
import { type Bearer, principalOf } from '../plugins/access.ts'

export function chooseCatalog(
  catalog: Pick<Catalog, 'withTenant'>,
  bearer: Bearer,
  { id, brand }: { id: string | undefined; brand: string | undefined },
): Promise<CatalogRow> {
  return catalog.withTenant(principalOf(bearer), async (tx) => {
    const named = id ?? bearer.catalog
    if (named !== null) {
      const row = await findCatalog(tx, named)
      if (!row || (brand !== undefined && row.brandId !== brand))
        throw new ServiceError('CATALOG_NOT_FOUND', { field: 'catalog_id' })
      return row
    }
    if (brand === undefined) requireOneBrand(bearer)
    const chosen = brand ?? bearer.brand ?? (await brandNamed(tx, bearer.workspace, 'main'))
    if (chosen === null)
      throw new ServiceError('INVALID_REQUEST', { message: 'Say which brand with brand_id', field: 'brand_id' })
    if (!(await findBrand(tx, chosen)))
      throw new ServiceError('FORBIDDEN', { message: 'There is no such brand among yours', field: 'brand_id' })
    const row = await defaultCatalog(tx, chosen)
    if (!row) throw new ServiceError('CATALOG_NOT_FOUND', { message: 'The brand has no default catalog' })
    return row
  })
}
