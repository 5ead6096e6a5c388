/** Keeps answers for a short while: what was revoked is out of force on every node when the while is over (KF-35). */

/** Entries are swept when there are this many: a flood of made-up keys must not fill the memory. */
const mostEntries = 10_000

export interface Fresh<T> {
  (key: string): Promise<T>
  /** Whoever changed what stands behind it need not wait: on this node the next asker looks again. */
  forget(key: string): void
}

/** @param keepMs no answer is older; concurrent askers share one look-up; failures are not kept */
export function freshFor<T>(keepMs: number, now: () => number, look: (key: string) => Promise<T>): Fresh<T> {
  const kept = new Map<string, { readonly at: number; readonly answer: Promise<T> }>()
  const ask = (key: string) => {
    const at = now()
    const found = kept.get(key)
    if (found && at - found.at < keepMs) return found.answer
    if (kept.size >= mostEntries) for (const [old, entry] of kept) if (at - entry.at >= keepMs) kept.delete(old)
    if (kept.size >= mostEntries) kept.clear()
    const answer = look(key)
    kept.set(key, { at, answer })
    answer.catch(() => kept.delete(key))
    return answer
  }
  return Object.assign(ask, { forget: (key: string) => void kept.delete(key) })
}
