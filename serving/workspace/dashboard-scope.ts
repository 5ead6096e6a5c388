/** The events that a dashboard is about: those of its brand, or of one catalog of that. */
import type { PoolClient } from 'pg'
import { findDashboard } from '../../infra/catalog/dashboards.ts'
import { findCatalog } from '../../infra/catalog/tenants.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { Bearer } from '../plugins/access.ts'
import { dashboardNotFound } from './dashboard-resource.ts'

/** @param named in the query; without it X-Active-Catalog is it */
export async function dashboardScope(
  tx: PoolClient,
  { workspace, catalog: active }: Bearer,
  id: string,
  named: string | undefined,
) {
  const dashboard = await findDashboard(tx, id)
  if (!dashboard) throw dashboardNotFound()
  const catalog = named ?? active
  if (catalog !== null && (await findCatalog(tx, catalog))?.brandId !== dashboard.brandId)
    throw new ServiceError('CATALOG_NOT_FOUND', { field: 'catalog_id' })
  return { dashboard, scope: { workspace, brand: dashboard.brandId, catalog } }
}
