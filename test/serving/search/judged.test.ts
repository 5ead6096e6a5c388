/** How good search is, measured over the judged set; a change that lowers it fails. */
import { expect, test } from 'vitest'
import { runSearch } from '../../../serving/search/run-search.ts'
import { openSegmentReader } from '../../../serving/search/segment-reader.ts'
import { noFilter } from '../../../transforms/search/filter-documents.ts'
import { openSearcher } from '../../../transforms/search/search-segments.ts'
import { publishGround } from '../../infra/catalog/publish-ground.ts'
import { gradeOf, judgedProducts, judgedQueries, ndcg } from './judged-set.ts'

const ground = publishGround()
/** A hundredth below what was measured. */
const floors = { ndcg10: 0.955, recall50: 0.985 }

test('nDCG@10 and recall@50 over more than 300 queries in eight languages are above their floors', async () => {
  const products = judgedProducts()
  const byId = new Map(products.map((one) => [one.id, one]))
  expect(byId.size).toBe(products.length)
  const { rows: brands } = await ground.sql(
    'select brand_id as brand, workspace_id as workspace from catalog where catalog_id = $1',
  )
  const { brand, workspace } = brands[0] as { brand: string; workspace: string }
  await ground.sql(
    `insert into products (catalog_id, product_id, workspace_id, brand_id, kind, stage, rev, source_identifier, sku, alive, content_hash,
                           settings_number, created_at, updated_at, refined, layers)
     select $1, i.id, $2, $3, 'single', 'gold', 1, '\\x00', i.refined ->> 'sku', true, 'h', 1, now(), now(), i.refined, ''
       from jsonb_to_recordset($4::jsonb) as i (id uuid, refined jsonb)`,
    [workspace, brand, JSON.stringify(products.map(({ id, product }) => ({ id, refined: product })))],
  )
  await ground.touch(products.map(({ id }) => id))
  await ground.publish()
  const ports = { catalog: ground.catalog(), segments: openSegmentReader(1 << 24), searcher: openSearcher() }
  const measured: { kind: string; language: string; q: string; ndcg: number; recall: number }[] = []
  for (const query of judgedQueries()) {
    const found = await runSearch(
      ports,
      { workspaceId: workspace, brandIds: '*' },
      {
        ...{
          brand,
          catalog: ground.catalogId(),
          q: query.q,
          locale: null,
          filter: noFilter,
          sort: 'relevance',
          facets: [],
        },
        ...{ limit: 50, after: null, nowMs: Date.now() },
      },
    )
    const grades = found.products.map(({ id }) => gradeOf(byId.get(id) as (typeof products)[number], query))
    const all = products.map((one) => gradeOf(one, query)).filter((grade) => grade > 0)
    const recall = grades.filter((grade) => grade > 0).length / all.length
    measured.push({ kind: query.kind, language: query.language, q: query.q, ndcg: ndcg(grades, all), recall })
  }
  const mean = (of: readonly number[]) => of.reduce((a, b) => a + b, 0) / of.length
  const lines = (by: 'kind' | 'language') =>
    [...new Set(measured.map((one) => one[by]))].map((name) => {
      const of = measured.filter((one) => one[by] === name)
      return `${name} ${mean(of.map(({ ndcg }) => ndcg)).toFixed(3)}/${mean(of.map(({ recall }) => recall)).toFixed(3)}`
    })
  const [ndcg10, recall50] = [mean(measured.map(({ ndcg }) => ndcg)), mean(measured.map(({ recall }) => recall))]
  process.stdout.write(
    `search, ${measured.length} judged queries: nDCG@10 ${ndcg10.toFixed(3)}, recall@50 ${recall50.toFixed(3)}\n  ${lines('language').join(', ')}\n  ${lines('kind').join(', ')}\n`,
  )
  expect(measured.length).toBeGreaterThan(300)
  expect(ndcg10).toBeGreaterThan(floors.ndcg10)
  expect(recall50).toBeGreaterThan(floors.recall50)
})
