/** Where a search goes on: the versions and segments that its first page read, the place in the order, and what the words were read as. */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Place } from '../../transforms/search/top-rows.ts'

/** What a catalog was when the first page was read. */
export interface Pin {
  readonly catalog: string
  readonly version: number
  /** Place in the order of segments. */
  readonly at: number
  /** Generation of the popularity by which it was ordered. */
  readonly popularity: number
}

export interface SearchCursor {
  readonly pins: readonly Pin[]
  readonly place: Place
  /** When it was first asked, so that a sale which ends meanwhile moves nothing. */
  readonly askedMs: number
  /** What was searched for in place of what was typed. */
  readonly corrected: string | null
}

const stored = z.tuple([
  z.string(),
  z.array(z.tuple([z.uuid(), z.int(), z.int(), z.int()])),
  z.number(),
  z.uuid(),
  z.int(),
  z.string().nullable(),
])

/** Of the question: a cursor goes on with no other. */
export const questionDigest = (question: unknown): string =>
  createHash('sha256').update(JSON.stringify(question)).digest('base64url').slice(0, 16)

export function writeSearchCursor({ pins, place, askedMs, corrected }: SearchCursor, digest: string): string {
  const all = [
    digest,
    pins.map(({ catalog, version, at, popularity }) => [catalog, version, at, popularity]),
    place.rank,
    place.id,
    askedMs,
    corrected,
  ]
  return Buffer.from(JSON.stringify(all)).toString('base64url')
}

/** @returns null for what is no cursor of this question */
export function readSearchCursor(text: string, digest: string): SearchCursor | null {
  try {
    const [of, pins, rank, id, askedMs, corrected] = stored.parse(JSON.parse(Buffer.from(text, 'base64url').toString()))
    if (of !== digest) return null
    return {
      pins: pins.map(([catalog, version, at, popularity]) => ({ catalog, version, at, popularity })),
      place: { rank, id },
      askedMs,
      corrected,
    }
  } catch {
    return null
  }
}
