/** Answers that are given again for a while to whoever asks the same; who asks while one is being made waits for that one. */

interface Kept<T> {
  readonly value: Promise<T>
  readonly untilMs: number
}

/** Answers of all tenants, each of a thousand rows at most: some 100 MB. Those that were made first go first. */
const mostKept = 1_000

export type AnswersKept<T> = (
  key: string,
  make: () => Promise<T>,
  /** Where it says no, an answer that is kept is made anew. */
  isCurrent: (value: T) => boolean,
) => Promise<{ readonly value: T; readonly hit: boolean }>

/** @param key must name everything that the answer depends on, the tenant first (KF-35) */
export function answersKept<T>(keptMs: number, nowMs: () => number): AnswersKept<T> {
  const all = new Map<string, Kept<T>>()
  return async (key, make, isCurrent) => {
    const found = all.get(key)
    if (found && found.untilMs > nowMs()) {
      const value = await found.value
      if (isCurrent(value)) return { value, hit: true }
    }
    const made = { value: make(), untilMs: nowMs() + keptMs }
    all.delete(key)
    all.set(key, made)
    for (const [oldest, { untilMs }] of all) {
      if (all.size <= mostKept && untilMs > nowMs()) break
      all.delete(oldest)
    }
    try {
      return { value: await made.value, hit: false }
    } catch (error) {
      if (all.get(key) === made) all.delete(key)
      throw error
    }
  }
}
