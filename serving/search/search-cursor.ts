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
}

export interface SearchCursor {
  readonly pins: readonly Pin[]
  readonly place: Place
  /** When it was first asked, so that a sale which ends meanwhile moves nothing. */
  readonly askedMs: number
  /** What was searched for in place of what was typed. */
  readonly corrected: string | null
}

/** The same, of a search that was answered. */
export interface PageCursor extends SearchCursor {
  /** Id of the event of its first page: a later page is the same search. */
  readonly search: string
  /** Products on the pages so far. */
  readonly shown: number
}

const stored = z.tuple([
  z.string(),
  z.array(z.tuple([z.uuid(), z.int(), z.int()])),
  z.number(),
  z.uuid(),
  z.int(),
  z.string().nullable(),
  z.uuid(),
  z.int().min(0),
])

/** Of the question: a cursor goes on with no other. */
export const questionDigest = (question: unknown): string =>
  createHash('sha256').update(JSON.stringify(question)).digest('base64url').slice(0, 16)

export function writeSearchCursor(cursor: PageCursor, digest: string): string {
  const { pins, place, askedMs, corrected, search, shown } = cursor
  const all = [
    digest,
    pins.map(({ catalog, version, at }) => [catalog, version, at]),
    place.rank,
    place.id,
    askedMs,
    corrected,
    search,
    shown,
  ]
  return Buffer.from(JSON.stringify(all)).toString('base64url')
}

/** @returns null for what is no cursor of this question */
export function readSearchCursor(text: string, digest: string): PageCursor | null {
  try {
    const [of, pins, rank, id, askedMs, corrected, search, shown] = stored.parse(
      JSON.parse(Buffer.from(text, 'base64url').toString()),
    )
    if (of !== digest) return null
    return {
      pins: pins.map(([catalog, version, at]) => ({ catalog, version, at })),
      place: { rank, id },
      askedMs,
      corrected,
      search,
      shown,
    }
  } catch {
    return null
  }
}
