/** Joins what agents asked for to what a catalog's products lack, and ranks it by the demand that is lost. */
import type { PoolClient } from 'pg'
import {
  countLacking,
  fieldsOfValues,
  type LackingCount,
  type LackingProduct,
  productsNamed,
  sampleOf,
  type WantedField,
} from '../../infra/catalog/lacking-queries.ts'
import type { Demand } from '../../infra/events/demand.ts'
import { boundWants } from '../../transforms/demand/bound-wants.ts'
import { type LostDemand, rankLost } from '../../transforms/demand/rank-lost.ts'
import { termsOf, type Want, wantsOf } from '../../transforms/demand/wants.ts'

/** Of a larger catalog so many are looked at, which makes a share right to one percent. */
const mostLookedAt = 20_000
const mostTerms = 500

export interface DemandReport {
  readonly gaps: readonly (LostDemand & { readonly examples: readonly LackingProduct[] })[]
  /** Whether some products were looked at in place of all. */
  readonly isSample: boolean
}

/** @param read a transaction in which the principal's rows exist */
export async function demandReport(
  read: <T>(work: (tx: PoolClient) => Promise<T>) => Promise<T>,
  catalog: string,
  demand: Pick<Demand, 'keys' | 'empty' | 'regrets'>,
  limit: number,
  lookAt = mostLookedAt,
): Promise<DemandReport> {
  return read(async (tx) => {
    const looked = await sampleOf(tx, catalog, lookAt)
    const terms = [...new Set(demand.empty.flatMap(({ query }) => termsOf(query)))].slice(0, mostTerms)
    const wants = boundWants(wantsOf(demand, await fieldsOfValues(tx, looked, terms)))
    const counts = await countLacking(tx, looked, wants.map(wantedField))
    const shown = rankLost(wants.map((want, i) => ({ ...want, ...(counts[i] ?? none) }))).slice(0, limit)
    const ids = shown.flatMap((one) => one.most.examples)
    const named = await productsNamed(tx, catalog, ids)
    return {
      gaps: shown.map((one) => ({ ...one, examples: one.most.examples.flatMap((id) => named.get(id) ?? []) })),
      isSample: looked.below !== null,
    }
  })
}

const none: LackingCount = { matching: 0, lacking: 0, examples: [] }

const wantedField = ({ asked, words, products }: Want): WantedField => ({
  path: asked.path,
  name: asked.name,
  words,
  products,
})
