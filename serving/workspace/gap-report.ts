/** Prices a catalog's gaps from the points of its last grading: one look through its patterns, then the fixes that bring most. */
import { setImmediate as others } from 'node:timers/promises'
import type { PoolClient } from 'pg'
import { streamPatterns } from '../../infra/catalog/score-patterns.ts'
import type { Band } from '../../schemas/score.ts'
import { type ChosenFix, cheapestFixes, type FixGoal } from '../../transforms/gold/cheapest-fixes.ts'
import { fieldFixes } from '../../transforms/gold/fixes.ts'
import { type GapPrices, gapPriceBuilder } from '../../transforms/gold/gap-prices.ts'
import { patternsOf, type Scoring } from '../../transforms/gold/patterns.ts'
import { rubricVersion } from '../../transforms/gold/rubric.ts'

/** Most catalogs have a few thousand, one of a million differing products some hundreds of thousands. 25 MB at most. */
const mostPatterns = 200_000

export interface GapReport extends GapPrices {
  /** Products scored under another rubric: nothing is said of them. */
  readonly outdated: number
  readonly fixes: readonly ChosenFix[]
  /** Products that the fixes were chosen by: all, but where the catalog has more patterns than are held at once. */
  readonly chosenBy: number
}

export interface GapQuestion {
  readonly catalog: string
  readonly scoring: Scoring
  readonly band: Band | null
  readonly goal: FixGoal
  readonly fixes: number
}

/** @param read a transaction in which the principal's rows exist; it is over before the fixes are sought */
export async function gapReport(
  read: (work: (tx: PoolClient) => Promise<void>) => Promise<void>,
  { catalog, scoring, band, goal, fixes }: GapQuestion,
  capacity = mostPatterns,
): Promise<GapReport> {
  const prices = gapPriceBuilder(scoring, band)
  const fields = fieldFixes(scoring.weights)
  let patterns = patternsOf(scoring, fields, 0)
  let [outdated, chosenBy] = [0, 0]
  await read(async (tx) => {
    for await (const page of streamPatterns(tx, catalog, rubricVersion)) {
      const [first] = page
      if (first && chosenBy === 0) patterns = patternsOf(scoring, fields, Math.min(first.patterns, capacity))
      for (const { points, valid, products } of page) {
        if (points === null || valid === null) outdated += products
        else if (prices.add(points, valid, products) && patterns.add(points, valid, products)) chosenBy += products
      }
    }
  })
  const chosen: ChosenFix[] = []
  for (const fix of cheapestFixes(fields, patterns, goal, fixes)) {
    if (fix === null) await others()
    else chosen.push(fix)
  }
  return { ...prices.result(), outdated, fixes: chosen, chosenBy }
}
