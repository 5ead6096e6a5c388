import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { completeJob, insertJob, JobEnded } from '../../infra/catalog/job-table.ts'
import type { Running } from '../running.ts'
import { sharedAssay, workspace } from '../shared-assay.ts'
import { expectStandardForm } from './envelopes.ts'

let assay: Running
let catalog: { id: string; brandId: string }
beforeAll(async () => {
  assay = await sharedAssay()
  catalog = (await assay.call('GET', `/api/workspace/${workspace}/catalogs`)).body.catalogs[0]
})
afterAll(() => assay.close())

const read = async (id: string) => (await assay.call('GET', `/jobs/${id}`)).body.job

/** A job that no worker knows, so that it stays as the test sets it. */
async function job(set = ''): Promise<string> {
  const pool = assay.system.catalog.pipeline
  const id = randomUUID()
  const row = { workspace, brand: catalog.brandId, catalog: catalog.id, kind: 'import', input: {}, by: 'test' }
  await insertJob(pool, { id, ...row })
  if (set) await pool.query(`update job set ${set} where job_id = $1`, [id])
  return id
}

test('200: a job that waits has no progress, no rate and no end yet', async () => {
  const id = await job()
  expect(await read(id)).toEqual({
    id,
    kind: 'import',
    status: 'queued',
    cancelling: false,
    catalogId: catalog.id,
    progress: { done: 0, total: null, rate: null },
    eta: null,
    result: null,
    error: null,
    notifyEmail: 'off',
    retryOf: null,
    links: { self: `/jobs/${id}`, catalog: `/api/workspace/${workspace}/catalogs/${catalog.id}`, version: null },
    createdAt: expect.stringMatching(/Z$/),
    startedAt: null,
    finishedAt: null,
  })
})

test('200: a job under way tells how fast it goes and when it will be done at that rate', async () => {
  const began = Date.now()
  const { status, progress, eta } = await read(
    await job("status = 'active', started_at = now() - interval '100 s', done = 1000, total = 4000"),
  )
  expect({ status, done: progress.done, total: progress.total }).toEqual({
    status: 'active',
    done: 1_000,
    total: 4_000,
  })
  expect(progress.rate).toBeGreaterThanOrEqual(9)
  expect(progress.rate).toBeLessThanOrEqual(10)
  expect((Date.parse(eta) - began) / 1_000).toBeGreaterThan(290)
  expect((Date.parse(eta) - began) / 1_000).toBeLessThan(320)
})

test('200: there is no guess of the end before a rate or a total is known', async () => {
  for (const set of [
    "status = 'active', started_at = now(), done = 10, total = 20",
    "status = 'active', started_at = now() - interval '9 s', done = 10",
    "status = 'active', started_at = now() - interval '9 s', total = 20",
  ])
    expect((await read(await job(set))).eta).toBeNull()
})

test('200: a job that has ended says what came of it, and stays as it ended', async () => {
  const done = await assay.ingest(catalog.id, 'sku,title,price\nJ-1,Mug,"1,50"\n')
  expect(done).toMatchObject({
    status: 'completed',
    progress: { done: 1, total: 1 },
    eta: null,
    error: null,
    result: { read: 1, created: 1 },
    startedAt: expect.any(String),
    finishedAt: expect.any(String),
  })
  const id = (done as unknown as { id: string }).id
  await expect(completeJob(assay.system.catalog.pipeline, id, { read: 99 })).rejects.toThrow(JobEnded)
  expect(await read(id)).toEqual(done)
})

test('200: a job that failed says why in one sentence', async () => {
  const failed = await assay.ingest(catalog.id, 'colour,weight\nred,3\n')
  expect(failed.status).toBe('failed')
  expect(failed.error).toEqual({ code: 'no_columns', message: expect.stringMatching(/\.$/) })
})

test('400 and 404: what is no job', async () => {
  expectStandardForm(await assay.call('GET', '/jobs/1'), 400, 'BAD_REQUEST')
  expectStandardForm(await assay.call('GET', `/jobs/${randomUUID()}`), 404, 'NOT_FOUND')
})
