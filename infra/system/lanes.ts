/** Works on items by key: those of one key in order, several keys at a time, and the second step of all one after the other. */

interface Rules<T> {
  /** Keys at a time. */
  readonly lanes: number
  readonly keyOf: (item: T) => string
  readonly signal: AbortSignal
}

/** @throws the first error of a step, once every lane has stopped; the others' signal is aborted by it */
export async function inLanes<T, R>(
  items: readonly T[],
  { lanes, keyOf, signal }: Rules<T>,
  first: (item: T, signal: AbortSignal) => Promise<R>,
  second: (item: T, result: R, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const byKey = [...Map.groupBy(items, keyOf).values()]
  const stop = new AbortController()
  const within = AbortSignal.any([signal, stop.signal])
  let last: Promise<void> = Promise.resolve()
  const lane = async () => {
    for (let group = byKey.shift(); group; group = byKey.shift())
      for (const item of group) {
        within.throwIfAborted()
        const result = await first(item, within)
        const mine = last.then(() => {
          within.throwIfAborted()
          return second(item, result, within)
        })
        last = mine.catch(() => {})
        await mine
      }
  }
  const ends = await Promise.allSettled(
    Array.from({ length: lanes }, () =>
      lane().catch((error: unknown) => {
        if (!stop.signal.aborted) stop.abort(error)
        throw error
      }),
    ),
  )
  signal.throwIfAborted()
  if (stop.signal.aborted) throw stop.signal.reason
  for (const end of ends) if (end.status === 'rejected') throw end.reason
}
