import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mergeSegments, rebuildStep, renewWornSegment } from '../../../infra/catalog/search-rebuild.ts'
import { sweepSegments } from '../../../infra/catalog/search-sweep.ts'
import { segmentMaker } from '../../../infra/system/segment-maker.ts'
import { type AskedSearch, type FoundSearch, runSearch } from '../../../serving/search/run-search.ts'
import type { SearchCursor } from '../../../serving/search/search-cursor.ts'
import { openSegmentReader } from '../../../serving/search/segment-reader.ts'
import { noFilter } from '../../../transforms/search/filter-documents.ts'
import { openSearcher } from '../../../transforms/search/search-segments.ts'
import { cutOffAfter, publishGround } from '../../infra/catalog/publish-ground.ts'

const ground = publishGround()
const searcher = openSearcher()
const reader = openSegmentReader(16 * 1024 * 1024)

async function search(more: Partial<AskedSearch>): Promise<FoundSearch> {
  const { rows } = await ground.sql('select brand_id as brand from catalog where catalog_id = $1')
  const ports = { catalog: ground.catalog(), segments: reader, searcher }
  return runSearch(
    ports,
    { workspaceId: 'ws_test', brandIds: '*' },
    {
      ...{
        brand: rows[0].brand,
        catalog: ground.catalogId(),
        q: '',
        locale: null,
        filter: noFilter,
        sort: 'relevance',
        facets: [],
      },
      ...{ limit: 3, after: null, nowMs: Date.now() },
      ...more,
    },
  )
}
const idsOf = ({ products }: FoundSearch) => products.map(({ id }) => id)
const merge = async () => {
  while (await mergeSegments(ground.catalog().pipeline, segmentMaker));
}
async function all(q: string): Promise<string[]> {
  const ids: string[] = []
  for (let after: SearchCursor | null = null; ; ) {
    const page: FoundSearch = await search({ q, after })
    ids.push(...idsOf(page))
    after = page.next
    if (!after) return ids
  }
}

test('while products are published, changed and removed, a reader of pages meets none twice and misses none that stayed', async () => {
  const step = fc.constantFrom('change', 'remove', 'add', 'merge', 'renew', 'rebuild', 'page')
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 8 }), async (steps) => {
      const ids = await ground.products(11)
      await ground.publish()
      // Of the ground's catalog, whatever runs before have left.
      const before = new Set(await all('first'))
      const stayed = new Set(before)
      const met: string[] = []
      let page = await search({ q: 'first' })
      met.push(...idsOf(page))
      const nextPage = async () => {
        if (!page.next) return
        page = await search({ q: 'first', after: page.next })
        met.push(...idsOf(page))
      }
      for (const [i, kind] of steps.entries()) {
        const one = ids[i] as string
        if (kind === 'change' || kind === 'remove') {
          await (kind === 'change' ? ground.say([one], 'second') : ground.remove([one]))
          stayed.delete(one)
          await ground.publish()
          expect(await all('first')).not.toContain(one)
        } else if (kind === 'add') {
          await ground.products(1)
          await ground.publish()
        } else if (kind === 'merge') await merge()
        else if (kind === 'renew') await renewWornSegment(ground.catalog().pipeline, segmentMaker, 1)
        else if (kind === 'rebuild') {
          await ground.sql('update search_segment set weights_number = 0 where catalog_id = $1 and until is null')
          while (await rebuildStep(ground.catalog().pipeline, segmentMaker));
        } else await nextPage()
      }
      while (page.next) await nextPage()
      expect(new Set(met).size).toBe(met.length)
      expect(met.filter((id) => !before.has(id))).toEqual([])
      expect([...stayed].filter((id) => !met.includes(id))).toEqual([])
      const now = await all('first')
      expect(new Set(now).size).toBe(now.length)
      expect((await search({ q: 'first' })).total).toBe(now.length)
    }),
    { numRuns: 5 },
  )
})

test('many small publishes become few segments, and what nobody reads any more is swept', async () => {
  const [first] = await ground.products(2)
  await ground.publish()
  for (let i = 0; i < 9; i++) {
    await ground.say([first as string], `saying ${i}`)
    await ground.publish()
  }
  await merge()
  const live = await ground.sql('select from search_segment where catalog_id = $1 and until is null')
  expect(live.rowCount).toBeLessThan(4)
  expect(idsOf(await search({ q: 'saying 8' }))).toEqual([first])
  expect((await search({ q: 'saying 3' })).relaxed).toEqual({ least: 1, of: 2 })
  await ground.sql(
    `update search_segment set ended_at = now() - interval '2 hours' where catalog_id = $1 and ended_at is not null`,
  )
  while (await sweepSegments(ground.catalog().pipeline));
  const left = await ground.sql('select from search_segment where catalog_id = $1 and ended_at is not null')
  expect(left.rowCount).toBe(0)
  expect(idsOf(await search({ q: 'saying 8' }))).toEqual([first])
})

test('a publish that was cut off is found whole when it goes on, and one that was cancelled is not found at all', async () => {
  const ids = await ground.products(5)
  await ground.publish()
  await ground.say(ids.slice(0, 3), 'later')
  const { job } = await ground.begin()
  await expect(ground.run(job, cutOffAfter(3))).rejects.toThrow('cut off')
  expect((await search({ q: 'later' })).total).toBe(0)
  expect((await search({ q: 'first' })).total).toBe(5)
  await ground.run(job)
  expect(new Set(await all('later'))).toEqual(new Set(ids.slice(0, 3)))
  expect((await search({ q: 'first' })).total).toBe(2)
})

test('a catalog that was published before there was an index gets one', async () => {
  const ids = await ground.products(4)
  await ground.publish()
  await ground.sql('delete from search_document where catalog_id = $1')
  await ground.sql('delete from search_segment where catalog_id = $1')
  expect((await search({ q: 'first' })).total).toBe(0)
  while (await rebuildStep(ground.catalog().pipeline, segmentMaker));
  expect(new Set(await all('first'))).toEqual(new Set(ids))
})
