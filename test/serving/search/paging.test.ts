import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import type { PoolClient } from 'pg'
import { describe, expect, test } from 'vitest'
import { mergeSegments, rebuildStep, renewWornSegment } from '../../../infra/catalog/search-rebuild.ts'
import { deleteRule, writeRule } from '../../../infra/catalog/search-rule-queries.ts'
import { sweepSegments } from '../../../infra/catalog/search-sweep.ts'
import { sweepTold, type TellingPlace } from '../../../infra/catalog/search-told.ts'
import { deleteSynonym, listSynonyms, type NewSynonym, writeSynonyms } from '../../../infra/catalog/synonym-queries.ts'
import { segmentMaker } from '../../../infra/system/segment-maker.ts'
import { ruleContent } from '../../../schemas/search-rule.ts'
import { type AskedSearch, type FoundSearch, runSearch } from '../../../serving/search/run-search.ts'
import type { SearchCursor } from '../../../serving/search/search-cursor.ts'
import { openSegmentReader } from '../../../serving/search/segment-reader.ts'
import { noFilter } from '../../../transforms/search/filter-documents.ts'
import { ruleKeys } from '../../../transforms/search/rule-keys.ts'
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

/** As if it was long ago that somebody went on from a page. */
const sweep = async () => {
  await ground.sql(
    `update search_segment set ended_at = now() - interval '2 hours' where catalog_id = $1 and ended_at is not null`,
  )
  while (await sweepSegments(ground.catalog().pipeline));
}
const rebuild = async () => {
  await ground.sql('update search_segment set weights_number = -1 where catalog_id = $1 and until is null')
  while (await rebuildStep(ground.catalog().pipeline, segmentMaker));
}
const wordsKnown = async () => {
  const { rows } = await ground.sql('select word, n from search_word where catalog_id = $1 order by word')
  return Object.fromEntries(rows.map(({ word, n }: { word: string; n: number }) => [word, n]))
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
        else if (kind === 'rebuild') await rebuild()
        else await nextPage()
      }
      while (page.next) await nextPage()
      expect(new Set(met).size).toBe(met.length)
      expect(met.filter((id) => !before.has(id))).toEqual([])
      expect([...stayed].filter((id) => !met.includes(id))).toEqual([])
      const now = await all('first')
      expect(new Set(now).size).toBe(now.length)
      expect((await search({ q: 'first' })).total).toBe(now.length)
      await rebuild()
      await sweep()
      const changed = (await all('second')).length
      expect(await wordsKnown()).toEqual({ first: now.length, ...(changed > 0 && { second: changed }) })
    }),
    { numRuns: 5 },
  )
})

test('many small publishes become few segments, and what nobody reads any more is swept', async () => {
  const [first] = await ground.products(2)
  await ground.publish()
  for (let i = 0; i < 9; i++) {
    await ground.say([first as string], `saying ${i} ${'abcdefghi'[i]}word`)
    await ground.publish()
  }
  await merge()
  const live = await ground.sql('select from search_segment where catalog_id = $1 and until is null')
  expect(live.rowCount).toBeLessThan(4)
  expect(idsOf(await search({ q: 'saying 8' }))).toEqual([first])
  expect((await search({ q: 'saying 3' })).relaxed).toEqual({ least: 1, of: 2 })
  expect(await wordsKnown()).toHaveProperty('bword')
  await sweep()
  const left = await ground.sql('select from search_segment where catalog_id = $1 and ended_at is not null')
  expect(left.rowCount).toBe(0)
  expect(idsOf(await search({ q: 'saying 8' }))).toEqual([first])
  const known = await wordsKnown()
  expect(known).toHaveProperty('iword')
  expect(known).not.toHaveProperty('bword')
})

test('a mistyped word is taken for one that a product still has, however many are as near that none has any more', async () => {
  const ids = await ground.products(10)
  for (const [i, id] of ids.entries()) await ground.say([id], `lanter${'abcdefghij'[i]}`)
  await ground.publish()
  await ground.say(ids.slice(0, 9), 'second')
  await ground.publish()
  expect((await search({ q: 'lanterz' })).corrected).toBe('lanterj')
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
  await ground.sql(
    `insert into search_word (catalog_id, word, shown, n, keys) values ($1, 'unheard', 'unheard', 0, '{}')`,
  )
  while (await rebuildStep(ground.catalog().pipeline, segmentMaker));
  expect(new Set(await all('first'))).toEqual(new Set(ids))
  expect(await wordsKnown()).not.toHaveProperty('unheard')
})

describe('what the brand tells search meanwhile', () => {
  const principal = { workspaceId: 'ws_test', brandIds: '*' } as const
  const tell = async (work: (tx: PoolClient, place: TellingPlace) => Promise<unknown>) => {
    const { rows } = await ground.sql('select brand_id as brand from catalog where catalog_id = $1')
    const place = { workspace: 'ws_test', brand: rows[0].brand, by: 'test' }
    await ground.catalog().withTenant(principal, (tx) => work(tx, place))
  }
  const ruleId = '00000000-0000-4000-8000-000000000001'
  const rule = (content: Parameters<typeof ruleContent.parse>[0]) =>
    tell((tx, place) => {
      const read = ruleContent.parse(content)
      const times = { startsAt: null, endsAt: null }
      const row = {
        id: ruleId,
        name: null,
        catalog: null,
        locale: null,
        enabled: true,
        priority: 0,
        ...times,
        content: read,
      }
      return writeRule(tx, place, row, ruleKeys(read.when))
    })
  const synonym = (words: readonly string[]) =>
    tell((tx, place) => {
      const made = { id: '00000000-0000-4000-8000-000000000002', locale: null, term: null, words, keys: words }
      return writeSynonyms(tx, place, [made])
    })
  const forget = () =>
    tell(async (tx, place) => {
      await deleteRule(tx, place, ruleId)
      for (const { id } of await listSynonyms(tx, place.brand, null, 10)) await deleteSynonym(tx, place, id)
    })

  test('who goes on from a page keeps to the rules and synonyms that it was read with', async () => {
    const ids = await ground.products(9)
    await ground.say(ids.slice(5), 'second')
    await ground.publish()
    const kinds = ['pin', 'hide', 'boost', 'synonym', 'other synonym', 'forget', 'sweep', 'page', 'page'] as const
    const step = fc.record({
      kind: fc.constantFrom(...kinds),
      product: fc.constantFrom(...ids),
      position: fc.integer({ min: 1, max: 9 }),
      steps: fc.integer({ min: -10, max: 10 }).filter((steps) => steps !== 0),
    })
    type Step = typeof step extends fc.Arbitrary<infer S> ? S : never
    const when = { queries: ['first'] }
    const [first, later] = [fc.array(step, { maxLength: 3 }), fc.array(step, { minLength: 3, maxLength: 8 })]
    await fc.assert(
      fc.asyncProperty(first, later, fc.integer({ min: 1, max: 3 }), async (before, meanwhile, limit) => {
        await forget()
        let page: FoundSearch | null = null
        const met: string[] = []
        const nextPage = async () => {
          if (page && !page.next) return
          page = await search({ q: 'first', limit, after: page?.next ?? null })
          met.push(...idsOf(page))
        }
        const take = async ({ kind, product, position, steps }: Step) => {
          if (kind === 'pin') await rule({ when, pins: [{ product, position }] })
          if (kind === 'hide') await rule({ when, hide: [{ products: [product] }] })
          if (kind === 'boost') await rule({ when, boosts: [{ products: [product], steps }] })
          if (kind === 'synonym') await synonym(['first', 'second'])
          if (kind === 'other synonym') await synonym(['first', 'third'])
          if (kind === 'forget') await forget()
          if (kind === 'sweep') while (await sweepTold(ground.catalog().pipeline));
          if (kind === 'page' && page) await nextPage()
        }
        for (const one of before) await take(one)
        const whole = idsOf(await search({ q: 'first', limit: 50 }))
        await nextPage()
        for (const one of meanwhile) await take(one)
        while ((page as FoundSearch | null)?.next) await nextPage()
        expect(met).toEqual(whole)
      }),
      { numRuns: 10 },
    )
    await forget()
  })

  test('the last of many synonyms of a file are written as quickly as the first', async () => {
    const undone = tell(async (tx, place) => {
      const took = async (from: number) => {
        const one = (_: unknown, i: number): NewSynonym => {
          const words = [`word${from + i}`, `other${from + i}`]
          return { id: randomUUID(), locale: null, term: null, words, keys: words }
        }
        const all = Array.from({ length: 1_000 }, one)
        const start = performance.now()
        await writeSynonyms(tx, place, all)
        return performance.now() - start
      }
      const times: number[] = []
      for (let from = 0; from < 5_000; from += 1_000) times.push(await took(from))
      // Of two each, that one of them met a busy machine says nothing.
      expect(Math.min(...times.slice(-2))).toBeLessThan(4 * Math.min(...times.slice(0, 2)))
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
  })

  test('what was replaced is swept when nobody can go on with it, and what is in force stays', async () => {
    const own = randomUUID()
    await rule({ hide: [{ products: [own] }] })
    await rule({ hide: [{ brands: ['x'] }] })
    await synonym(['first', 'second'])
    await synonym(['first', 'third'])
    const rows = async () =>
      (
        await ground.sql(
          `select (select count(*) from search_rule where until is null) as rules, (select count(*) from search_rule where until is not null) as ended,
                  (select count(*) from synonym where until is null) as synonyms, (select count(*) from synonym where until is not null) as others,
                  (select count(*) from synonym_key) as keys where $1::uuid is not null`,
        )
      ).rows[0]
    const before = await rows()
    expect([before.rules, before.synonyms]).toEqual([1, 1])
    expect(Math.min(before.ended, before.others)).toBeGreaterThan(0)
    while (await sweepTold(ground.catalog().pipeline));
    expect(await rows()).toEqual(before)
    for (const table of ['search_rule', 'synonym'])
      await ground.sql(
        `update ${table} set ended_at = now() - interval '2 hours' where ended_at is not null and $1::uuid is not null`,
      )
    while (await sweepTold(ground.catalog().pipeline));
    expect(await rows()).toEqual({ rules: 1, ended: 0, synonyms: 1, others: 0, keys: 2 })
    await forget()
  })
})
