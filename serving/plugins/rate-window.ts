/** Counts requests in fixed windows of a minute or an hour, as callers are told them: refused requests do not move the window (KF-33). */

/** What one request is counted in; all of them, or none where one refuses. */
export interface Window {
  readonly key: string
  readonly limit: number
  readonly seconds: number
}

export interface Counted {
  readonly limit: number
  /** Requests that passed in this window, this one among them; one more than the limit: it is refused. */
  readonly hits: number
  /** End of the window, epoch milliseconds; the same for every request of it. */
  readonly endsMs: number
}

export interface WindowCounter {
  hit(windows: readonly Window[], nowMs: number): Promise<readonly Counted[]> | readonly Counted[]
}

/** A window opens with the first request that passes. */
interface Open {
  hits: number
  readonly endsMs: number
}

/** Windows that are held at most: a flood of addresses must not fill the memory. */
const mostWindows = 100_000

/** For one node: in its memory. Those that opened first are forgotten first where there are too many. */
export function memoryCounter(most = mostWindows): WindowCounter & { readonly size: number } {
  const open = new Map<string, Open>()
  const makeRoom = (nowMs: number) => {
    for (const [key, { endsMs }] of open) if (endsMs <= nowMs) open.delete(key)
    // A tenth at once, so that the sweep is not run for every request.
    const keep = Math.floor(most * 0.9)
    for (const key of open.keys()) {
      if (open.size <= keep) break
      open.delete(key)
    }
  }
  return {
    get size() {
      return open.size
    },
    hit(windows, nowMs) {
      const found = windows.map(({ key, limit, seconds }) => {
        const held = open.get(key)
        const lives = held !== undefined && held.endsMs > nowMs
        return { key, limit, window: lives ? held : { hits: 0, endsMs: nowMs + seconds * 1_000 }, isNew: !lives }
      })
      const passes = found.every(({ limit, window }) => window.hits < limit)
      for (const { key, window, isNew } of passes ? found : []) {
        window.hits++
        if (!isNew) continue
        if (open.size >= most) makeRoom(nowMs)
        open.delete(key)
        open.set(key, window)
      }
      return found.map(({ limit, window: { hits, endsMs } }) => ({
        limit,
        hits: passes ? hits : hits < limit ? hits : limit + 1,
        endsMs,
      }))
    },
  }
}
