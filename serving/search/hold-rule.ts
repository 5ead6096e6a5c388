/** Refuses what is no rule of search, or is one of another's catalog. */
import type { PoolClient } from 'pg'
import { findCatalog } from '../../infra/catalog/tenants.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { type RuleBody, ruleFault } from './rule-resource.ts'

/** @param within where it stands in the body @throws where it is no rule */
export function holdRule(body: RuleBody, within: string): void {
  const fault = ruleFault(body)
  if (!fault) return
  const field = `${within}${fault.field}`
  throw new ServiceError('INVALID_REQUEST', { message: `${field}: ${fault.says}`, field })
}

/** @throws where it is none of the brand's */
export async function holdCatalog(tx: PoolClient, brand: string, id: string | null): Promise<void> {
  const row = id === null ? null : await findCatalog(tx, id)
  if (id !== null && row?.brandId !== brand) throw new ServiceError('CATALOG_NOT_FOUND', { field: 'catalog_id' })
}
