/** Chooses the products of a recommendation from what its methods find, one method after another: what all of them have to keep to. */
import type { RecommendationMethod } from '../../schemas/recommendation.ts'

/** A way to find products; `category` where it looks in one. */
export interface Step {
  readonly method: RecommendationMethod
  readonly category: readonly string[] | null
}

export interface Candidate {
  readonly id: string
  /** A parent is of the family of its variants: each is recommended once. */
  readonly family: string | null
  readonly isBuyable: boolean
}

export interface Chosen<T> {
  readonly product: T
  readonly step: Step
}

export interface Choice<T extends Candidate> {
  /** Whatever comes has no place any more. */
  readonly isFull: boolean
  /** Only what can be had has. */
  readonly isEnough: boolean
  /** The next products that a step found, the best first. */
  add(step: Step, products: readonly T[]): void
  /** What can be had first, in the order of steps; then what cannot. */
  result(): Chosen<T>[]
}

/** @param subject what it is about, of whose family nothing is recommended */
export function openChoice<T extends Candidate>(
  limit: number,
  subject: Pick<Candidate, 'id' | 'family'> | null,
): Choice<T> {
  const keyOf = ({ id, family }: Pick<Candidate, 'id' | 'family'>) => family ?? id
  const taken = new Set(subject ? [keyOf(subject)] : [])
  const buyable: Chosen<T>[] = []
  const others: Chosen<T>[] = []
  return {
    get isFull() {
      return buyable.length >= limit
    },
    get isEnough() {
      return buyable.length + new Set(others.map(({ product }) => keyOf(product))).size >= limit
    },
    add(step, products) {
      for (const product of products) {
        if (taken.has(keyOf(product))) continue
        if (!product.isBuyable) others.push({ product, step })
        else if (buyable.length < limit) {
          taken.add(keyOf(product))
          buyable.push({ product, step })
        }
      }
    },
    result() {
      const seen = new Set(taken)
      const left = others.filter(({ product }) => {
        const isNew = !seen.has(keyOf(product))
        seen.add(keyOf(product))
        return isNew
      })
      return [...buyable, ...left].slice(0, limit)
    },
  }
}
