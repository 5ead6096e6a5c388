/** Tells a store that is away from a record that nobody can read: the one stops the batch, the other is buried. */

class StoreError extends Error {}

export const isStoreError = (error: unknown) => error instanceof StoreError

/** @param what is read, for the log */
export const reading = <T>(what: string, work: Promise<T>): Promise<T> =>
  work.catch((cause: unknown) => {
    throw new StoreError(`the ${what} could not be read`, { cause })
  })
