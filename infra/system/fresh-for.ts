/** Keeps answers for a short while: what was revoked is out of force on every node when the while is over (KF-35). */

/** Entries are swept when there are this many: a flood of made-up keys must not fill the memory. */
const mostEntries = 10_000

export interface Fresh<T> {
  (key: string): Promise<T>
  /** What is known is there at once: where each request asks for it, a promise would cost more than to look. */
  atOnce(key: string): T | Promise<T>
  /** Whoever changed what stands behind it need not wait: on this node the next asker looks again. */
  forget(key: string): void
  forgetAll(): void
}

interface Entry<T> {
  readonly at: number
  answer: Promise<T> | { readonly known: T }
}

/** @param keepMs no answer is older; concurrent askers share one look-up; failures are not kept */
export function freshFor<T>(keepMs: number, now: () => number, look: (key: string) => Promise<T>): Fresh<T> {
  const kept = new Map<string, Entry<T>>()
  const atOnce = (key: string) => {
    const at = now()
    const found = kept.get(key)
    if (found && at - found.at < keepMs) return 'known' in found.answer ? found.answer.known : found.answer
    if (kept.size >= mostEntries) for (const [old, entry] of kept) if (at - entry.at >= keepMs) kept.delete(old)
    if (kept.size >= mostEntries) kept.clear()
    const answer = look(key)
    const entry: Entry<T> = { at, answer }
    kept.set(key, entry)
    answer.then(
      (known) => {
        entry.answer = { known }
      },
      () => {
        if (kept.get(key) === entry) kept.delete(key)
      },
    )
    return answer
  }
  const ask = async (key: string) => atOnce(key)
  return Object.assign(ask, { atOnce, forget: (key: string) => void kept.delete(key), forgetAll: () => kept.clear() })
}
