/** Goes on with a value where it is there, and where it is promised once it comes: nothing that is known costs a promise. */

export type MaybePromise<T> = T | Promise<T>

export const andThen = <T, U>(value: MaybePromise<T>, next: (value: T) => MaybePromise<U>): MaybePromise<U> =>
  value instanceof Promise ? value.then(next) : next(value)
