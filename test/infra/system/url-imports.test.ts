import { afterAll, beforeAll, expect, test } from 'vitest'
import { findJob } from '../../../infra/catalog/job-table.ts'
import { listUrlItems } from '../../../infra/catalog/url-import-items.ts'
import type { Polite } from '../../../infra/egress/polite.ts'
import type { Jobs } from '../../../infra/jobs.ts'
import type { BulkWriter } from '../../../infra/system/bulk-writer.ts'
import { openUrlImports } from '../../../infra/system/url-imports.ts'
import { type Running, startAssay, workspace } from '../../running.ts'

let assay: Running
beforeAll(async () => {
  assay = await startAssay()
})
afterAll(() => assay.close())

/** No queue takes the job up, so that only the test runs it. */
const noQueue: Jobs = { send: async () => {}, rest: async () => {}, close: async () => {} }
const { signal } = new AbortController()

/** Pages without a network; each address is counted. */
function pages(asked: string[]): Polite {
  return {
    fetch: async (address, _ask, read) => {
      asked.push(address)
      const url = new URL(address)
      const group = url.searchParams.get('group')
      const thing = {
        ...(group && { inProductGroupWithID: group }),
        ...{ '@type': 'Product', name: url.pathname, sku: url.pathname.slice(1), offers: { price: 5 } },
      }
      const html =
        url.pathname === '/none' ? 'nothing' : `<script type="application/ld+json">${JSON.stringify(thing)}</script>`
      const body = (async function* () {
        yield Buffer.from(html)
      })()
      return read({ url, status: 200, headers: { 'content-type': 'text/html' }, body })
    },
  }
}

async function begin(paths: readonly string[]) {
  const { catalog: store, log, bulk } = assay.system
  const catalog = await assay.newCatalog()
  const { rows } = await store.pipeline.query<{ brand: string }>(
    'select brand_id as brand from catalog where catalog_id = $1',
    [catalog],
  )
  const asked: string[] = []
  const open = (writer: BulkWriter = bulk) =>
    openUrlImports({ catalog: store, log, bulk: writer, polite: pages(asked), jobs: () => noQueue })
  const addresses = paths.map((path) => `https://shop.example${path}`)
  const scope = { workspace, brand: rows[0]?.brand ?? '', catalog, by: 'test' }
  const job = await open().start({ ...scope, addresses, notify: null })
  return { catalog, asked, open, job, bulk, pool: store.pipeline }
}

const killed = () => Promise.reject(new Error('killed'))

test('a job that is cut off after each step fetches no page twice, tells each end once, and its ledger balances', async () => {
  const { catalog, asked, open, job, bulk, pool } = await begin(['/a', '/none', '/b', '/c'])
  let cuts = 0
  while ((await findJob(pool, job))?.status !== 'completed') {
    // The record is on the log, and nobody waits for what becomes of it.
    await open({ ...bulk, passed: killed })
      .run(job, signal)
      .catch((error: Error) => expect(error.message).toBe('killed'))
    if ((await findJob(pool, job))?.status === 'completed') break
    cuts++
    const stop = new AbortController()
    // The one that was left is ended; then the process dies before the next.
    const dies: BulkWriter = { ...bulk, keepPace: killed }
    await open(dies)
      .run(job, stop.signal)
      .catch((error: Error) => expect(error.message).toBe('killed'))
  }
  expect(cuts).toBe(3)
  const fetched = Map.groupBy(asked, (address) => new URL(address).pathname)
  // A page whose record was not on the log yet is fetched again; one that was done is not.
  expect(fetched.get('/a')).toHaveLength(1)
  expect(fetched.get('/none')).toHaveLength(1)
  const items = await listUrlItems(pool, job, null, 10)
  expect(items.map(({ state, result }) => [state, result])).toEqual([
    ['imported', 'created'],
    ['failed', null],
    ['imported', 'created'],
    ['imported', 'created'],
  ])
  expect((await findJob(pool, job))?.result).toMatchObject({ read: 4, created: 3, rejected: 1, unchanged: 0 })
  const { rows } = await pool.query(
    `select kind from outbox where cause like 'url_import:' || $1 || ':%' order by cause`,
    [job],
  )
  expect(rows.map(({ kind }) => kind)).toEqual([
    ...['url_import.completed', 'url_import.failed', 'url_import.completed', 'url_import.completed'],
  ])
  expect((await assay.products(catalog)).map(({ sku }) => sku).sort()).toEqual(['a', 'b', 'c'])
}, 60_000)

test('a job that two processes run at once does each address once', async () => {
  const { catalog, open, job, pool } = await begin(['/a', '/b', '/c', '/d', '/e'])
  for (let tries = 0; (await findJob(pool, job))?.status !== 'completed' && tries < 10; tries++)
    await Promise.allSettled([open().run(job, signal), open().run(job, signal)])
  expect((await findJob(pool, job))?.result).toMatchObject({ read: 5, created: 5, updated: 0, unchanged: 0 })
  expect(await assay.products(catalog)).toHaveLength(5)
  const { rows } = await pool.query(
    `select count(*)::int as n from outbox where cause like 'url_import:' || $1 || ':%'`,
    [job],
  )
  expect(rows).toEqual([{ n: 5 }])
}, 60_000)

test('a job whose catalog is deleted imports nothing more', async () => {
  const { catalog, open, job, pool } = await begin(['/a'])
  await pool.query('update catalog set deleted_at = now() where catalog_id = $1', [catalog])
  await expect(open().run(job, signal)).rejects.toThrow('is not running')
  expect((await listUrlItems(pool, job, null, 1))[0]?.state).toBe('waiting')
})

test('a page puts its product into the group that it names, and one that sells what a group is named for is no line of its own (KF-23)', async () => {
  const { catalog, open, job } = await begin([
    '/T-S?group=T',
    '/T-M?group=T',
    '/S-9',
    '/P-S?group=P',
    '/P',
    '/P-M?group=P',
  ])
  await open().run(job, signal)
  const told = (await assay.products(catalog)).map(({ sku, kind, itemGroupId }) => `${sku} ${kind} ${itemGroupId}`)
  expect(told.sort()).toEqual([
    ...['P parent null', 'P-M variant P', 'P-S variant P'],
    ...['S-9 single null', 'T parent null', 'T-M variant T', 'T-S variant T'],
  ])
})
