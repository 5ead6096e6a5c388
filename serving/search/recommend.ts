/** Finds products to recommend: each way of finding them in turn, until there are enough that are published, can be had, and are not of one family. */
import type { PoolClient } from 'pg'
import { companionsOf } from '../../infra/catalog/popularity-queries.ts'
import type { Principal } from '../../infra/catalog/postgres.ts'
import { type PublishedAt, type PublishedProduct, readPublished } from '../../infra/catalog/published-products.ts'
import { readSegments } from '../../infra/catalog/search-queries.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { RecommendationMethod } from '../../schemas/recommendation.ts'
import { type Candidate, type Chosen, openChoice, type Step } from '../../transforms/recommend/open-choice.ts'
import { type RankedBy, rankDocuments } from '../../transforms/recommend/rank-documents.ts'
import { type FindSimilar, similarGroups } from '../../transforms/recommend/similar-documents.ts'
import { stepsOf } from '../../transforms/recommend/steps-of.ts'
import { subjectOf } from '../../transforms/recommend/subject-of.ts'
import { isInCategory } from '../../transforms/search/filter-documents.ts'
import type { TopRow } from '../../transforms/search/top-rows.ts'
import { pinsOf, type SearchPorts, segmentsAt } from './run-search.ts'
import type { KnownSegment } from './segment-reader.ts'

export interface RecommendPorts extends Omit<SearchPorts, 'searcher'> {
  readonly similar: FindSimilar
}

export interface AskedRecommendation {
  readonly brand: string
  /** null: all published ones of the brand. */
  readonly catalog: string | null
  /** That it is about. */
  readonly product: string | null
  /** A level, or a path from the first on: nothing else is recommended. */
  readonly category: readonly string[] | null
  readonly method: RecommendationMethod
  readonly limit: number
}

export interface Recommended {
  readonly products: readonly Chosen<OfferedProduct>[]
  /** In the order in which they were. */
  readonly tried: readonly Step[]
}

type OfferedProduct = Candidate & { readonly row: PublishedProduct }

/** Ids that a step has at hand: of those some are variants of each other, and some are shown already. */
const mostCandidates = (limit: number) => 4 * limit + 40

/** @throws DATA_001 for a product that is not published, DATA_002 for such a catalog */
export async function recommend(
  ports: RecommendPorts,
  principal: Principal,
  asked: AskedRecommendation,
): Promise<Recommended> {
  const { brand, catalog, product, category, limit, method } = asked
  return ports.catalog.withTenant(principal, async (tx) => {
    const rows = await readSegments(tx, brand, catalog === null ? null : [catalog])
    if (catalog !== null && rows.length === 0)
      throw new ServiceError('DATA_002', { message: 'There is no published catalog with this id', field: 'catalog_id' })
    const pins = pinsOf(rows)
    const offer = { versions: new Map(pins.map(({ catalog, version }) => [catalog, version])), category }
    const subject = product === null ? null : await findSubject(tx, product, offer)
    const find = finder(ports, tx, { brand, segments: segmentsAt(rows, pins), subject, limit, ...offer })
    const choice = openChoice<OfferedProduct>(limit, subject)
    const tried: Step[] = []
    for (const step of stepsOf(method, category, subject?.product.categoryPath ?? null)) {
      if (choice.isFull) break
      tried.push(step)
      const found = await find(step)
      for (let from = 0; from < found.length && !choice.isFull; from += 2 * limit)
        choice.add(step, await offered(tx, found.slice(from, from + 2 * limit), offer))
    }
    return { products: choice.result(), tried }
  })
}

interface Offer {
  /** Published catalogs, each with its version. */
  readonly versions: ReadonlyMap<string, number>
  readonly category: readonly string[] | null
}

async function findSubject(tx: PoolClient, id: string, { versions }: Offer): Promise<PublishedProduct> {
  const asked = [...versions].map(([catalog, version]) => ({ id, catalog, version }))
  const [row] = await readPublished(tx, asked)
  if (row) return row
  throw new ServiceError('DATA_001', { message: 'No published product has this id', field: 'product_id' })
}

/** Whatever a way found passes here: what is published now and in the category that was asked for. */
async function offered(tx: PoolClient, found: readonly PublishedAt[], { category }: Offer): Promise<OfferedProduct[]> {
  return (await readPublished(tx, found)).flatMap((row): OfferedProduct[] => {
    const { id, family, product } = row
    if (category !== null && !isInCategory(product.categoryPath, [category])) return []
    return [{ id, family, isBuyable: product.availability !== 'out_of_stock', row }]
  })
}

interface Ground extends Offer {
  readonly brand: string
  readonly segments: readonly KnownSegment[]
  readonly subject: PublishedProduct | null
  readonly limit: number
}

function finder(ports: RecommendPorts, tx: PoolClient, ground: Ground): (step: Step) => Promise<PublishedAt[]> {
  const { brand, segments, subject, limit, versions } = ground
  const most = mostCandidates(limit)
  const placed = (rows: readonly TopRow[]): PublishedAt[] =>
    rows.map(({ id, segment }) => {
      const { catalog, version } = segments[segment] as KnownSegment
      return { id, catalog, version }
    })

  async function ranked(by: RankedBy, { category }: Step): Promise<PublishedAt[]> {
    const groups = [
      'base',
      ...(by === 'best' ? [] : (['popularity'] as const)),
      ...(category ? (['category'] as const) : []),
    ] as const
    const opened = await ports.segments.open(tx, brand, segments, groups, [])
    return placed(rankDocuments(opened, by, { categories: category ? [category] : [] }, most))
  }

  async function alike({ category }: Step, to: PublishedProduct): Promise<PublishedAt[]> {
    const about = subjectOf(to.id, to.product)
    const opened = await ports.segments.open(tx, brand, segments, similarGroups, about.terms)
    return placed(ports.similar(opened, about, { categories: category ? [category] : [] }, most))
  }

  return async (step) => {
    const { method } = step
    if (method === 'trending' || method === 'popular' || method === 'best') return ranked(method, step)
    if (!subject) return []
    if (method === 'similar') return alike(step, subject)
    const met = await companionsOf(tx, brand, [...versions.keys()], subject.id, method)
    return met.map(({ id, catalog }) => ({ id, catalog, version: versions.get(catalog) as number }))
  }
}
