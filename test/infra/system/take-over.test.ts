import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import pino from 'pino'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { findJob } from '../../../infra/catalog/job-table.ts'
import { ensureWorkspace, insertCatalog } from '../../../infra/catalog/tenants.ts'
import { readConfig } from '../../../infra/config.ts'
import type { Role } from '../../../infra/config-variables.ts'
import { openSystem, type System } from '../../../infra/system.ts'
import { enough } from '../../enough.ts'
import { freshDatabase, type TestDatabase } from '../../harness.ts'

let database: TestDatabase
let folder: string
const closers: (() => Promise<unknown>)[] = []
beforeAll(async () => {
  database = await freshDatabase()
  folder = await mkdtemp(join(tmpdir(), 'assay-data-'))
})
afterAll(async () => {
  for (const close of closers.reverse()) await close()
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

async function open(roles: readonly Role[]): Promise<System> {
  const config = readConfig({ ASSAY_DATA: folder, DATABASE_URL: database.url })
  const system = await openSystem(config, pino({ level: 'silent' }), { roles, alone: false })
  closers.push(() => system.close())
  return system
}

const jobsProcess = async (): Promise<ChildProcess> => {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'take-over-child.ts'), folder, database.url])
  closers.push(async () => child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  return child
}

/** Two appends. */
const rows = enough(9_000, 30_000)
const file = `sku,title,price\n${Array.from({ length: rows }, (_, i) => `K-${i},Mug ${i},2.50`).join('\n')}\nK-1,Mug 1,2.50\n,,\n`

test('an import whose process is killed is taken over within 30 s and ends as one that was not', async () => {
  const system = await open(['api', 'transforms'])
  const pool = system.catalog.pipeline
  await ensureWorkspace(pool, 'ws_test', 'Test')
  const found = await pool.query<{ id: string }>('select brand_id as id from brand')
  const scope = { workspace: 'ws_test', brand: found.rows[0]?.id ?? '', by: 'ada' }
  const send = async (name: string) => {
    const { id } = await insertCatalog(pool, { ...scope, name, isDefault: false, autoPublish: 'off' })
    const body = Readable.from([Buffer.from(file)])
    const offer = { ...scope, catalog: id, fileName: name, kind: undefined, source: undefined, map: [], body }
    return { catalog: id, job: await system.imports.accept(offer) }
  }
  const appended = async (job: string) => {
    const sql = 'select appended_seq as n from import where job_id = $1'
    return (await pool.query<{ n: number }>(sql, [job])).rows[0]?.n ?? -1
  }
  const count = async (catalog: string) => {
    const sql =
      'select count(*)::int as products, count(distinct sku)::int as skus from products where catalog_id = $1 and alive'
    return (await pool.query(sql, [catalog])).rows[0]
  }
  const soon = { timeout: 40_000, interval: 20 }

  const waiting = async () => {
    const sql = `select count(*)::int as n from pg_locks where relation = 'product_identity'::regclass and not granted`
    return (await pool.query<{ n: number }>(sql)).rows[0]?.n
  }
  const lock = 'begin; lock table product_identity in exclusive mode'

  const child = await jobsProcess()
  const before = await pool.connect()
  await before.query(lock)
  const killed = await send('killed')
  await vi.waitFor(async () => expect(await waiting()).toBe(1), soon)
  // In the middle of its second append: who asks for a lock first has it first.
  const tx = await pool.connect()
  const locked = tx.query(lock)
  await vi.waitFor(async () => expect(await waiting()).toBe(2), soon)
  await before.query('commit')
  before.release()
  await locked
  const reached = await appended(killed.job)
  child.kill('SIGKILL')
  await once(child, 'exit')
  const died = Date.now()
  await tx.query('commit')
  tx.release()
  expect(reached).toBeGreaterThan(0)
  expect(reached).toBeLessThan(rows - 1)
  expect((await findJob(pool, killed.job))?.status).toBe('active')

  await open(['jobs'])
  await vi.waitFor(async () => expect(await appended(killed.job)).toBeGreaterThan(reached), soon)
  expect(Date.now() - died).toBeLessThan(30_000)
  const whole = await send('whole')
  for (const { job } of [killed, whole])
    await vi.waitFor(async () => expect((await findJob(pool, job))?.status).toBe('completed'), soon)
  const [one, other] = [await findJob(pool, killed.job), await findJob(pool, whole.job)]
  const ledger = (result: unknown) => ({ ...(result as object), importId: null, notes: null })
  expect(ledger(one?.result)).toEqual(ledger(other?.result))
  expect(ledger(one?.result)).toMatchObject({ created: rows, duplicate: 1 })
  expect(await count(killed.catalog)).toEqual(await count(whole.catalog))
  expect((await pool.query('select from notification where job_id = $1', [killed.job])).rowCount).toBe(1)
}, 150_000)
