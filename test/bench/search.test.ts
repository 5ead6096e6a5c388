/** The short form of `npm run bench search`: its catalog published, and its questions answered for what they ask. */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { runSearch } from '../../serving/search/run-search.ts'
import { openSegmentReader } from '../../serving/search/segment-reader.ts'
import { noFilter } from '../../transforms/search/filter-documents.ts'
import { openSearcher } from '../../transforms/search/search-segments.ts'
import { publishGround } from '../infra/catalog/publish-ground.ts'
import { searchCatalog } from './search-catalog.ts'

const ground = publishGround()
const size = 1_500

test('each question of the benchmark is answered: codes by their product, words by products that have them', async () => {
  const { product, question } = searchCatalog(1)
  const products = Array.from({ length: size }, (_, i) => ({ id: randomUUID(), refined: product(i) }))
  const { rows } = await ground.sql(
    'select brand_id as brand, workspace_id as workspace from catalog where catalog_id = $1',
  )
  const { brand, workspace } = rows[0] as { brand: string; workspace: string }
  await ground.sql(
    `insert into products (catalog_id, product_id, workspace_id, brand_id, kind, stage, rev, source_identifier, sku, alive, content_hash,
                           settings_number, created_at, updated_at, refined, layers)
     select $1, i.id, $2, $3, 'single', 'gold', 1, '\\x00', i.refined ->> 'sku', true, 'h', 1, now(), now(), i.refined, ''
       from jsonb_to_recordset($4::jsonb) as i (id uuid, refined jsonb)`,
    [workspace, brand, JSON.stringify(products)],
  )
  await ground.sql('insert into dirty (catalog_id, product_ids) values ($1, $2::uuid[])', [
    products.map(({ id }) => id),
  ])
  await ground.publish()
  const ports = { catalog: ground.catalog(), segments: openSegmentReader(1 << 24), searcher: openSearcher() }
  const found = new Map<string, number[]>()
  for (let n = 0; n < 60; n++) {
    const { kind, query } = question(size)
    const q = query.q ?? ''
    const answer = await runSearch(
      ports,
      { workspaceId: workspace, brandIds: '*' },
      {
        ...{
          brand,
          catalog: ground.catalogId(),
          q,
          locale: null,
          filter: noFilter,
          sort: 'relevance',
          facets: ['brand'],
        },
        ...{ limit: 10, after: null, nowMs: Date.now() },
      },
    )
    if (kind === 'code') expect(answer.products.map(({ product }) => product.sku)).toEqual([q])
    const brands = answer.facets.brand?.reduce((sum, { count }) => sum + count, 0) ?? 0
    expect(brands).toBeLessThanOrEqual(answer.total)
    if (kind === 'one word')
      for (const { product } of answer.products)
        expect(JSON.stringify(product).toLowerCase()).toContain((answer.corrected ?? q).slice(0, 3))
    found.set(kind, [...(found.get(kind) ?? []), answer.total])
  }
  for (const kind of ['code', 'one word', 'typo'])
    expect(Math.max(...(found.get(kind) ?? [0])), kind).toBeGreaterThan(0)
})
