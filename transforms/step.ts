/** What a step of a topology says of one record: go on with this, nothing to do, or nobody can read it. */
import type { DeadKind } from '../schemas/dead-letter.ts'

export type Outcome<T> =
  | { readonly kind: 'ok'; readonly value: T }
  | { readonly kind: 'drop'; readonly reason: string }
  | { readonly kind: 'dead'; readonly reason: string; readonly as: DeadKind }

export const ok = <T>(value: T): Outcome<T> => ({ kind: 'ok', value })
/** Nothing to do: the record has had its effect. */
export const drop = (reason: string): Outcome<never> => ({ kind: 'drop', reason })
export const dead = (reason: string, as: DeadKind = 'failed') =>
  ({ kind: 'dead', reason, as }) as const satisfies Outcome<never>

export type Step<A, B> = (value: A) => Outcome<B>

/** Runs a step so that what it throws is an outcome: one record never stops its neighbours (KF-47). */
export function attempt<A, B>(step: Step<A, B>, value: A): Outcome<B> {
  try {
    return step(value)
  } catch (error) {
    return deadBy(error)
  }
}

/** Thrown by what knows why a record can never be taken. */
export class DeadError extends Error {
  readonly as: DeadKind
  constructor(reason: string, as: DeadKind) {
    super(reason)
    this.as = as
  }
}

export function deadBy(error: unknown) {
  const reason = error instanceof Error ? error.message : String(error)
  return dead(reason, error instanceof DeadError ? error.as : 'failed')
}
