/** Opens segments of the search index for a question: what it needs of them is read once and kept while there is room. */
import type { PoolClient } from 'pg'
import { readColumnBlobs, readGone, readPostingBlobs } from '../../infra/catalog/search-queries.ts'
import { type OpenSegment, readColumns } from '../../transforms/search/open-segment.ts'
import { bucketOf, findPostings } from '../../transforms/search/postings.ts'
import {
  type ColumnGroup,
  nothingPopular,
  popularityName,
  type SegmentColumns,
} from '../../transforms/search/segment-columns.ts'
import { termHash } from '../../transforms/search/term-hash.ts'
import { byteCache } from './byte-cache.ts'

/** A segment that the caller may read. */
export interface KnownSegment {
  readonly catalog: string
  readonly version: number
  readonly segment: number
  readonly documents: number
  readonly buckets: number
  /** Of the popularity that it is read with. */
  readonly popularity: number
}

/** Which documents a version no longer has. */
interface Gone {
  readonly version: number
  readonly flags: Uint8Array | null
}

const goneName = 'gone'
const entryOf = (segment: number, of: string | number) => `${segment}:${of}`
const nameOf = (group: ColumnGroup, { popularity }: KnownSegment) =>
  group === 'popularity' ? popularityName(popularity) : group

export type SegmentReader = ReturnType<typeof openSegmentReader>

export function openSegmentReader(mostBytes: number) {
  const columns = byteCache<SegmentColumns[ColumnGroup]>((mostBytes * 3) / 8)
  // Where they do not fit, each question reads anew what the one before put out: with 20,000 synonyms a third of its time.
  const postings = byteCache<Uint32Array | null>((mostBytes * 5) / 8)
  const gones = byteCache<Gone>(mostBytes / 8)

  async function needColumns(
    tx: PoolClient,
    brand: string,
    segments: readonly KnownSegment[],
    groups: readonly ColumnGroup[],
  ) {
    const found = new Map<string, SegmentColumns[ColumnGroup]>()
    const missing = segments.flatMap((of) => {
      const unknown = groups.filter((group) => {
        const known = knownColumn(of, group)
        if (known) found.set(entryOf(of.segment, group), known)
        return !known
      })
      return unknown.length === 0 ? [] : [{ of, unknown }]
    })
    // A few at a time: those of a million products have tens of megabytes.
    for (let from = 0; from < missing.length; from += 4) {
      const some = missing.slice(from, from + 4)
      const ids = some.map(({ of }) => of.segment)
      const names = [...new Set(some.flatMap(({ of, unknown }) => unknown.map((group) => nameOf(group, of))))]
      const read = new Map<string, Buffer>()
      for (const { segment, key, data } of await readColumnBlobs(tx, brand, ids, names))
        read.set(entryOf(segment, key), data)
      for (const { of, unknown } of some)
        for (const group of unknown) {
          const entry = entryOf(of.segment, nameOf(group, of))
          const data = read.get(entry)
          // A segment in which nothing is popular has no such column, and never will have one of that generation.
          if (!data && group !== 'popularity') continue
          const column = data ? readColumns(group, data) : nothingPopular
          columns.set(of.segment, nameOf(group, of), column, data?.length ?? 0)
          found.set(entryOf(of.segment, group), column)
        }
    }
    return found
  }

  function knownColumn(of: KnownSegment, group: ColumnGroup) {
    if (group === 'popularity' && of.popularity === 0) return nothingPopular
    return columns.get(of.segment, nameOf(group, of))
  }

  async function needPostings(
    tx: PoolClient,
    brand: string,
    segments: readonly KnownSegment[],
    hashes: ReadonlyMap<string, number>,
  ) {
    const found = new Map<number, Map<number, Uint32Array | null>>()
    const [ofSegments, keys]: [number[], number[]] = [[], []]
    for (const { segment, buckets } of segments) {
      const own = new Map<number, Uint32Array | null>()
      found.set(segment, own)
      for (const hash of hashes.values())
        for (const key of [hash, bucketOf(hash, buckets)]) {
          if (own.has(key)) continue
          const known = postings.get(segment, key)
          own.set(key, known ?? null)
          if (known !== undefined) continue
          ofSegments.push(segment)
          keys.push(key)
        }
    }
    if (keys.length === 0) return found
    for (const { segment, key, data } of await readPostingBlobs(tx, brand, ofSegments, keys))
      found.get(segment)?.set(key, wordsOf(data))
    keys.forEach((key, i) => {
      const segment = ofSegments[i] as number
      const list = found.get(segment)?.get(key) ?? null
      postings.set(segment, key, list, list?.byteLength ?? 0)
    })
    return found
  }

  /** A version that is newer than the known one is a few documents away from it. */
  async function needGone(tx: PoolClient, brand: string, segments: readonly KnownSegment[]) {
    const found = new Map<number, Uint8Array | null>()
    const behind = new Map<string, { after: number; upto: number; of: KnownSegment[] }>()
    for (const one of segments) {
      const known = gones.get(one.segment, goneName)
      if (known?.version === one.version) {
        found.set(one.segment, known.flags)
        continue
      }
      const after = known && known.version < one.version ? known.version : 0
      const key = `${after} ${one.version}`
      const group = behind.get(key) ?? { after, upto: one.version, of: [] }
      group.of.push(one)
      behind.set(key, group)
    }
    for (const { after, upto, of } of behind.values()) {
      const ended = new Map<number, number[]>()
      for (const { segment, document } of await readGone(
        tx,
        brand,
        of.map(({ segment }) => segment),
        after,
        upto,
      )) {
        const documents = ended.get(segment) ?? []
        if (documents.push(document) === 1) ended.set(segment, documents)
      }
      for (const { segment, documents } of of) {
        const former = after === 0 ? null : (gones.get(segment, goneName)?.flags ?? null)
        const flags = withEnded(former, ended.get(segment) ?? [], documents)
        found.set(segment, flags)
        const known = gones.get(segment, goneName)
        if (!known || known.version < upto) gones.set(segment, goneName, { version: upto, flags }, flags?.length ?? 0)
      }
    }
    return found
  }

  return {
    /** Reads what is not at hand in as few statements as it takes. */
    async open(
      tx: PoolClient,
      brand: string,
      segments: readonly KnownSegment[],
      groups: readonly ColumnGroup[],
      terms: readonly string[],
    ): Promise<OpenSegment[]> {
      const hashes = new Map(terms.map((term) => [term, termHash(term)]))
      const [ofColumns, ofPostings, ofGone] = await Promise.all([
        needColumns(tx, brand, segments, groups),
        needPostings(tx, brand, segments, hashes),
        needGone(tx, brand, segments),
      ])
      return segments.map(({ catalog, segment, documents, buckets }): OpenSegment => {
        const own = groups.map((group) => [group, ofColumns.get(entryOf(segment, group))])
        const rows = ofPostings.get(segment)
        const row = (key: number) => rows?.get(key) ?? null
        // Each is asked for several times in a question.
        const lists = new Map<string, Uint32Array | null>()
        for (const [term, hash] of hashes) lists.set(term, findPostings(hash, row(hash), row(bucketOf(hash, buckets))))
        return {
          catalog,
          documents,
          columns: Object.fromEntries(own) as OpenSegment['columns'],
          gone: ofGone.get(segment) ?? null,
          postings: (term) => lists.get(term) ?? null,
        }
      })
    },
  }
}

/** Bytes of a larger buffer may begin anywhere. */
function wordsOf(data: Buffer): Uint32Array {
  const own = Uint8Array.from(data)
  return new Uint32Array(own.buffer)
}

function withEnded(former: Uint8Array | null, ended: readonly number[], documents: number): Uint8Array | null {
  if (ended.length === 0) return former
  const flags = former ? former.slice() : new Uint8Array(documents)
  for (const document of ended) flags[document] = 1
  return flags
}
