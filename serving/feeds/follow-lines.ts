/** A feed that stays open: what changes comes as it is published, and a line says now and then that the connection lives. */
import { setTimeout as sleep } from 'node:timers/promises'
import { lastProduct } from '../../schemas/position.ts'
import type { FollowTimes } from './feed-ports.ts'
import { showPosition } from './feed-position.ts'
import type { Lines } from './line-pages.ts'
import { type Place, type ReadTold, toldLines } from './told-lines.ts'

export const followTimes: FollowTimes = { pollMs: 100, heartbeatMs: 15_000 }
/** How late a reader who may no longer read is let go. */
const askedEveryMs = 5_000

export interface Followed {
  readonly config: number
  readonly read: ReadTold
  /** Makes what is to be made. @returns the newest edition; null where there is none of this feed any more */
  readonly newest: () => Promise<number | null>
  /** Whether who reads still may. */
  readonly mayStill: () => Promise<boolean>
}

export async function* followLines(
  { config, read, newest, mayStill }: Followed,
  from: Place,
  { pollMs, heartbeatMs }: FollowTimes,
  signal: AbortSignal,
): AsyncGenerator<Lines & { readonly place: Place }> {
  let place = from
  let saidAt = performance.now()
  let askedAt = saidAt
  while (!signal.aborted) {
    const edition = await newest()
    if (edition === null) throw new FeedEnded()
    // Also the rest of an edition in which the reader went away: nothing may be published after it.
    if (edition > place.edition || (edition === place.edition && place.product !== lastProduct)) {
      for await (const told of toldLines(config, read, place, edition)) {
        yield told
        saidAt = performance.now()
      }
      // Of an edition that changed no line nothing is said; its end is where the next begins.
      place = { edition, product: lastProduct }
    }
    const now = performance.now()
    if (now - askedAt >= askedEveryMs) {
      if (!(await mayStill())) return
      askedAt = now
    }
    if (now - saidAt >= heartbeatMs) {
      const position = showPosition({ mode: 't', config, ...place })
      const line = `${JSON.stringify({ _heartbeat: new Date().toISOString(), _position: position })}\n`
      yield { bytes: Buffer.from(line), lines: 0, last: place.product, place }
      saidAt = now
    }
    await sleep(pollMs, undefined, { signal }).catch(() => {})
  }
}

/** The feed is made otherwise now, or has not been read for too long: positions in it lead nowhere. */
export class FeedEnded extends Error {
  override readonly name = 'FeedEnded'
}
