/** Rule points and weights as tests of gold's arithmetic need them: any that there can be. */
import fc from 'fast-check'
import { isRefusal } from '../../../transforms/gold/refusals.ts'
import { normaliseWeights } from '../../../transforms/gold/reweight.ts'
import { rubric } from '../../../transforms/gold/rubric.ts'

const anyPercent = fc.oneof(fc.integer({ min: 0, max: 100 }), fc.constantFrom(0, 100, 100, 255))

/** What platforms' refusals cost, alone and together. */
const anyRefusal = fc.constantFrom(0, 15, 25, 40, 60, 75, 85, 100, 100, 100, 255)

export const anyPoints = fc
  .tuple(...rubric.map((_, place) => (isRefusal[place] ? anyRefusal : anyPercent)))
  .map((list) => Uint8Array.from(list))

export const anyWeights = fc
  .array(fc.constantFrom(0, 1, 5, 10, 100), { minLength: 7, maxLength: 7 })
  .filter((list) => list.some((weight) => weight > 0))
  .map(normaliseWeights)
