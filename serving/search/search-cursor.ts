/** Where a search goes on: the versions, segments, synonyms and rules that its first page read, the place in the order, and what the words were read as. */
import { createHash } from 'node:crypto'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { z } from 'zod'
import type { Resume } from '../../transforms/search/place-pins.ts'

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
  /** Of what the brand has told search. */
  readonly edition: number
  readonly resume: Resume
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
  z.array(z.tuple([z.uuid(), z.int(), z.int(), z.int()])),
  z.int().nonnegative(),
  z.tuple([z.number(), z.uuid()]).nullable(),
  z.int().nonnegative(),
  z.int().nonnegative(),
  z.int(),
  z.string().nullable(),
  z.uuid(),
  z.int().min(0),
])

/** Of the question: a cursor goes on with no other. */
export const questionDigest = (question: unknown): string =>
  createHash('sha256').update(JSON.stringify(question)).digest('base64url').slice(0, 16)

export function writeSearchCursor(cursor: PageCursor, digest: string): string {
  const { pins, edition, resume, askedMs, corrected, search, shown } = cursor
  const { place, rows, pins: placed } = resume
  const all = [
    digest,
    pins.map(({ catalog, version, at, popularity }) => [catalog, version, at, popularity]),
    edition,
    place && [place.rank, place.id],
    ...[rows, placed, askedMs, corrected, search, shown],
  ]
  return packed(JSON.stringify(all))
}

/** @returns null for what is no cursor of this question */
export function readSearchCursor(text: string, digest: string): PageCursor | null {
  try {
    const read = stored.parse(JSON.parse(unpacked(text)))
    const [of, pins, edition, place, rows, placed, askedMs, corrected, search, shown] = read
    if (of !== digest) return null
    return {
      pins: pins.map(([catalog, version, at, popularity]) => ({ catalog, version, at, popularity })),
      edition,
      resume: { place: place && { rank: place[0], id: place[1] }, rows, pins: placed },
      ...{ askedMs, corrected, search, shown },
    }
  } catch {
    return null
  }
}

/** Of some fifty catalogs; longer ones are made smaller, so that an address holds those of hundreds. */
const shortBytes = 3_000
const small = '~'

const packed = (json: string): string =>
  json.length <= shortBytes
    ? Buffer.from(json).toString('base64url')
    : small + deflateRawSync(json).toString('base64url')

const unpacked = (text: string): string =>
  text.startsWith(small)
    ? inflateRawSync(Buffer.from(text.slice(1), 'base64url'), { maxOutputLength: 100_000 }).toString()
    : Buffer.from(text, 'base64url').toString()
