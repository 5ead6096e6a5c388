/** Answers that are given again for a while to whoever asks the same; who asks while one is being made waits for that one. */

interface Kept<T> {
  readonly value: Promise<T>
  /** Once it is made. */
  made: { readonly value: T } | null
  readonly untilMs: number
  /** Those who wait for it while it is being made; when all have gone, so has it. */
  waiting: number
  readonly gone: AbortController
}

/** Answers of all tenants, each of a thousand rows at most: some 100 MB. */
const usually = 1_000

export interface AnswersKept<T> {
  /** What is kept and made, at once; null where there is nothing. */
  now(key: string): T | null
  (
    key: string,
    /** @param gone nobody waits for it any more */
    make: (gone: AbortSignal) => Promise<T>,
    /** Where it says no, an answer that is kept is made anew. */
    isCurrent: (value: T) => boolean,
    /** Ends when who asks has gone; made where there is something to await. */
    signalOf: () => AbortSignal,
    /** Where none can be made for this, the one that is kept is better than none. */
    isExcused?: (error: unknown) => boolean,
  ): Promise<{ readonly value: T; readonly hit: boolean }>
}

/** @param key must name everything that the answer depends on, the tenant first (KF-35) @param mostKept those that were made first go first */
export function answersKept<T>(keptMs: number, nowMs: () => number, mostKept = usually): AnswersKept<T> {
  const all = new Map<string, Kept<T>>()

  async function waitFor(key: string, kept: Kept<T>, signalOf: () => AbortSignal): Promise<T> {
    if (kept.made) return kept.made.value
    const signal = signalOf()
    const leave = () => {
      kept.waiting--
      if (kept.waiting > 0) return
      if (all.get(key) === kept) all.delete(key)
      kept.gone.abort()
    }
    kept.waiting++
    signal.addEventListener('abort', leave, { once: true })
    if (signal.aborted) leave()
    try {
      const value = await kept.value
      kept.made = { value }
      return value
    } finally {
      signal.removeEventListener('abort', leave)
    }
  }

  const ask: (...asked: Parameters<AnswersKept<T>>) => ReturnType<AnswersKept<T>> = async (
    key,
    make,
    isCurrent,
    signalOf,
    isExcused = () => false,
  ) => {
    const found = all.get(key)
    const former = found && found.untilMs > nowMs() ? { kept: found, value: await waitFor(key, found, signalOf) } : null
    if (former && isCurrent(former.value)) return { value: former.value, hit: true }
    const gone = new AbortController()
    const made: Kept<T> = { value: make(gone.signal), made: null, untilMs: nowMs() + keptMs, waiting: 0, gone }
    all.delete(key)
    all.set(key, made)
    for (const [oldest, { untilMs }] of all) {
      if (all.size <= mostKept && untilMs > nowMs()) break
      all.delete(oldest)
    }
    try {
      return { value: await waitFor(key, made, signalOf), hit: false }
    } catch (error) {
      if (all.get(key) === made) all.delete(key)
      if (!former || !isExcused(error)) throw error
      if (!all.has(key)) all.set(key, former.kept)
      return { value: former.value, hit: true }
    }
  }
  const now = (key: string) => {
    const found = all.get(key)
    return found?.made && found.untilMs > nowMs() ? found.made.value : null
  }
  return Object.assign(ask, { now })
}
