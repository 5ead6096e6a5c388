/** Runs a search: who may see what, the words and what they mean, the segments, and the products of the page. */
import type { PoolClient } from 'pg'
import type { Catalog, Principal } from '../../infra/catalog/postgres.ts'
import type { PublishedProduct } from '../../infra/catalog/published-products.ts'
import { readPublished } from '../../infra/catalog/published-products.ts'
import { readSegments, type SegmentRow } from '../../infra/catalog/search-queries.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { SearchRule } from '../../schemas/search-rule.ts'
import { applySynonyms } from '../../transforms/search/apply-synonyms.ts'
import type { FacetName, Facets } from '../../transforms/search/count-facets.ts'
import type { SearchFilter } from '../../transforms/search/filter-documents.ts'
import { type ReadQuery, readQuery } from '../../transforms/search/read-query.ts'
import { type Answer, columnsFor, type Searcher, type SearchSort } from '../../transforms/search/search-segments.ts'
import type { LanguageCounts } from '../../transforms/search/text-languages.ts'
import { correctWords, unknownWords } from './correct-words.ts'
import { type ToldFor, type Tried, toldFor } from './read-told.ts'
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
  readonly tried?: Tried
}

export interface FoundSearch {
  readonly products: readonly PublishedProduct[]
  readonly total: number
  readonly facets: Facets
  readonly facetsOver: number
  readonly relaxed: Answer['relaxed']
  readonly corrected: string | null
  readonly next: SearchCursor | null
  /** Rules of the brand that had a say, the first of them most. */
  readonly rules: readonly string[]
  /** By which the words were found, for who shows where. */
  readonly terms: ReadonlySet<string>
  readonly languages: readonly string[]
}

/** @throws DATA_002 where the catalog is not there or not published */
export async function runSearch(ports: SearchPorts, principal: Principal, asked: AskedSearch): Promise<FoundSearch> {
  const { brand, catalog, after } = asked
  return ports.catalog.withTenant(principal, async (tx) => {
    const [rows, told] = await Promise.all([
      readSegments(tx, brand, catalog === null ? null : [catalog]),
      toldOf(tx, asked, after?.edition ?? null, after?.corrected ?? null),
    ])
    if (catalog !== null && rows.length === 0)
      throw new ServiceError('DATA_002', { message: 'There is no published catalog with this id', field: 'catalog_id' })
    const askedMs = after?.askedMs ?? asked.nowMs
    const pins = after?.pins ?? pinsOf(rows)
    const segments = segmentsAt(rows, pins)
    const languages = asked.locale === null ? languagesOf(rows, segments) : [asked.locale]
    const looked = await lookUp(ports, tx, asked, segments, languages, told)
    const answer = ports.searcher(looked.opened, {
      ...{ query: looked.query, filter: asked.filter, sort: asked.sort, facets: asked.facets },
      ...{ limit: asked.limit, after: after?.resume ?? null, atMs: askedMs, rules: looked.rules },
    })
    const placed = answer.rows.map(({ id, segment }) => {
      const { catalog, version } = segments[segment] as KnownSegment
      return { id, catalog, version }
    })
    return {
      products: placed.length === 0 ? [] : await readPublished(tx, placed),
      ...{ total: answer.total, facets: answer.facets, facetsOver: answer.facetsOver, relaxed: answer.relaxed },
      corrected: looked.corrected,
      next: answer.next && {
        ...{ pins, edition: told.edition, resume: answer.next, askedMs, corrected: looked.corrected },
      },
      rules: looked.rules.filter((rule) => hasSay(rule, asked.sort)).map(({ id }) => id),
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
  const counts = Object.entries(productsByLanguage(rows, segments))
  const all = counts.reduce((sum, [, n]) => sum + n, 0)
  return counts
    .filter(([, n]) => n >= all * leastShare)
    .map(([code]) => code)
    .sort()
}

export function productsByLanguage(rows: readonly SegmentRow[], segments: readonly KnownSegment[]): LanguageCounts {
  const read = new Set(segments.map(({ segment }) => segment))
  const counts: Record<string, number> = {}
  for (const { segment, languages } of rows)
    if (segment !== null && read.has(segment))
      for (const [code, n] of Object.entries(languages)) counts[code] = (counts[code] ?? 0) + n
  return counts
}

interface LookedUp {
  readonly query: ReadQuery
  readonly opened: Awaited<ReturnType<SegmentReader['open']>>
  readonly corrected: string | null
  readonly rules: readonly SearchRule[]
}

async function lookUp(
  { segments: reader }: SearchPorts,
  tx: PoolClient,
  asked: AskedSearch,
  segments: readonly KnownSegment[],
  languages: readonly string[],
  told: ToldFor,
): Promise<LookedUp> {
  const { brand, q, after } = asked
  const read = async (text: string, { meant, rules }: ToldFor) => {
    const query = applySynonyms(readQuery(text, languages), meant, languages)
    const groups = columnsFor({ ...asked, rules })
    // Signs alone ask for something, which no product has.
    const within = query.words.length === 0 && text !== '' ? [] : segments
    return { query, rules, opened: await reader.open(tx, brand, within, groups, termsOf(query)) }
  }
  if (after?.corrected) return { ...(await read(after.corrected, told)), corrected: after.corrected }
  const first = await read(q, told)
  const unknown = after ? [] : unknownWords(first.opened, first.query)
  if (unknown.length === 0) return { ...first, corrected: null }
  const catalogs = [...new Set(segments.map(({ catalog }) => catalog))]
  const corrected = await correctWords(tx, brand, catalogs, q, unknown, (terms) =>
    reader.open(tx, brand, segments, ['base'], terms),
  )
  if (corrected === null) return { ...first, corrected }
  return { ...(await read(corrected, await toldOf(tx, asked, told.edition, corrected))), corrected }
}

export const termsOf = ({ words, identifier }: ReadQuery): string[] => [
  ...new Set([
    ...words.flatMap(({ ways }) => ways.flatMap(({ terms }) => terms)),
    ...(identifier === null ? [] : [identifier]),
  ]),
]

const toldOf = (
  tx: PoolClient,
  { brand, catalog, locale, q, filter, nowMs, after, tried }: AskedSearch,
  edition: number | null,
  corrected: string | null,
): Promise<ToldFor> =>
  toldFor(tx, {
    ...{ brand, catalog, locale, edition, tried, typed: q, corrected },
    ...{ categories: filter.categories, atMs: after?.askedMs ?? nowMs },
  })

/** Where somebody asks for an order of their own, rules only leave out. */
const hasSay = ({ hide }: SearchRule, sort: SearchSort) => sort === 'relevance' || hide.length > 0
