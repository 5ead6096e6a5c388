/** A signal for what is asked on behalf of a reader: one who goes ends it. */
import type { FastifyReply } from 'fastify'

export function untilGone({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  const close = () => raw.writableFinished || gone.abort()
  if (raw.closed) close()
  else raw.once('close', close)
  return gone.signal
}
