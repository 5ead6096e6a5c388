/** The entity tag of a feed's answer, and whether who asks has it already. */
import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'

/** @param parts all that the bytes depend on */
export const tagOf = (parts: readonly unknown[]) =>
  `"${createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22)}"`

/**
 * RFC 9110, sections 13.1.2 and 13.1.3: a weak comparison; the date only where no tag is named. Another date than ours says nothing,
 * for a feed may become an older one again: by its settings, or when a file is taken back.
 */
export function isKnown({ headers }: FastifyRequest, tag: string, at: Date | null): boolean {
  const named = headers['if-none-match']
  if (named !== undefined)
    return named.trim() === '*' || named.split(',').some((one) => one.trim().replace(/^W\//, '') === tag)
  const since = Date.parse(headers['if-modified-since'] ?? '')
  return at !== null && Math.floor(at.getTime() / 1_000) * 1_000 === since
}
