/** The brand and catalog that events are about, as far as the caller may name them. */
import type { Collected, Refused } from '../../ingest/events/collect-events.ts'
import { brandNamed } from './brands.ts'
import type { Catalog, Principal } from './postgres.ts'

export interface EventScope {
  readonly principal: Principal
  /** Those that the request is about, where it says. */
  readonly brand: string | null
  readonly catalog: string | null
}

type Place = { readonly brand: string; readonly catalog?: string } | Omit<Refused, 'index'>
type Named = Pick<Collected, 'brand' | 'event'>

const unique = (ids: readonly (string | null | undefined)[]) => [...new Set(ids.filter((id) => id != null))]

/** One look-up for all, under policy. An event takes the brand that it names, else its catalog's, else the request's, else `main`. */
export async function placesOf(
  catalog: Pick<Catalog, 'withTenant'>,
  scope: EventScope,
  events: readonly Named[],
): Promise<(one: Named) => Place> {
  const { brands, catalogs, main } = await catalog.withTenant(scope.principal, async (tx) => {
    const brandIds = unique([scope.brand, ...events.map(({ brand }) => brand)])
    const catalogIds = unique([scope.catalog, ...events.map(({ event }) => event.catalog)])
    const brandSql = 'select brand_id as id from brand where brand_id = any ($1::uuid[]) and deleted_at is null'
    const catalogSql =
      'select catalog_id as id, brand_id as brand from catalog where catalog_id = any ($1::uuid[]) and deleted_at is null'
    const needsMain = scope.brand === null && events.some(({ brand }) => brand === undefined)
    return {
      brands: new Set((await tx.query<{ id: string }>(brandSql, [brandIds])).rows.map(({ id }) => id)),
      catalogs: new Map(
        (await tx.query<{ id: string; brand: string }>(catalogSql, [catalogIds])).rows.map(({ id, brand }) => [
          id,
          brand,
        ]),
      ),
      main: needsMain ? await brandNamed(tx, scope.principal.workspaceId, 'main') : null,
    }
  })
  return ({ brand: named, event }) => {
    const catalogId = event.catalog ?? scope.catalog ?? undefined
    const catalogsBrand = catalogId === undefined ? undefined : catalogs.get(catalogId)
    if (catalogId !== undefined && catalogsBrand === undefined)
      return { field: 'catalog_id', message: 'There is no such catalog among yours' }
    const brand = named ?? catalogsBrand ?? scope.brand ?? main
    if (brand === null) return { field: 'brand_id', message: 'Say which brand' }
    if (catalogsBrand !== undefined && catalogsBrand !== brand)
      return { field: 'catalog_id', message: 'The catalog is of another brand' }
    if (named !== undefined && !brands.has(named))
      return { field: 'brand_id', message: 'There is no such brand among yours' }
    return catalogId === undefined ? { brand } : { brand, catalog: catalogId }
  }
}
