/** Where each way of recommending finds its products: in the search index, or among those that were met together. */
import type { PoolClient } from 'pg'
import { companionsOf } from '../../infra/catalog/popularity-queries.ts'
import type { PublishedAt, PublishedProduct } from '../../infra/catalog/published-products.ts'
import type { Step } from '../../transforms/recommend/open-choice.ts'
import { type RankedBy, rankDocuments } from '../../transforms/recommend/rank-documents.ts'
import { type FindSimilar, similarGroups } from '../../transforms/recommend/similar-documents.ts'
import { subjectOf } from '../../transforms/recommend/subject-of.ts'
import type { ColumnGroup } from '../../transforms/search/segment-columns.ts'
import type { LanguageCounts } from '../../transforms/search/text-languages.ts'
import type { Place, TopRow } from '../../transforms/search/top-rows.ts'
import type { KnownSegment, SegmentReader } from './segment-reader.ts'

export interface CandidatePorts {
  readonly segments: SegmentReader
  readonly similar: FindSimilar
}

export interface Ground {
  readonly brand: string
  readonly segments: readonly KnownSegment[]
  /** Products that stand in them. */
  readonly languages: LanguageCounts
  /** Published catalogs, each with its version. */
  readonly versions: ReadonlyMap<string, number>
  readonly subject: PublishedProduct | null
  readonly limit: number
}

/** At a time: some are variants of each other, and a family may have hundreds. */
const pagesOf = (limit: number) => [4 * limit + 40, 400, 1_600]

/** Pages of what a step finds, the best first; what can be had before what cannot, but for what was met together. */
export async function* findCandidates(
  ports: CandidatePorts,
  tx: PoolClient,
  { brand, segments, languages, versions, subject, limit }: Ground,
  { method, category }: Step,
): AsyncGenerator<PublishedAt[]> {
  const filter = { categories: category ? [category] : [] }
  const open = (groups: readonly ColumnGroup[], terms: readonly string[]) =>
    ports.segments.open(tx, brand, segments, [...new Set(category ? [...groups, 'category' as const] : groups)], terms)

  function* paged(rank: (most: number, after: Place | null) => TopRow[]): Generator<PublishedAt[]> {
    let after: Place | null = null
    for (const most of pagesOf(limit)) {
      const rows = rank(most, after)
      yield rows.map(({ id, segment }) => {
        const { catalog, version } = segments[segment] as KnownSegment
        return { id, catalog, version }
      })
      if (rows.length < most) return
      after = rows.at(-1) ?? null
    }
  }

  if (method === 'trending' || method === 'popular' || method === 'best') {
    const by: RankedBy = method
    const opened = await open(by === 'best' ? ['base'] : ['base', 'popularity'], [])
    yield* paged((most, after) => rankDocuments(opened, by, filter, most, after))
  } else if (subject && method === 'similar') {
    const about = subjectOf(subject.id, subject.product, languages)
    const opened = await open(similarGroups, about.terms)
    yield* paged((most, after) => ports.similar(opened, about, filter, most, after))
  } else if (subject && (method === 'together' || method === 'viewed_together')) {
    const met = await companionsOf(tx, brand, [...versions.keys()], subject.id, method)
    yield met.map(({ id, catalog }) => ({ id, catalog, version: versions.get(catalog) as number }))
  }
}
