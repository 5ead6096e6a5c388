import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { enough } from '../enough.ts'
import { type Running, startAssay, workspace } from '../running.ts'
import { type Job, ledgerFaults, storeFaults } from './exact.ts'
import { type RoleProcess, roleProcess } from './role-process.ts'
import { type SupplierFile, supplierFile } from './supplier-file.ts'

// Processes start, die and start again; on a busy machine each start takes seconds.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 })

/** The API and its jobs; who transforms are processes of their own. */
let assay: Running
const workers: RoleProcess[] = []
beforeAll(async () => {
  assay = await startAssay({}, { roles: ['api', 'jobs'] })
})
afterEach(async () => {
  for (const worker of workers.splice(0)) {
    worker.signal('SIGKILL')
    await worker.ended
  }
})
afterAll(() => assay.close())

const env = () => ({ DATABASE_URL: assay.config.databaseUrl ?? '', ASSAY_DATA: assay.config.dataFolder })

async function join(): Promise<RoleProcess> {
  const worker = await roleProcess('transforms', env())
  workers.push(worker)
  return worker
}

/** Partitions of each living member, in order of size; a partition that nobody has is in none. */
async function shares(): Promise<number[]> {
  const { rows } = await assay.system.catalog.pipeline.query<{ n: number }>(
    `select count(s.partition)::int as n from consumer_member m
       left join sink_position s on s.consumer_group = m.consumer_group and s.owner = m.member
      where m.consumer_group = 'products' group by m.member order by 1`,
  )
  return rows.map(({ n }) => n)
}

const passed = async (): Promise<number> => {
  const sql = `select coalesce(sum(next_offset), 0)::int as n from sink_position where consumer_group = 'products'`
  return (await assay.system.catalog.pipeline.query<{ n: number }>(sql)).rows[0]?.n ?? 0
}

const rows = enough(3_000, 9_000)
const soon = { timeout: 30_000, interval: 20 }

interface Sent {
  readonly catalog: string
  readonly job: string
}

async function send(file: SupplierFile): Promise<Sent> {
  const catalog = await assay.newCatalog()
  const path = `/api/workspace/${workspace}/datasets/ingest?catalog_id=${catalog}`
  const { body } = await assay.call('POST', path, Buffer.from(file.text))
  return { catalog, job: body.job.id }
}

async function faultsOf({ catalog, job }: Sent, file: SupplierFile): Promise<string[]> {
  const ended = (await assay.job(job)) as unknown as Job
  const stored = await storeFaults(assay.config.databaseUrl ?? '', catalog, ended.result?.importId ?? '', file)
  return [...ledgerFaults(ended, file, 'created'), ...stored]
}

/** Sent, and in the middle of being transformed. */
async function sentAndBegun(): Promise<{ file: SupplierFile; sent: Sent }> {
  const file = supplierFile(rows)
  const sent = await send(file)
  const before = await passed()
  await vi.waitFor(async () => expect(await passed()).toBeGreaterThan(before), { timeout: 30_000, interval: 4 })
  return { file, sent }
}

test('two share the partitions; one that is killed in the middle of an import is followed within seconds, and every row is there once', async () => {
  const [first] = [await join(), await join()]
  await vi.waitFor(async () => expect(await shares()).toEqual([2, 2]), soon)
  const { file, sent } = await sentAndBegun()
  first.signal('SIGKILL')
  await first.ended
  const died = performance.now()
  await vi.waitFor(async () => expect(await shares()).toEqual([4]), soon)
  expect(performance.now() - died).toBeLessThan(15_000)
  expect(await faultsOf(sent, file)).toEqual([])
})

test('one that is stopped is fenced: the other does all, and what it had in hand is written nowhere when it goes on (KF-46)', async () => {
  const [first] = [await join(), await join()]
  await vi.waitFor(async () => expect(await shares()).toEqual([2, 2]), soon)
  const { file, sent } = await sentAndBegun()
  first.signal('SIGSTOP')
  expect(await faultsOf(sent, file)).toEqual([])
  expect(await shares()).toEqual([4])
  const all = await passed()
  first.signal('SIGCONT')
  await vi.waitFor(async () => expect(await shares()).toEqual([2, 2]), soon)
  expect(await passed()).toBe(all)
  expect(await faultsOf(sent, file)).toEqual([])
  // It is whole again: what comes now is done by both.
  const next = supplierFile(1_000, 1)
  expect(await faultsOf(await send(next), next)).toEqual([])
})

test('one that joins or leaves in the middle of an import takes its share or gives it back, and every row is there once', async () => {
  const first = await join()
  await vi.waitFor(async () => expect(await shares()).toEqual([4]), soon)
  const file = supplierFile(rows)
  const sent = await send(file)
  const second = await join()
  await vi.waitFor(async () => expect(await shares()).toEqual([2, 2]), soon)
  first.signal('SIGTERM')
  expect(await first.ended).toBe(0)
  await vi.waitFor(async () => expect(await shares()).toEqual([4]), soon)
  expect(await faultsOf(sent, file)).toEqual([])
  second.signal('SIGTERM')
  expect(await second.ended).toBe(0)
  await sleep(50)
  expect(await shares()).toEqual([])
  expect(second.err()).not.toMatch(/"level":(50|60)/)
})
