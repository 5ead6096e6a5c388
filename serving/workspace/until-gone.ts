/** A signal for what is asked on behalf of a reader: one who goes ends it. */
import type { FastifyReply } from 'fastify'

export function untilGone({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  raw.once('close', () => raw.writableFinished || gone.abort())
  return gone.signal
}
