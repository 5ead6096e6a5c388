/** Asks each host for one thing at a time, with a short rest between two, and a longer one where the host asks for it. */
import type { Answer, Ask, Egress } from './open-egress.ts'
import { openTurns } from './turns.ts'

export interface ByTurns {
  /** @throws EgressError */
  ask<T>(
    address: string,
    ask: Pick<Ask, 'maxBytes' | 'withinMs' | 'headers' | 'signal'>,
    read: (answer: Answer) => Promise<T>,
  ): Promise<T>
}

/** A host may ask for more time, but not for hours. */
const mostRestMs = 60_000

export function openByTurns({ egress, restMs }: { egress: Egress; restMs: number }): ByTurns {
  const turns = openTurns()
  return {
    ask(address, ask, read) {
      let rest = restMs
      return egress.ask(
        address,
        {
          ...ask,
          http: true,
          async admit(url, signal) {
            const turn = await turns.take(url.host, signal)
            return () => turn.release(rest)
          },
        },
        (answer) => {
          if (answer.status === 429 || answer.status === 503) rest = restAsked(answer.headers['retry-after'], restMs)
          return read(answer)
        },
      )
    },
  }
}

/** RFC 9110, section 10.2.3: seconds, or a date. */
function restAsked(header: string | undefined, restMs: number): number {
  const seconds = /^\d{1,9}$/.test(header?.trim() ?? '')
    ? Number(header) * 1_000
    : Date.parse(header ?? '') - Date.now()
  return Number.isNaN(seconds) ? restMs : Math.min(mostRestMs, Math.max(restMs, seconds))
}
