/** Whose synonyms and rules of search a request is about: the bearer's brand, else `main`. */
import { brandNamed, findBrand } from '../../infra/catalog/brands.ts'
import type { Catalog } from '../../infra/catalog/postgres.ts'
import type { TellingPlace } from '../../infra/catalog/search-told.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { requireOneBrand } from '../access/active-brand.ts'
import { type Bearer, principalOf } from '../plugins/access.ts'

export async function tellingScope(bearer: Bearer, catalog: Pick<Catalog, 'withTenant'>) {
  requireOneBrand(bearer)
  const principal = principalOf(bearer)
  const within: <T>(work: Parameters<typeof catalog.withTenant<T>>[1]) => Promise<T> = (work) =>
    catalog.withTenant(principal, work)
  const brand = await within(async (tx) => {
    const named = bearer.brand ?? (await brandNamed(tx, bearer.workspace, 'main'))
    return named !== null && (await findBrand(tx, named)) ? named : null
  })
  if (brand === null)
    throw new ServiceError('INVALID_REQUEST', { message: 'Say which brand with brand_id', field: 'brand_id' })
  const place: TellingPlace = { workspace: bearer.workspace, brand, by: bearer.subject }
  return { principal, brand, within, place }
}
