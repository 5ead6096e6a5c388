import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findJob } from '../../../infra/catalog/job-table.ts'
import { ensureWorkspace, insertCatalog } from '../../../infra/catalog/tenants.ts'
import { readConfig } from '../../../infra/config.ts'
import { type CatalogLives, openCatalogLives } from '../../../infra/system/catalog-lives.ts'
import { openSystem, type System } from '../../../infra/system.ts'
import type { BronzeRecord } from '../../../schemas/pipeline.ts'
import { topics } from '../../../schemas/topics.ts'
import { freshDatabase, type TestDatabase } from '../../harness.ts'
import { cutOffAfter } from '../catalog/publish-ground.ts'

const workspace = 'ws_test'
const who = { subject: 'test', requestId: 'test' }
const many = 2_500

let database: TestDatabase
let folder: string
let system: System
let lives: CatalogLives
beforeAll(async () => {
  database = await freshDatabase()
  folder = await mkdtemp(join(tmpdir(), 'assay-data-'))
  const config = readConfig({ ASSAY_DATA: folder, DATABASE_URL: database.url })
  system = await openSystem(config, pino({ level: 'silent' }), { roles: ['transforms'], alone: false })
  await ensureWorkspace(system.catalog.pipeline, workspace, 'Test')
  // Nobody takes the jobs up but the test.
  const jobs = { send: async () => {}, rest: async () => {}, close: async () => {} }
  lives = openCatalogLives({ catalog: system.catalog, bulk: system.bulk, jobs: () => jobs })
})
afterAll(async () => {
  await system.close()
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

async function filled(): Promise<string> {
  const { pipeline } = system.catalog
  const { rows } = await pipeline.query<{ id: string }>('select brand_id as id from brand')
  const brand = rows[0]?.id ?? ''
  const made = { workspace, brand, name: 'test', isDefault: false, autoPublish: 'off', by: 'test' } as const
  const { id } = await insertCatalog(pipeline, made)
  const records = Array.from({ length: many }, (_, n) => {
    const product = randomUUID()
    const scope = {
      v: 1,
      op: 'put',
      workspace,
      brand,
      catalog: id,
      product,
      source: 'api',
      sid: 'a'.repeat(64),
    } as const
    const record = {
      ...scope,
      context: 0,
      seq: -1,
      rows: [],
      kind: 'single',
      create: true,
      at: new Date().toISOString(),
    } as const
    return { key: product, value: JSON.stringify({ ...record, cells: { title: `Mug ${n}` } } satisfies BronzeRecord) }
  })
  await system.log.append(topics.bronze, records)
  await system.bulk.settled()
  return id
}

const living = async (id: string) => {
  const sql = 'select count(*) as n from products where catalog_id = $1 and alive'
  return (await system.catalog.pipeline.query<{ n: number }>(sql, [id])).rows[0]?.n
}

/** How often each product was said to be deleted, or not to be. */
async function tombstones(id: string): Promise<Set<string>> {
  const counts = new Map<string, number>()
  for (let partition = 0; partition < system.log.partitions; partition++)
    for (const { key, value } of await system.log.read(topics.bronze, partition, 0, 1_000_000)) {
      const record: BronzeRecord = JSON.parse(value.toString())
      if (record.catalog !== id || record.cells.deleted === undefined) continue
      const said = `${record.cells.deleted === '__CLEAR__' ? 'back' : 'gone'} ${key}`
      counts.set(said, (counts.get(said) ?? 0) + 1)
    }
  return new Set([...counts].map(([said, n]) => `${said.slice(0, 4)} ${n}`))
}

type Run = (signal: AbortSignal) => Promise<void>

/** One step of records each time: three pages of them, and what waits for the sink as often as it takes. */
async function cutOffAtEveryStep(run: Run): Promise<void> {
  let cuts = 0
  for (let ended = false; !ended; ) {
    ended = await run(cutOffAfter(2)).then(
      () => true,
      (error: Error) => {
        if (error.message !== 'cut off' || ++cuts > 300) throw error
        return false
      },
    )
  }
  expect(cuts).toBeGreaterThanOrEqual(3)
}

async function byTwoAtOnce(run: Run): Promise<void> {
  const { signal } = new AbortController()
  await Promise.allSettled([run(signal), run(signal)])
  await run(signal)
}

test.each([
  ['cut off at every step', cutOffAtEveryStep],
  ['run by two at once', byTwoAtOnce],
])(
  'a deletion and its undo, %s, say of every product once that it goes, and once that it is back',
  async (_, drive) => {
    const id = await filled()
    const removed = await lives.remove(id, who)
    if (removed.kind !== 'begun') throw new Error(removed.kind)
    await drive((signal) => lives.runDelete(removed.job, signal))
    await lives.runDelete(removed.job, new AbortController().signal)
    expect(await findJob(system.catalog.pipeline, removed.job)).toMatchObject({
      status: 'completed',
      result: { removed: many },
    })
    expect(await living(id)).toBe(0)
    expect(await tombstones(id)).toEqual(new Set(['gone 1']))

    const begun = await lives.bringBack(id, who)
    if (begun.kind !== 'begun') throw new Error(begun.kind)
    await drive((signal) => lives.runUndelete(begun.job, signal))
    await lives.runUndelete(begun.job, new AbortController().signal)
    expect(await findJob(system.catalog.pipeline, begun.job)).toMatchObject({
      status: 'completed',
      result: { returned: many },
    })
    expect(await living(id)).toBe(many)
    expect(await tombstones(id)).toEqual(new Set(['gone 1', 'back 1']))
  },
)

test('a deletion that is undone in the middle leaves every product there', async () => {
  const id = await filled()
  const removed = await lives.remove(id, who)
  if (removed.kind !== 'begun') throw new Error(removed.kind)
  await expect(lives.runDelete(removed.job, cutOffAfter(2))).rejects.toThrow('cut off')
  const begun = await lives.bringBack(id, who)
  if (begun.kind !== 'begun') throw new Error(begun.kind)
  // The process that deletes has not heard of it.
  await lives.runDelete(removed.job, new AbortController().signal)
  await lives.runUndelete(begun.job, new AbortController().signal)
  expect(await findJob(system.catalog.pipeline, removed.job)).toMatchObject({ status: 'failed' })
  expect(await living(id)).toBe(many)
})
