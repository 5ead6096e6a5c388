/** Runs a search: who may see what, the words and what they mean, the segments, and the products of the page. */
import type { PoolClient } from 'pg'
import type { Catalog, Principal } from '../../infra/catalog/postgres.ts'
import type { PublishedProduct } from '../../infra/catalog/published-products.ts'
import { readPublished } from '../../infra/catalog/published-products.ts'
import { readSegments, type SegmentRow } from '../../infra/catalog/search-queries.ts'
import { meantBy } from '../../infra/catalog/synonym-queries.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { applySynonyms, synonymKey, synonymKeys } from '../../transforms/search/apply-synonyms.ts'
import type { FacetName, Facets } from '../../transforms/search/count-facets.ts'
import type { SearchFilter } from '../../transforms/search/filter-documents.ts'
import { type ReadQuery, readQuery } from '../../transforms/search/read-query.ts'
import { type Answer, columnsFor, type Searcher, type SearchSort } from '../../transforms/search/search-segments.ts'
import { correctWords, unknownWords } from './correct-words.ts'
import type { Pin, SearchCursor } from './search-cursor.ts'
import type { KnownSegment, SegmentReader } from './segment-reader.ts'

export interface SearchPorts {
  readonly catalog: Pick<Catalog, 'withTenant'>
  readonly segments: SegmentReader
  readonly searcher: Searcher
}

export interface AskedSearch {
  readonly brand: string
  /** null: all published ones of the brand. */
  readonly catalog: string | null
  readonly q: string
  readonly locale: string | null
  readonly filter: SearchFilter
  readonly sort: SearchSort
  readonly facets: readonly FacetName[]
  readonly limit: number
  readonly after: SearchCursor | null
  readonly nowMs: number
  /** Synonyms beside those that are kept, by key: for who wants to see what they would change. */
  readonly also?: ReadonlyMap<string, readonly string[]>
}

export interface FoundSearch {
  readonly products: readonly PublishedProduct[]
  readonly total: number
  readonly facets: Facets
  readonly facetsOver: number
  readonly relaxed: Answer['relaxed']
  readonly corrected: string | null
  readonly next: SearchCursor | null
  /** By which the words were found, for who shows where. */
  readonly terms: ReadonlySet<string>
  readonly languages: readonly string[]
}

/** @throws DATA_002 where the catalog is not there or not published */
export async function runSearch(ports: SearchPorts, principal: Principal, asked: AskedSearch): Promise<FoundSearch> {
  const { brand, catalog, after } = asked
  return ports.catalog.withTenant(principal, async (tx) => {
    const [rows, meant] = await Promise.all([
      readSegments(tx, brand, catalog === null ? null : [catalog]),
      meaningsOf(tx, asked, after?.corrected ?? asked.q),
    ])
    if (catalog !== null && rows.length === 0)
      throw new ServiceError('DATA_002', { message: 'There is no published catalog with this id', field: 'catalog_id' })
    const pins = after?.pins ?? pinsOf(rows)
    const segments = segmentsAt(rows, pins)
    const languages = asked.locale === null ? languagesOf(rows, segments) : [asked.locale]
    const looked = await lookUp(ports, tx, asked, segments, languages, meant)
    const answer = ports.searcher(looked.opened, {
      ...{ query: looked.query, filter: asked.filter, sort: asked.sort, facets: asked.facets },
      ...{ limit: asked.limit, after: after?.place ?? null, atMs: after?.askedMs ?? asked.nowMs },
    })
    const shown = answer.rows.slice(0, asked.limit)
    const last = shown.at(-1)
    const askedMs = after?.askedMs ?? asked.nowMs
    const placed = shown.map(({ id, segment }) => {
      const { catalog, version } = segments[segment] as KnownSegment
      return { id, catalog, version }
    })
    return {
      products: placed.length === 0 ? [] : await readPublished(tx, placed),
      ...{ total: answer.total, facets: answer.facets, facetsOver: answer.facetsOver, relaxed: answer.relaxed },
      corrected: looked.corrected,
      next:
        last && answer.rows.length > asked.limit ? { pins, place: last, askedMs, corrected: looked.corrected } : null,
      terms: new Set(answer.words.flatMap(({ ways }) => ways.flatMap(({ terms }) => terms))),
      languages,
    }
  })
}

export function pinsOf(rows: readonly SegmentRow[]): Pin[] {
  const pins = new Map<string, Pin>()
  for (const { catalog, version, since, until, popularity } of rows) {
    const at = Math.max(pins.get(catalog)?.at ?? 0, since ?? 0, until ?? 0)
    pins.set(catalog, { catalog, version, at, popularity })
  }
  return [...pins.values()]
}

/** Whatever was published, merged or deleted since. */
export function segmentsAt(rows: readonly SegmentRow[], pins: readonly Pin[]): KnownSegment[] {
  const of = new Map(pins.map((pin) => [pin.catalog, pin]))
  return rows.flatMap(({ catalog, segment, born, since, until, documents, buckets }): KnownSegment[] => {
    const pin = of.get(catalog)
    if (!pin || segment === null || born > pin.version || since > pin.at || (until !== null && until <= pin.at))
      return []
    return [{ catalog, version: pin.version, segment, documents, buckets, popularity: pin.popularity }]
  })
}

/** Fewer products than this share are in a language by mistake. */
const leastShare = 0.03

export function languagesOf(rows: readonly SegmentRow[], segments: readonly KnownSegment[]): string[] {
  const read = new Set(segments.map(({ segment }) => segment))
  const counts = new Map<string, number>()
  let all = 0
  for (const { segment, languages } of rows)
    if (segment !== null && read.has(segment))
      for (const [code, n] of Object.entries(languages)) {
        counts.set(code, (counts.get(code) ?? 0) + n)
        all += n
      }
  return [...counts]
    .filter(([, n]) => n >= all * leastShare)
    .map(([code]) => code)
    .sort()
}

interface LookedUp {
  readonly query: ReadQuery
  readonly opened: Awaited<ReturnType<SegmentReader['open']>>
  readonly corrected: string | null
}

async function lookUp(
  { segments: reader }: SearchPorts,
  tx: PoolClient,
  asked: AskedSearch,
  segments: readonly KnownSegment[],
  languages: readonly string[],
  meant: Meant,
): Promise<LookedUp> {
  const { brand, q, after } = asked
  const groups = columnsFor(asked)
  const read = async (text: string, means: Meant) => {
    const query = applySynonyms(readQuery(text, languages), means, languages)
    return { query, opened: await reader.open(tx, brand, segments, groups, termsOf(query)) }
  }
  if (after?.corrected) return { ...(await read(after.corrected, meant)), corrected: after.corrected }
  const first = await read(q, meant)
  const unknown = after ? [] : unknownWords(first.opened, first.query)
  if (unknown.length === 0) return { ...first, corrected: null }
  const catalogs = [...new Set(segments.map(({ catalog }) => catalog))]
  const corrected = await correctWords(tx, brand, catalogs, q, unknown, (terms) =>
    reader.open(tx, brand, segments, ['base'], terms),
  )
  if (corrected === null) return { ...first, corrected }
  return { ...(await read(corrected, await meaningsOf(tx, asked, corrected))), corrected }
}

export const termsOf = ({ words, identifier }: ReadQuery): string[] => [
  ...new Set([
    ...words.flatMap(({ ways }) => ways.flatMap(({ terms }) => terms)),
    ...(identifier === null ? [] : [identifier]),
  ]),
]

type Meant = ReadonlyMap<string, readonly string[]>

/** By the terms alone, which are the same in every language. */
async function meaningsOf(tx: PoolClient, { brand, locale, also }: AskedSearch, text: string): Promise<Meant> {
  const found = await meantBy(tx, brand, synonymKeys(readQuery(text, [])), locale)
  const meant = new Map<string, string[]>([...(also ?? [])].map(([key, words]) => [key, [...words]]))
  for (const { key, term, words } of found) {
    const others = term === null ? words.filter((word) => synonymKey(word) !== key) : words
    meant.set(key, [...(meant.get(key) ?? []), ...others])
  }
  return meant
}
