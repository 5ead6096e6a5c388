import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import pino from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Role } from '../../../infra/config-variables.ts'
import { serverPorts } from '../../../infra/system/server-ports.ts'
import { openSystem, type System } from '../../../infra/system.ts'
import { type Running, startAssay, workspace } from '../../running.ts'

// Two of everything on a busy machine.
vi.setConfig({ testTimeout: 90_000 })

/** The API; what else there is each test opens, as other processes on the same database and data folder. */
let assay: Running
const others: System[] = []
beforeEach(async () => {
  assay = await startAssay({}, { roles: ['api'] })
})
afterEach(async () => {
  for (const other of others.splice(0)) await other.close()
  await assay.close()
})

async function open(...roles: Role[]): Promise<System> {
  const other = await openSystem(assay.config, pino({ level: 'silent' }), { roles, alone: false })
  others.push(other)
  return other
}

const soon = { timeout: 20_000, interval: 20 }

async function owners(group: string): Promise<string[]> {
  const sql = 'select owner from sink_position where consumer_group = $1 and owner is not null order by partition'
  return (await assay.system.catalog.pipeline.query<{ owner: string }>(sql, [group])).rows.map(({ owner }) => owner)
}

test('two processes of every role do each job once, and each has its share of the partitions', async () => {
  await Promise.all([open('jobs', 'transforms'), open('jobs', 'transforms')])
  await vi.waitFor(async () => {
    const found = await owners('products')
    expect([found.length, new Set(found).size]).toEqual([4, 2])
  }, soon)
  const rows = 300
  const lines = (n: number) => Array.from({ length: rows }, (_, i) => `T-${n}-${i},Mug,2.50`).join('\n')
  const catalogs = await Promise.all(Array.from({ length: 6 }, (_, n) => assay.newCatalog(`two ${n}`)))
  const jobs = await Promise.all(catalogs.map((one, n) => assay.ingest(one, `sku,title,price\n${lines(n)}\n`)))
  for (const { status, result } of jobs)
    expect({ status, ...result }).toMatchObject({ status: 'completed', read: rows, created: rows })
  for (const one of catalogs) expect(await assay.publish(one)).toMatchObject({ version: 1, added: rows })
  const twice = 'select from notification group by job_id having count(*) > 1'
  expect((await assay.system.catalog.pipeline.query(twice)).rowCount).toBe(0)
  expect(await assay.products(catalogs[0] ?? '')).toHaveLength(rows)
})

test('one of those with the role jobs does what is done unasked; when it closes, another follows', async () => {
  await open('transforms')
  const first = await open('jobs')
  await vi.waitFor(async () => expect(await owners('upkeep')).toHaveLength(1), soon)
  const [before] = await owners('upkeep')
  await open('jobs')
  await first.close()
  await vi.waitFor(async () => expect(await owners('upkeep')).not.toEqual([before]), soon)
  await vi.waitFor(async () => expect(await owners('upkeep')).toHaveLength(1), soon)
  const catalog = await assay.newCatalog('after')
  await assay.ingest(catalog, 'sku,title,price\nU-1,Mug,2.50\n')
  const path = `/api/workspace/${workspace}/catalog/products?catalog_id=${catalog}&sort=-score`
  const ranked = async () => (await assay.call('GET', path)).body.products
  await vi.waitFor(async () => expect(await ranked()).toHaveLength(1), soon)
})

test('an import whose file the process for jobs does not find says so at once', async () => {
  const catalog = await assay.newCatalog('elsewhere')
  const path = `/api/workspace/${workspace}/datasets/ingest?catalog_id=${catalog}`
  const { body } = await assay.call('POST', path, Buffer.from('sku,title,price\nE-1,Mug,2.50\n'))
  // As it is for a process with another data folder.
  await rm(join(assay.config.dataFolder, 'spool'), { recursive: true })
  await open('jobs')
  expect(await assay.job(body.job.id)).toMatchObject({ status: 'failed', error: { code: 'no_file' } })
})

test('a limit that one node has counted is counted by every node, unless it is said that there is one', async () => {
  const on = (nodes: number | null) => {
    const { limits } = serverPorts({ ...assay.system, config: { ...assay.config, nodes } })
    return async () => (await limits.counter.hit([{ key: `k ${nodes}`, limit: 2, seconds: 60 }], Date.now()))[0]?.hits
  }
  const [one, other] = [on(null), on(null)]
  expect([await one(), await other(), await one()]).toEqual([1, 2, 3])
  const [alone, beside] = [on(1), on(1)]
  expect([await alone(), await beside()]).toEqual([1, 1])
})
