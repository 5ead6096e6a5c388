/** Refuses what no text of ours can hold: U+0000 and halves of surrogate pairs, wherever a request has them. */
import type { FastifyInstance } from 'fastify'
import { ServiceError } from '../../schemas/errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Its `q` is searched, not stored, and has its control characters stripped by the route. */
    stripsSearch?: true
  }
}

const unstorable = /\0|\p{Surrogate}/u

/** Before validation, so that every route is covered; JSON bodies are small, and files are not JSON bodies. */
export function registerStorableText(app: FastifyInstance) {
  app.addHook('preValidation', (request, _reply, done) => {
    const { q, ...rest } = (request.query ?? {}) as Record<string, unknown>
    const query = q === undefined || request.routeOptions.config.stripsSearch ? rest : { ...rest, q }
    for (const [where, value] of Object.entries({ path: request.params, query, body: request.body })) {
      const field = find(value)
      if (field === null) continue
      const code =
        request.routeOptions.config.invalid ??
        (request.url.startsWith('/api/workspace') ? 'INVALID_REQUEST' : 'BAD_REQUEST')
      const message = `${where}${field === '' ? '' : ` ${field}`}: the character U+0000 and halves of surrogate pairs are no text`
      throw new ServiceError(code, { message, ...(field === '' ? {} : { field }) })
    }
    done()
  })
}

/** @returns the name of the first field that cannot be stored */
function find(value: unknown, name = ''): string | null {
  if (typeof value === 'string') return unstorable.test(value) ? name : null
  if (typeof value !== 'object' || value === null) return null
  // A body that is a stream is a file, which the reader judges.
  if (Symbol.asyncIterator in value) return null
  for (const [key, inner] of Object.entries(value)) {
    if (unstorable.test(key)) return name
    const found = find(inner, Array.isArray(value) ? name : key)
    if (found !== null) return found
  }
  return null
}
