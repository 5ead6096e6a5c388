/** Rule points and weights as tests of gold's arithmetic need them: any that there can be. */
import fc from 'fast-check'
import { normaliseWeights } from '../../../transforms/gold/reweight.ts'
import { rubric } from '../../../transforms/gold/rubric.ts'

const anyPercent = fc.oneof(fc.integer({ min: 0, max: 100 }), fc.constantFrom(0, 100, 100, 255))

export const anyPoints = fc
  .array(anyPercent, { minLength: rubric.length, maxLength: rubric.length })
  .map((list) => Uint8Array.from(list))

export const anyWeights = fc
  .array(fc.constantFrom(0, 1, 5, 10, 100), { minLength: 7, maxLength: 7 })
  .filter((list) => list.some((weight) => weight > 0))
  .map(normaliseWeights)
