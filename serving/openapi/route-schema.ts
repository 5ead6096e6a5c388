/** What a route says of itself beside its zod schemas: words, tags, examples, the errors of its own, bodies that no schema reads. */
import type { z } from 'zod'
import type { ErrorCode } from '../../schemas/errors.ts'

/** A code under its own status, or under another that it is answered with. */
export type RouteError = ErrorCode | { readonly code: ErrorCode; readonly status: number }

export interface Medium {
  readonly type: string
  readonly schema: z.ZodType
  readonly example?: unknown
}

declare module 'fastify' {
  interface FastifySchema {
    /** One line: what the route does. */
    summary?: string
    description?: string
    tags?: readonly string[]
    /** Errors that its handler answers with; those of access, limits, parsing and stores are known. */
    errors?: readonly RouteError[]
    examples?: {
      readonly params?: Readonly<Record<string, unknown>>
      readonly query?: Readonly<Record<string, unknown>>
      readonly body?: unknown
      readonly answer?: unknown
      /** By status, where one answers differently. */
      readonly answers?: Readonly<Record<number, unknown>>
    }
    /** The route takes `If-Match` (`judges`), or answers with an `ETag` (`shows`). */
    tagged?: 'shows' | 'judges' | 'both'
    /** Bodies that are read as a stream, and what stands in them. */
    bodies?: readonly Medium[]
    /** Answers that are streamed or are no JSON, by status. */
    answers?: Readonly<Record<number, Medium | readonly Medium[]>>
  }
}
