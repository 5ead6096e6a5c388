import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AnalyticsScope } from '../../../infra/events/analytics-scope.ts'
import { clickhouseEvents } from '../../../infra/events/clickhouse.ts'
import { embeddedEvents } from '../../../infra/events/embedded.ts'
import { foldSql } from '../../../infra/events/fold-sql.ts'
import type { EventStore } from '../../../infra/events/port.ts'
import { recommendationAnalytics } from '../../../infra/events/recommendation-analytics.ts'
import { searchAnalytics } from '../../../infra/events/search-analytics.ts'
import { queriesAfter } from '../../../infra/events/searched-queries.ts'
import type { AgentEvent } from '../../../schemas/event.ts'
import { eventLines } from '../../event-lines.ts'
import { foldRecommendations } from './recommendation-fold.ts'
import { foldQuery, foldSearches } from './search-fold.ts'
import { someSearches } from './some-searches.ts'

const now = new Date('2026-11-20T20:30:00.000Z')
const ground = someSearches(20261129, now)
const questions = 7

let folder: string
let store: EventStore
let events: readonly AgentEvent[]
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-searches-'))
  const embedded = embeddedEvents(join(folder, 'events'))
  store = clickhouseEvents(embedded.address, embedded)
  events = ground.events(900)
  await store.insert(eventLines(events), 'all')
  // Sent again, in other blocks.
  await store.insert(eventLines(events.slice(100, 400)), 'again')
})
afterAll(async () => {
  await store?.close()
  await rm(folder, { recursive: true, force: true })
})

const all = { days: 30, zone: null, channel: null, agent: null, limit: 100 }
const { signal } = new AbortController()
/** The first is of all that there is. */
const scopes = (i: number) => {
  const scope =
    i === 0 ? { workspace: 'ws_one', brand: ground.brands[0], catalog: null, isDefault: false } : ground.scope()
  return { scope, whole: { ...scope, upTo: [] } satisfies AnalyticsScope }
}

test(`${questions} questions about searches are answered as a plain reading of the events answers them`, async () => {
  for (let i = 0; i < questions; i++) {
    const { scope, whole } = scopes(i)
    const asked = i === 0 ? { ...all, query: null } : ground.searches()
    const { rowsRead: _, ...own } = await searchAnalytics(store, asked, whole, now, signal)
    expect(own, JSON.stringify({ asked, scope })).toEqual(foldSearches(events, asked, scope, now))
    // Not two that agree on nothing.
    if (i === 0) expect(Math.min(own.totals.clicked, own.totals.unclicked, own.refinements.length)).toBeGreaterThan(5)
  }
}, 60_000)

test(`${questions} questions about recommendations are answered so too`, async () => {
  for (let i = 0; i < questions; i++) {
    const { scope, whole } = scopes(i)
    const asked = i === 0 ? { ...all, method: null } : ground.recommendations()
    const { rowsRead: _, ...own } = await recommendationAnalytics(store, asked, whole, now, signal)
    expect(own, JSON.stringify({ asked, scope })).toEqual(foldRecommendations(events, asked, scope, now))
    if (i === 0) expect(Math.min(own.totals.clicked, own.totals.added_to_cart, own.totals.orders)).toBeGreaterThan(3)
  }
}, 60_000)

test('pages of queries have each once, in one order, whatever comes meanwhile', async () => {
  const scope = { workspace: 'ws_one', brand: ground.brands[0], catalog: null, isDefault: false, upTo: [] }
  const asked = { ...all, query: null, order: 'no_click' as const }
  const whole = await queriesAfter(store, { ...asked, limit: 100, after: null }, scope, now, signal)
  expect(whole.next).toBeNull()
  const pages: unknown[] = []
  for (let after: Parameters<typeof queriesAfter>[1]['after'] = null; ; ) {
    const page = await queriesAfter(store, { ...asked, limit: 2, after }, scope, now, signal)
    pages.push(...page.queries)
    after = page.next
    if (!after) break
    const late = { ...(events[0] as AgentEvent), id: crypto.randomUUID(), type: 'search', metadata: { query: 'late' } }
    await store.insert(eventLines([{ ...late, received: '2026-11-20T20:31:00.000Z' }]), late.id)
  }
  expect(whole.queries.length).toBeGreaterThan(4)
  expect(pages).toEqual(whole.queries)
})

test('a query is folded as search folds it', async () => {
  const letters = [...'aZÄßøŁçÉİ  \u00a0\u3000\u0301\u200bがガｶﾞ①ﬁςΣæ𝔞กำ한é"\\\'{}%']
  const texts = fc.sample(fc.array(fc.constantFrom(...letters)), { numRuns: 200, seed: 11 }).map((all) => all.join(''))
  const { rows } = await store.ask<{ folded: string[] }>(
    `select arrayMap(one -> ${foldSql('one')}, {texts:Array(String)}) as folded`,
    { texts },
    { seconds: 10, memoryBytes: 1e9 },
  )
  expect(rows[0]?.folded).toEqual(texts.map(foldQuery))
})
