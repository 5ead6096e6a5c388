/** Grades stored products under the rubric of today and says what each would gain; pages over a catalog, never holds it. */
import type { Catalog } from '../../infra/catalog/postgres.ts'
import { findProducts, listProducts, type ProductRow } from '../../infra/catalog/product-queries.ts'
import type { NewScore } from '../../infra/catalog/scores.ts'
import { findCatalog } from '../../infra/catalog/tenants.ts'
import { feedProduct } from '../../schemas/feeds/feed-product.ts'
import type { FeedProduct } from '../../schemas/feeds/profile.ts'
import { score, type Weights } from '../../schemas/score.ts'
import { gapsOf } from '../../transforms/gold/gaps.ts'
import { type Grade, grade } from '../../transforms/gold/grade.ts'
import { rubricVersion } from '../../transforms/gold/rubric.ts'
import { summaryBuilder } from '../../transforms/gold/summary.ts'
import { type Bearer, principalOf } from '../plugins/access.ts'
import type { GoldRequest, GoldResult, Grading } from './gold.ts'

export interface GradingPorts {
  readonly catalog: Pick<Catalog, 'withTenant'>
  readonly weights: (workspace: string) => Promise<Weights>
  readonly save: (catalog: string, scores: readonly NewScore[], at: string) => Promise<void>
  readonly lock: (catalog: string) => Promise<{ release(): Promise<void> } | null>
}

const pageRows = 1_000
const notInSilver = 'Product not in Silver stage — run Silver first'
const isParent = 'A parent has no score; its variants have'

export function grading({ catalog, weights, save, lock }: GradingPorts): Grading {
  return {
    findCatalog: (bearer, id) => catalog.withTenant(principalOf(bearer), (tx) => findCatalog(tx, id)),
    async begin(bearer, row, what) {
      const held = await lock(row.id)
      if (!held) return null
      const weighed = await weights(bearer.workspace).catch(async (error) => {
        await held.release()
        throw error
      })
      const summary = summaryBuilder(weighed)
      return {
        async *results() {
          for await (const page of pages(catalog, bearer, row.id, what)) {
            const scores: NewScore[] = []
            const at = new Date().toISOString()
            const results = page.map((item): GoldResult => {
              if (typeof item === 'string') return { productId: item, status: 'error', error: notInSilver }
              if (item.kind === 'parent') return { productId: item.id, status: 'error', error: isParent }
              if (item.stage === 'bronze') return { productId: item.id, status: 'error', error: notInSilver }
              const graded = gradeRow(item, at)
              if (isNews(item, graded)) scores.push({ product: item.id, rev: item.rev, ...graded })
              summary.add(graded.points, graded.sub)
              return resultOf(item.id, graded, weighed)
            })
            await save(row.id, scores, at)
            yield results
          }
        },
        summary: () => {
          const { avgScore, scoreDistribution, topGaps } = summary.result()
          return { avgScore, scoreDistribution, topGaps }
        },
        close: () => held.release(),
      }
    },
  }
}

/** As gold sees it at a time. */
export const feedProductOf = ({ id, refined, kind }: ProductRow, at: string): FeedProduct =>
  feedProduct(refined, id, kind, at)

const gradeRow = (row: ProductRow, at: string): Grade => grade(feedProductOf(row, at), row.kind)

/** A catalog that the worker has just graded has nothing to save. */
function isNews({ points, valid, rubric, stage }: ProductRow, graded: Grade): boolean {
  return (
    stage !== 'gold' ||
    valid !== graded.valid ||
    rubric !== rubricVersion ||
    points === null ||
    !points.equals(graded.points)
  )
}

function resultOf(productId: string, { points, sub }: Grade, weights: Weights): GoldResult {
  const { gaps, missing } = gapsOf(points, weights)
  return {
    productId,
    status: 'success',
    score: score(sub, weights),
    gaps: gaps.map((gap) => gap.field),
    missingFields: missing,
  }
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Rows of the catalog in order of id, without parents; of a selection each id as asked, in its order, present or not. */
async function* pages(
  catalog: Pick<Catalog, 'withTenant'>,
  bearer: Bearer,
  id: string,
  what: GoldRequest,
): AsyncGenerator<(ProductRow | string)[]> {
  const principal = principalOf(bearer)
  if (what.scope === 'all') {
    for (let after: string | null = null; ; ) {
      const from: string | null = after
      const rows: ProductRow[] = await catalog.withTenant(principal, (tx) => listProducts(tx, id, from, pageRows))
      yield rows.filter((row) => row.kind !== 'parent')
      const last = rows.at(-1)
      if (!last || rows.length < pageRows) return
      after = last.id
    }
  }
  const asked = [...new Set(what.productIds ?? [])]
  for (let i = 0; i < asked.length; i += pageRows) {
    const ids = asked.slice(i, i + pageRows)
    const known = ids.filter((one) => uuid.test(one))
    const rows = await catalog.withTenant(principal, (tx) => findProducts(tx, id, known))
    const found = new Map(rows.map((row) => [row.id, row]))
    yield ids.map((one) => found.get(one.toLowerCase()) ?? one)
  }
}
