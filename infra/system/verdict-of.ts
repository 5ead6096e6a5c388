/** The verdict on a shadow as it stands, with the places where most values part and the products that move most. */
import type { PoolClient } from 'pg'
import { requiredBits } from '../../schemas/feeds/required-bits.ts'
import type { Hole } from '../../schemas/log-incomplete.ts'
import type { Weights } from '../../schemas/score.ts'
import { rubricVersion } from '../../transforms/gold/rubric.ts'
import { type Verdict, verdictBuilder } from '../../transforms/replay/verdict.ts'
import type { ReplayRow } from '../catalog/replays.ts'
import {
  commonPlaces,
  countMoved,
  type ExampleRow,
  type GroupRow,
  largestMoves,
  type PlaceRow,
  platformsByBrand,
  streamGroups,
} from '../catalog/shadow-verdict.ts'

export interface ReplayVerdict extends Verdict {
  readonly places: readonly PlaceRow[]
  readonly examples: readonly ExampleRow[]
  /** Products that were changed while this was made; promoting computes them again. */
  readonly moved: number
  /** Chosen, and without a shadow: no rule can read them, the log knows nothing of them, or they are among the unsure. */
  readonly leftOut: number
  /** Of those left out: the log has lost records that may have been of them. */
  readonly unsure: number
  /** Where it lost records of the range, or such as may have been of what is left out. */
  readonly holes: readonly Hole[]
}

const shownPlaces = 20
const shownExamples = 20

/** @param tx of one moment: all its figures are of the same rows */
export async function verdictOf(
  tx: PoolClient,
  replay: ReplayRow,
  weights: { readonly before: Weights; readonly after: Weights },
  { chosen, ...lost }: { readonly chosen: number } & Pick<ReplayVerdict, 'unsure' | 'holes'>,
): Promise<ReplayVerdict> {
  const { id, catalogs, workspace } = replay
  const builder = verdictBuilder(weights, rubricVersion)
  const platforms = await platformsByBrand(tx, workspace)
  for await (const groups of streamGroups(tx, id, catalogs))
    for (const group of groups) builder.add(asGroup(group, requiredBits(platforms.get(group.brand) ?? [])))
  const verdict = builder.result()
  return {
    ...verdict,
    places: await commonPlaces(tx, id, catalogs, shownPlaces),
    examples: await largestMoves(tx, id, catalogs, shownExamples),
    moved: await countMoved(tx, id, catalogs),
    leftOut: chosen - verdict.compared,
    ...lost,
  }
}

function asGroup(row: GroupRow, required: number) {
  const { step, products } = row
  const before = sideOf(row.scoreBefore, row.subBefore, row.pointsBefore, row.validBefore, row.rubricBefore)
  const after = sideOf(row.scoreAfter, row.subAfter, row.pointsAfter, row.validAfter, row.rubricAfter)
  return { step, before, after, required, products }
}

function sideOf(
  score: number | null,
  sub: readonly number[] | null,
  points: Uint8Array | null,
  valid: number | null,
  rubric: number | null,
) {
  if (score === null || sub === null || points === null || valid === null || rubric === null) return null
  return { score, sub, points, valid, rubric }
}
