/** Makes seven weights out of what a person typed: integers that sum to exactly 10000, by largest remainder. */
import { dimensions } from '../../schemas/score.ts'

const whole = 10_000n

/** The shortest decimal that means this number, as typed: 0.1 is one tenth and not its nearest float. */
function decimal(number: number): { digits: bigint; exponent: number } {
  const [mantissa = '0', exponent = '0'] = number.toExponential().split('e')
  const [first = '0', rest = ''] = mantissa.split('.')
  return { digits: BigInt(first + rest), exponent: Number(exponent) - rest.length }
}

/**
 * Ties go to the dimension that comes first.
 * @param weights one number a dimension on any scale, none of them negative
 * @throws RangeError with a sentence for the person who set them
 */
export function normaliseWeights(weights: readonly number[]): number[] {
  if (weights.length !== dimensions.length) {
    throw new RangeError(`There must be ${dimensions.length} weights, one for each of ${dimensions.join(', ')}`)
  }
  weights.forEach((weight, place) => {
    if (Number.isFinite(weight) && weight >= 0) return
    throw new RangeError(`The weight of ${dimensions[place]} is ${weight}; it must be a number from 0 up`)
  })
  const parts = weights.map(decimal)
  const scale = Math.min(...parts.map(({ exponent }) => exponent))
  const exact = parts.map(({ digits, exponent }) => digits * 10n ** BigInt(exponent - scale))
  const total = exact.reduce((sum, part) => sum + part, 0n)
  if (total === 0n) throw new RangeError('All weights are zero; at least one dimension must count')

  const shares = exact.map((part) => Number((part * whole) / total))
  const left = Number(whole) - shares.reduce((sum, share) => sum + share, 0)
  const byRemainder = exact
    .map((part, place) => ({ place, remainder: (part * whole) % total }))
    .sort((a, b) => (a.remainder === b.remainder ? a.place - b.place : a.remainder > b.remainder ? -1 : 1))
  for (const { place } of byRemainder.slice(0, left)) shares[place] = (shares[place] ?? 0) + 1
  return shares
}
