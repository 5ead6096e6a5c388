/** How good search is over catalogs as merchants have them: our sample, and what was collected where that is beside the project; a change that lowers it fails. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RefinedProduct } from '../../../schemas/product.ts'
import { runSearch } from '../../../serving/search/run-search.ts'
import { openSegmentReader } from '../../../serving/search/segment-reader.ts'
import { noFilter } from '../../../transforms/search/filter-documents.ts'
import { openSearcher } from '../../../transforms/search/search-segments.ts'
import { overShared, realPath, sharedIsThere } from '../../ingest/expected-figures.ts'
import type { Running } from '../../running.ts'
import { sharedAssay, workspace } from '../../shared-assay.ts'
import { ndcg } from './judged-set.ts'
import { collectedQueries, ownQueries, type SampleQuery } from './sample-queries.ts'

let assay: Running
beforeAll(async () => {
  assay = await sharedAssay()
})
afterAll(() => assay.close())

interface Measured {
  readonly kind: string
  readonly ndcg: number
  readonly recall: number
}

async function publish(file: string): Promise<{ catalog: string; products: Map<string, RefinedProduct> }> {
  const catalog = await assay.newCatalog(file.slice(-40))
  await assay.ingest(catalog, readFileSync(file))
  await assay.publish(catalog)
  const { rows } = await assay.system.catalog.pipeline.query<{ id: string; product: RefinedProduct }>(
    `select product_id as id, content -> 'product' as product from published where catalog_id = $1 and content is not null`,
    [catalog],
  )
  return { catalog, products: new Map(rows.map(({ id, product }) => [id, product])) }
}

async function measure(file: string, queriesOf: (products: readonly RefinedProduct[]) => readonly SampleQuery[]) {
  const { catalog, products } = await publish(file)
  const { rows } = await assay.system.catalog.pipeline.query<{ brand: string }>(
    'select brand_id as brand from catalog where catalog_id = $1',
    [catalog],
  )
  const ports = { catalog: assay.system.catalog, segments: openSegmentReader(1 << 24), searcher: openSearcher() }
  const measured: Measured[] = []
  for (const { q, kind, isMeant } of queriesOf([...products.values()])) {
    const meant = [...products.values()].filter(isMeant).length
    if (meant === 0) throw new Error(`nothing is meant by ${q}`)
    const found = await runSearch(
      ports,
      { workspaceId: workspace, brandIds: '*' },
      {
        ...{ brand: rows[0]?.brand ?? '', catalog, q, locale: null, filter: noFilter, sort: 'relevance', facets: [] },
        ...{ limit: 50, after: null, nowMs: Date.now() },
      },
    )
    const grades = found.products.map(({ id }) => (isMeant(products.get(id) as RefinedProduct) ? 3 : 0))
    const hits = grades.filter((grade) => grade > 0).length
    const ideal = new Array<number>(meant).fill(3)
    measured.push({ kind, ndcg: ndcg(grades, ideal), recall: hits / Math.min(50, meant) })
  }
  return measured
}

const mean = (of: readonly number[]) => of.reduce((a, b) => a + b, 0) / of.length
function figures(name: string, measured: readonly Measured[]) {
  const of = (some: readonly Measured[]) => [mean(some.map(({ ndcg }) => ndcg)), mean(some.map(({ recall }) => recall))]
  const kinds = [...new Set(measured.map(({ kind }) => kind))].map((kind) => {
    const [ndcg10 = 0, recall = 0] = of(measured.filter((one) => one.kind === kind))
    return `${kind} ${ndcg10.toFixed(3)}/${recall.toFixed(3)}`
  })
  const [ndcg10 = 0, recall50 = 0] = of(measured)
  process.stdout.write(
    `search over ${name}, ${measured.length} judged queries: nDCG@10 ${ndcg10.toFixed(3)}, recall@50 ${recall50.toFixed(3)}\n  ${kinds.join(', ')}\n`,
  )
  return { ndcg10, recall50 }
}

/** A hundredth below what was measured. */
const floors = { own: { ndcg10: 0.988, recall50: 0.986 }, collected: { ndcg10: 0.975, recall50: 0.971 } }

describe('nDCG@10 and recall@50 are above their floors', () => {
  test('over our own sample', async () => {
    const file = join(import.meta.dirname, '../../../ingest/sample/rheingold-home.csv')
    const measured = await measure(file, ownQueries)
    expect(measured.length).toBeGreaterThan(150)
    const { ndcg10, recall50 } = figures('our sample', measured)
    expect(ndcg10).toBeGreaterThan(floors.own.ndcg10)
    expect(recall50).toBeGreaterThan(floors.own.recall50)
  })

  test.skipIf(!sharedIsThere)(overShared('over collected catalogs in Japanese, Russian and Arabic'), async () => {
    const measured: Measured[] = []
    for (const [file, queries] of Object.entries(collectedQueries))
      measured.push(...(await measure(realPath(file), () => queries)))
    const { ndcg10, recall50 } = figures('collected catalogs', measured)
    expect(ndcg10).toBeGreaterThan(floors.collected.ndcg10)
    expect(recall50).toBeGreaterThan(floors.collected.recall50)
  })
})
