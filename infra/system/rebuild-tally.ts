/** What a rebuild has found so far: counts, where products differed, and some that did. */
import { type VerifyStep, verifySteps } from '../../transforms/verify/first-difference.ts'
import type { DifferenceExample } from './difference-example.ts'
import type { Found, Rebuilt } from './rebuilder.ts'

export type RebuildTally = Readonly<Record<Found, number>> & {
  readonly compared: number
  /** Entries of sorted lists that were not what the products are; known at the end. */
  readonly ranks: number
  /** Of those that differed: the first step that did. */
  readonly differingAt: Readonly<Record<VerifyStep, number>>
  readonly examples: readonly DifferenceExample[]
}

const mostExamples = 100

export const nothingRebuilt: RebuildTally = {
  ...{ compared: 0, equal: 0, stale: 0, mended: 0, restored: 0, unfounded: 0, failed: 0, ranks: 0 },
  differingAt: { merge: 0, silver: 0, gold: 0 },
  examples: [],
}

export function tallied(tally: RebuildTally, some: readonly Rebuilt[]): RebuildTally {
  const count = (of: Found) => tally[of] + some.filter(({ found }) => found === of).length
  const at = (step: VerifyStep) => tally.differingAt[step] + some.filter((one) => one.step === step).length
  const shown = some.flatMap(({ example }) => example ?? []).slice(0, mostExamples - tally.examples.length)
  return {
    ...{ compared: tally.compared + some.length, equal: count('equal'), stale: count('stale') },
    ...{ mended: count('mended'), restored: count('restored'), unfounded: count('unfounded') },
    ...{ failed: count('failed'), ranks: tally.ranks },
    differingAt: Object.fromEntries(verifySteps.map((step) => [step, at(step)])) as Record<VerifyStep, number>,
    examples: [...tally.examples, ...shown],
  }
}
