/** Fields that agents asked for and the products of a catalog lack, as they are now, and how true that is. */
import type { CatalogRow } from '../../infra/catalog/tenants.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { daysAfter, utcDay } from '../../schemas/utc-day.ts'
import { lostSentence } from '../../transforms/demand/rank-lost.ts'
import { type Bearer, principalOf } from '../plugins/access.ts'
import { toDemandGap } from './demand-gap-resource.ts'
import type { DemandPorts } from './demand-gaps.ts'
import { demandReport } from './demand-report.ts'

export interface AskedDemand {
  readonly row: CatalogRow
  readonly days: number
  readonly limit: number
}

/** @throws ServiceError where the days hold too much to be read */
export async function demandAnswer(
  { catalog, aggregation, demand, weights: weightsOf, now }: DemandPorts,
  bearer: Bearer,
  { row, days, limit }: AskedDemand,
  signal: AbortSignal,
) {
  const at = now()
  await aggregation.reached()
  // Before the question: what comes meanwhile may be counted, what the snapshot names is.
  const { snapshot, lag } = await aggregation.progress()
  const of = { workspace: row.workspaceId, brand: row.brandId, catalog: row.id, isDefault: row.isDefault }
  const from = daysAfter(utcDay(at), 1 - days)
  const asked = await demand({ ...of, from, now: at, signal }).catch((cause: unknown) => {
    if (!aggregation.isTooMuch(cause)) throw cause
    const message = `${cause.message}; ask for fewer days`
    throw new ServiceError('INVALID_REQUEST', { message, field: 'days', cause })
  })
  const read = <T>(work: Parameters<typeof catalog.withTenant<T>>[1]) => catalog.withTenant(principalOf(bearer), work)
  const { gaps, isSample } = await demandReport(read, row.id, asked, limit)
  const weights = await weightsOf(row.workspaceId)
  return {
    ...{ catalogId: row.id, days, isSample, lag, snapshot, rows_read: asked.rowsRead },
    gaps: gaps.map((one) => toDemandGap(one, lostSentence(one), weights)),
    generated_at: at.toISOString(),
    watermark: asked.watermark?.toISOString() ?? null,
  }
}
