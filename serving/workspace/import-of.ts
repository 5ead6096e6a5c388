/** The import that a request names, where the bearer may see it. */
import { findLedger, type LedgerRow } from '../../infra/catalog/import-queries.ts'
import type { Catalog } from '../../infra/catalog/postgres.ts'
import { findCatalog } from '../../infra/catalog/tenants.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { Bearer } from '../access/principal.ts'
import { principalOf } from '../plugins/access.ts'

/** @throws ServiceError NOT_FOUND, also where its catalog is deleted */
export async function importOf(catalog: Pick<Catalog, 'withTenant'>, bearer: Bearer, id: string): Promise<LedgerRow> {
  const row = await catalog.withTenant(principalOf(bearer), async (tx) => {
    const found = await findLedger(tx, id)
    return found && (await findCatalog(tx, found.catalog)) ? found : null
  })
  if (!row) throw new ServiceError('NOT_FOUND', { message: 'Import not found', field: 'importId' })
  return row
}
