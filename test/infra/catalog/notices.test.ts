import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { inTransaction, sayAfter } from '../../../infra/catalog/in-transaction.ts'
import { type Notices, openNotices } from '../../../infra/catalog/notices.ts'
import { type Catalog, openCatalog } from '../../../infra/catalog/postgres.ts'
import { freshDatabase, type TestDatabase } from '../../harness.ts'

let database: TestDatabase
let catalog: Catalog
let notices: Notices
beforeAll(async () => {
  database = await freshDatabase()
  catalog = openCatalog(database.url, { maxConnections: 2 })
  notices = openNotices(database.url)
})
afterAll(async () => {
  await notices?.close()
  await catalog?.close()
  await database?.drop()
})

const soon = { timeout: 5_000, interval: 5 }
async function listening(channel: string) {
  const heard: (string | null)[] = []
  notices.listen(channel, (said) => heard.push(said))
  // What was said before is missed, and that is told.
  await vi.waitFor(() => expect(heard).toEqual([null]), soon)
  heard.length = 0
  return heard
}

test('what a transaction says is heard once it has committed, once, and not where it rolls back', async () => {
  const heard = await listening('one')
  const lost = inTransaction(catalog.pipeline, async (tx) => {
    sayAfter(tx, 'one', 'lost')
    throw new Error('no')
  })
  await expect(lost).rejects.toThrow('no')
  await inTransaction(catalog.pipeline, async (tx) => {
    for (const said of ['this', 'this', 'that']) sayAfter(tx, 'one', said)
    await tx.query('select pg_sleep(0.05)')
    expect(heard).toEqual([])
  })
  await vi.waitFor(() => expect(heard).toEqual(['this', 'that']), soon)
  // Nothing of it is left for the next transaction on this connection.
  await inTransaction(catalog.pipeline, (tx) => tx.query('select 1'))
  await inTransaction(catalog.pipeline, async (tx) => sayAfter(tx, 'one', 'last'))
  await vi.waitFor(() => expect(heard).toEqual(['this', 'that', 'last']), soon)
})

test('a connection that is lost is made anew, both are told, and meanwhile nobody relies on it', async () => {
  const heard = await listening('two')
  expect(notices.hears()).toBe(true)
  const { rowCount } = await catalog.pipeline.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query ilike 'listen %'`,
  )
  expect(rowCount).toBe(1)
  await vi.waitFor(() => expect(heard).toEqual([null]), soon)
  expect(notices.hears()).toBe(false)
  await vi.waitFor(() => expect(heard).toEqual([null, null]), soon)
  expect(notices.hears()).toBe(true)
  await inTransaction(catalog.pipeline, async (tx) => sayAfter(tx, 'two', 'again'))
  await vi.waitFor(() => expect(heard).toEqual([null, null, 'again']), soon)
})
