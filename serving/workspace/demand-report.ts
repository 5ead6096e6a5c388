/** Joins what agents asked for to what a catalog's products lack, and ranks it by the demand that is lost. */
import type { PoolClient } from 'pg'
import {
  countLacking,
  fieldsOfValues,
  type LackingProduct,
  lackingExamples,
  sampleOf,
  type WantedField,
} from '../../infra/catalog/lacking-queries.ts'
import type { Demand } from '../../infra/events/demand.ts'
import { type LostDemand, rankLost } from '../../transforms/demand/rank-lost.ts'
import { termsOf, type Want, wantsOf } from '../../transforms/demand/wants.ts'

/** Of a larger catalog so many are looked at: half a second for some hundred wants, and shares right to half a percent. */
const mostLookedAt = 50_000
const most = { wants: 300, terms: 500, examples: 3 }

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
    const terms = [...new Set(demand.empty.flatMap(({ query }) => termsOf(query)))].slice(0, most.terms)
    const wants = wantsOf(demand, await fieldsOfValues(tx, looked, terms))
      .sort((a, b) => b.times - a.times)
      .slice(0, most.wants)
    const counts = wants.length === 0 ? [] : await countLacking(tx, looked, wants.map(wantedField))
    const ranked = rankLost(wants.map((want, i) => ({ ...want, ...(counts[i] ?? { matching: 0, lacking: 0 }) })))
    const shown = ranked.slice(0, limit)
    const wanted = shown.map((one) => wantedField(one.most))
    const examples = shown.length === 0 ? [] : await lackingExamples(tx, looked, wanted, most.examples)
    return { gaps: shown.map((one, i) => ({ ...one, examples: examples[i] ?? [] })), isSample: looked.below !== null }
  })
}

const wantedField = ({ asked, words, products }: Want): WantedField => ({
  path: asked.path,
  name: asked.name,
  words,
  products,
})
