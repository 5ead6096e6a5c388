/** Counts requests in fixed windows of a minute or an hour, as callers are told them: refused requests do not move the window (KF-33). */

export interface Counted {
  readonly limit: number
  /** Hits in this window, this one among them. */
  readonly hits: number
  /** End of the window, epoch seconds; the same for every request of it. */
  readonly resetAt: number
}

export interface WindowCounter {
  hit(key: string, limit: number, windowSeconds: number, nowMs: number): Promise<Counted>
}

/** The window opens with a key's first request. */
interface Open {
  hits: number
  readonly endsMs: number
}

/** Keys are swept when this many are held: a flood of addresses must not fill the memory. */
const sweepAt = 100_000

/** For one node: in its memory. */
export function memoryCounter(): WindowCounter {
  const windows = new Map<string, Open>()
  return {
    async hit(key, limit, windowSeconds, nowMs) {
      let open = windows.get(key)
      if (!open || open.endsMs <= nowMs) {
        if (windows.size >= sweepAt) for (const [old, { endsMs }] of windows) if (endsMs <= nowMs) windows.delete(old)
        open = { hits: 0, endsMs: nowMs + windowSeconds * 1_000 }
        windows.set(key, open)
      }
      if (open.hits <= limit) open.hits++
      return { limit, hits: open.hits, resetAt: Math.ceil(open.endsMs / 1_000) }
    },
  }
}
