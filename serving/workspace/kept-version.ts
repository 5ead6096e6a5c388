/** Finds a version that a request names, or says whether there never was one or it is kept no longer. */
import type { PoolClient } from 'pg'
import type { CatalogRow } from '../../infra/catalog/tenants.ts'
import { findVersion, type VersionRow } from '../../infra/catalog/version-queries.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { retention } from '../../schemas/retention.ts'

/** What a route that asks for one can answer. */
export const versionErrors = ['NOT_FOUND', { code: 'NOT_FOUND', status: 410 }] as const

/** @throws 404 where there is no such version, 410 where it is no longer kept */
export async function keptVersion(
  tx: PoolClient,
  row: Pick<CatalogRow, 'id'>,
  version: number,
  field: string,
): Promise<VersionRow> {
  const found = await findVersion(tx, row.id, version)
  const { days, atLeast } = retention.versions
  if (found === 'dropped')
    throw new ServiceError('NOT_FOUND', {
      status: 410,
      message: `Version ${version} is no longer kept; versions are kept ${days} days, and the latest ${atLeast} always`,
      field,
    })
  if (!found) throw new ServiceError('NOT_FOUND', { message: `There is no version ${version}`, field })
  return found
}
