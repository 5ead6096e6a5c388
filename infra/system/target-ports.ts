/** Where a file goes that a request brings: the catalog that is named, or the default one of the caller's brand. */
import type { TargetPorts } from '../../ingest/dataset-query.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { bearerOf, principalOf } from '../../serving/plugins/access.ts'
import { notifyOf } from '../../serving/workspace/notify-of.ts'
import { brandNamed } from '../catalog/brands.ts'
import { defaultCatalog, findCatalog } from '../catalog/tenants.ts'
import type { System } from '../system.ts'

export const targetPorts = ({ catalog, config }: Pick<System, 'catalog' | 'config'>): TargetPorts => ({
  maxUploadBytes: config.maxUploadBytes,
  notify: (request, wanted) => notifyOf(catalog, bearerOf(request), wanted),
  async target(request, catalogId) {
    const bearer = bearerOf(request)
    const row = await catalog.withTenant(principalOf(bearer), async (tx) => {
      const named = catalogId ?? bearer.catalog
      if (named !== null) return findCatalog(tx, named)
      const brand = bearer.brand ?? (await brandNamed(tx, bearer.workspace, 'main'))
      return brand === null ? null : defaultCatalog(tx, brand)
    })
    if (!row) throw new ServiceError('CATALOG_NOT_FOUND', { field: 'catalog_id' })
    return { workspace: bearer.workspace, brand: row.brandId, catalog: row.id, by: bearer.subject }
  },
})
