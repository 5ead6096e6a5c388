/** Refuses what no text of ours can hold: U+0000 and halves of surrogate pairs, wherever a request has them. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ServiceError } from '../../schemas/errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Its `q` is searched, not stored, and has its control characters stripped by the route. */
    stripsSearch?: true
  }
}

const isUnstorable = (text: string) => text.includes('\0') || !text.isWellFormed()

/** Before validation, so that every route is covered; JSON bodies are small, and files are not JSON bodies. */
export function registerStorableText(app: FastifyInstance) {
  app.addHook('preValidation', (request, _reply, done) => {
    const { stripsSearch } = request.routeOptions.config
    refuse(request, 'path', find(request.params))
    refuse(request, 'query', find(request.query, '', stripsSearch ? 'q' : null))
    refuse(request, 'body', find(request.body))
    done()
  })
}

function refuse({ routeOptions, url }: FastifyRequest, where: string, field: string | null): void {
  if (field === null) return
  const code = routeOptions.config.invalid ?? (url.startsWith('/api/workspace') ? 'INVALID_REQUEST' : 'BAD_REQUEST')
  const message = `${where}${field === '' ? '' : ` ${field}`}: the character U+0000 and halves of surrogate pairs are no text`
  throw new ServiceError(code, { message, ...(field === '' ? {} : { field }) })
}

/** @returns the name of the first field that cannot be stored */
function find(value: unknown, name = '', besides: string | null = null): string | null {
  if (typeof value === 'string') return isUnstorable(value) ? name : null
  if (typeof value !== 'object' || value === null) return null
  // A body that is a stream is a file, which the reader judges.
  if (Symbol.asyncIterator in value) return null
  const isList = Array.isArray(value)
  // Of each request, so that no list of pairs is made for it.
  for (const key of Object.keys(value)) {
    if (key === besides) continue
    if (!isList && isUnstorable(key)) return name
    const found = find((value as Record<string, unknown>)[key], isList ? name : key)
    if (found !== null) return found
  }
  return null
}
