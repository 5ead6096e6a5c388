/** Fetches pages as a well-behaved crawler: by robots.txt, one request a host at a time, and not in haste. */
import { EgressError } from '../../schemas/egress-error.ts'
import type { Answer, Egress } from './open-egress.ts'
import { allowAll, allowNone, type Robots, readRobots, robotsBytes } from './robots.ts'
import { openTurns } from './turns.ts'

export interface Polite {
  /** @throws EgressError, also `robots_disallowed` and `robots_unreachable` */
  fetch<T>(
    address: string,
    ask: { maxBytes: number; withinMs: number; accept: string; signal: AbortSignal },
    read: (answer: Answer) => Promise<T>,
  ): Promise<T>
}

interface Parts {
  readonly egress: Egress
  /** The product token by which robots.txt knows us. */
  readonly agent: string
  /** Between two requests to one host, where it asks for no longer. */
  readonly pauseMs?: number
  readonly now?: () => number
}

interface Kept {
  readonly robots: Robots
  readonly reachable: boolean
  readonly until: number
}

/** "Crawlers SHOULD NOT use the cached version for more than 24 hours" (RFC 9309, 2.4). */
const keptMs = 3_600_000
/** A host that fails is asked again soon. */
const failedMs = 60_000
const mostHosts = 10_000
const robotsWithinMs = 15_000

export function openPolite({ egress, agent, pauseMs = 1_000, now = Date.now }: Parts): Polite {
  const turns = openTurns()
  const known = new Map<string, Kept>()

  async function robotsOf(origin: string, signal: AbortSignal | undefined): Promise<Kept> {
    const kept = known.get(origin)
    if (kept && kept.until > now()) return kept
    const found = await readOrigin(origin, signal)
    known.delete(origin)
    known.set(origin, found)
    const [oldest] = known.keys()
    if (known.size > mostHosts && oldest !== undefined) known.delete(oldest)
    return found
  }

  async function readOrigin(origin: string, signal: AbortSignal | undefined): Promise<Kept> {
    const ask = { maxBytes: robotsBytes * 4, withinMs: robotsWithinMs, http: true, ...(signal ? { signal } : {}) }
    try {
      return await egress.ask(`${origin}/robots.txt`, ask, async ({ status, body }) => {
        // "Unavailable" allows all, "unreachable" nothing (2.3.1); who is told to slow down does so.
        if (status >= 500 || status === 429) return { robots: allowNone, reachable: false, until: now() + failedMs }
        const robots = status === 200 ? readRobots(await beginningOf(body), agent) : allowAll
        return { robots, reachable: true, until: now() + keptMs }
      })
    } catch (error) {
      signal?.throwIfAborted()
      if (!(error instanceof EgressError)) throw error
      // What is wrong with the host itself is better said of the address.
      if (error.code === 'refused_address' || error.code === 'unknown_host') throw error
      return { robots: allowNone, reachable: false, until: now() + failedMs }
    }
  }

  return {
    fetch: (address, { maxBytes, withinMs, accept, signal }, read) =>
      egress.ask(
        address,
        {
          ...{ maxBytes, withinMs, signal, http: true, headers: { accept } },
          async admit(url) {
            const turn = await turns.take(url.host, signal)
            try {
              const { robots, reachable } = await robotsOf(url.origin, signal)
              if (!reachable) throw new EgressError('robots_unreachable')
              if (!robots.allows(`${url.pathname}${url.search}`)) throw new EgressError('robots_disallowed')
              return () => turn.release(Math.max(pauseMs, robots.crawlDelayMs))
            } catch (error) {
              turn.release(0)
              throw error
            }
          },
        },
        read,
      ),
  }
}

async function beginningOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes >= robotsBytes) break
  }
  return new TextDecoder().decode(Buffer.concat(chunks).subarray(0, robotsBytes))
}
