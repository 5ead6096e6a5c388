/** Finds products to recommend: each way of finding them in turn, until there are enough that are published, can be had, and are not of one family. */
import type { PoolClient } from 'pg'
import type { Principal } from '../../infra/catalog/postgres.ts'
import { type PublishedAt, type PublishedProduct, readPublished } from '../../infra/catalog/published-products.ts'
import { readSegments } from '../../infra/catalog/search-queries.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { RecommendationMethod } from '../../schemas/recommendation.ts'
import {
  type Candidate,
  type Choice,
  type Chosen,
  openChoice,
  type Step,
} from '../../transforms/recommend/open-choice.ts'
import { stepsOf } from '../../transforms/recommend/steps-of.ts'
import { isInCategory } from '../../transforms/search/filter-documents.ts'
import { type CandidatePorts, findCandidates, type Ground } from './find-candidates.ts'
import { hiddenNow } from './hidden-now.ts'
import { pinsOf, productsByLanguage, type SearchPorts, segmentsAt } from './run-search.ts'

export interface RecommendPorts extends CandidatePorts, Pick<SearchPorts, 'catalog'> {}

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
  /** Rules of search hide what they hide at that moment. */
  readonly at: Date
}

export interface Recommended {
  readonly products: readonly Chosen<OfferedProduct>[]
  /** In the order in which they were. */
  readonly tried: readonly Step[]
}

type OfferedProduct = Candidate & { readonly row: PublishedProduct }

/** Products that one answer may read to find those that it shows. */
const mostRead = 2_000
/** Read in one statement, once the first ones were not enough. */
const laterAtOnce = 100

/** @throws DATA_001 for a product that is not published, DATA_002 for such a catalog */
export async function recommend(
  ports: RecommendPorts,
  principal: Principal,
  asked: AskedRecommendation,
): Promise<Recommended> {
  const { brand, catalog, product, category, limit, method, at } = asked
  return ports.catalog.withTenant(principal, async (tx) => {
    const [rows, isHidden] = await Promise.all([
      readSegments(tx, brand, catalog === null ? null : [catalog]),
      hiddenNow(tx, { brand, catalog, category, at }),
    ])
    if (catalog !== null && rows.length === 0)
      throw new ServiceError('DATA_002', { message: 'There is no published catalog with this id', field: 'catalog_id' })
    const pins = pinsOf(rows)
    const versions = new Map(pins.map(({ catalog, version }) => [catalog, version]))
    const subject = product === null ? null : await findSubject(tx, product, versions)
    const segments = segmentsAt(rows, pins)
    const ground = { brand, segments, languages: productsByLanguage(rows, segments), versions, subject, limit }
    const choice = openChoice<OfferedProduct>(limit, subject)
    const tried: Step[] = []
    const seen = new Set(subject ? [subject.id] : [])
    for (const step of stepsOf(method, category, subject?.product.categoryPath ?? null)) {
      if (choice.isFull || seen.size >= mostRead) break
      tried.push(step)
      await addFound({ ports, tx, ground, category, isHidden, choice, seen }, step)
    }
    return { products: choice.result(), tried }
  })
}

async function findSubject(
  tx: PoolClient,
  id: string,
  versions: ReadonlyMap<string, number>,
): Promise<PublishedProduct> {
  const asked = [...versions].map(([catalog, version]) => ({ id, catalog, version }))
  const [row] = await readPublished(tx, asked)
  if (row) return row
  throw new ServiceError('DATA_001', { message: 'No published product has this id', field: 'product_id' })
}

interface Run {
  readonly ports: CandidatePorts
  readonly tx: PoolClient
  readonly ground: Ground
  readonly category: readonly string[] | null
  readonly isHidden: (product: PublishedProduct) => boolean
  readonly choice: Choice<OfferedProduct>
  /** Read already, by this step or by one before it. */
  readonly seen: Set<string>
}

async function addFound(run: Run, step: Step): Promise<void> {
  const { ports, tx, ground, choice, seen } = run
  let atOnce = 2 * ground.limit
  for await (const page of findCandidates(ports, tx, ground, step)) {
    const fresh = page.filter(({ id }) => !seen.has(id))
    for (let from = 0; from < fresh.length; ) {
      const some = fresh.slice(from, from + atOnce)
      from += atOnce
      atOnce = Math.max(atOnce, laterAtOnce)
      for (const { id } of some) seen.add(id)
      const products = await offered(run, some)
      choice.add(step, products)
      if (choice.isFull || seen.size >= mostRead) return
      // Behind what cannot be had nothing follows that can.
      if (choice.isEnough && products.some(({ isBuyable }) => !isBuyable) && isByStock(step)) return
    }
  }
}

const isByStock = ({ method }: Step) => method !== 'together' && method !== 'viewed_together'

/** Whatever a way found passes here: what is published now, in the category that was asked for, and hidden by no rule. */
async function offered({ tx, category, isHidden }: Run, found: readonly PublishedAt[]): Promise<OfferedProduct[]> {
  return (await readPublished(tx, found)).flatMap((row): OfferedProduct[] => {
    const { id, family, product } = row
    if (category !== null && !isInCategory(product.categoryPath, [category])) return []
    if (isHidden(row)) return []
    return [{ id, family, isBuyable: product.availability !== 'out_of_stock', row }]
  })
}
