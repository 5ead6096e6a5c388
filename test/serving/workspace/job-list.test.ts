import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PoolClient } from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { insertImport } from '../../../infra/catalog/imports.ts'
import { failJob, insertJob, startJob } from '../../../infra/catalog/job-table.ts'
import { beginPublish } from '../../../infra/catalog/publish.ts'
import type { JobKind } from '../../../infra/jobs.ts'
import { enough } from '../../enough.ts'
import { type Running, startAssay, workspace } from '../../running.ts'
import { expectSamplesForm } from '../envelopes.ts'

let assay: Running
let brand: string
let into: string
beforeAll(async () => {
  assay = await startAssay()
  into = await assay.newCatalog('jobs')
  brand = (await assay.call('GET', `${base}/brands`)).body.brands[0].id
})
afterAll(() => assay.close())

const base = `/api/workspace/${workspace}`
const pool = () => assay.system.catalog.pipeline
const soon = { timeout: 15_000, interval: 50 }

/** Not on the queue, so that nobody picks it up. */
async function job(kind: JobKind = 'bulk', catalog = into): Promise<string> {
  const id = randomUUID()
  await insertJob(pool(), { id, workspace, brand, catalog, kind, input: {}, by: 'test:admin' })
  return id
}
const cancel = async (id: string, headers = {}) => assay.call('POST', `${base}/jobs/${id}/cancel`, undefined, headers)
const retry = async (id: string, body?: object) => assay.call('POST', `${base}/jobs/${id}/retry`, body)
const read = async (id: string) => (await assay.call('GET', `/jobs/${id}`)).body.job
const as = async (role: 'viewer' | 'editor') => ({ authorization: `Bearer ${await assay.token(role)}` })

/** Nobody writes to the table until `release`. */
async function hold(table: string): Promise<{ release(): Promise<void> }> {
  const tx: PoolClient = await pool().connect()
  await tx.query(`begin; lock table ${table} in exclusive mode`)
  return {
    release: async () => {
      await tx.query('commit')
      tx.release()
    },
  }
}

/** Until who runs the job has asked whether it is to stop, and was told so: from then on its handler stops, if it has not. */
async function isTold(id: string): Promise<void> {
  const asking = vi.spyOn(pool(), 'query')
  try {
    await vi.waitFor(async () => {
      const told = asking.mock.calls.flatMap(([sql], i) =>
        JSON.stringify(sql).includes('cancel_asked_at is not null') ? [asking.mock.results[i]?.value] : [],
      )
      const ids = (await Promise.all(told)).flatMap(({ rows }) => rows.map((row: { id: string }) => row.id))
      expect(ids.includes(id) || (await read(id)).status === 'failed').toBe(true)
    }, soon)
  } finally {
    asking.mockRestore()
  }
}

describe('GET …/jobs', () => {
  test('200: newest first, page by page, none missing and none twice', async () => {
    const catalog = await assay.newCatalog('pages')
    const ids: string[] = []
    for (let i = 0; i < 5; i++) ids.unshift(await job('bulk', catalog))
    const seen: string[] = []
    for (let after = ''; ; ) {
      const { body } = await assay.call('GET', `${base}/jobs?catalog_id=${catalog}&limit=2${after}`)
      seen.push(...body.jobs.map(({ id }: { id: string }) => id))
      if (body.next === null) break
      after = `&after=${body.next}`
    }
    expect(seen).toEqual(ids)
  })

  test('200: by kind, status and time', async () => {
    const catalog = await assay.newCatalog('filters')
    const [refine, bulk] = [await job('refine', catalog), await job('bulk', catalog)]
    await startJob(pool(), bulk)
    const ids = async (query: string) =>
      (await assay.call('GET', `${base}/jobs?catalog_id=${catalog}&${query}`)).body.jobs.map(
        ({ id }: { id: string }) => id,
      )
    expect(await ids('kind=refine')).toEqual([refine])
    expect(await ids('status=active')).toEqual([bulk])
    expect(await ids(`since=${new Date(Date.now() + 60_000).toISOString()}`)).toEqual([])
    expect(await ids(`since=${new Date(Date.now() - 60_000).toISOString()}`)).toEqual([bulk, refine])
    expectSamplesForm(await assay.call('GET', `${base}/jobs?status=paused`), 400, 'INVALID_REQUEST', 'status')
  })
})

describe('POST …/jobs/{jobId}/cancel', () => {
  test('200: a job that waits fails at once as cancelled, and nobody picks it up', async () => {
    const id = await job()
    const { status, body } = await cancel(id)
    expect(status).toBe(200)
    expect(body.job).toMatchObject({ status: 'failed', error: { code: 'cancelled' } })
    expect(await startJob(pool(), id)).toBe(false)
  })

  test('200: an import that waits leaves no import behind', async () => {
    const [id, importId] = [await job('import'), randomUUID()]
    const row = {
      id: importId,
      workspace,
      brand,
      catalog: into,
      job: id,
      source: 'file:x',
      fileName: 'x',
      spool: '/none',
    }
    await assay.system.catalog.inTransaction(pool(), (tx) =>
      insertImport(tx, { ...row, bytes: 1, sha256: 'x', options: {}, by: 'test:admin' }),
    )
    expect((await cancel(id)).body.job).toMatchObject({ status: 'failed', error: { code: 'cancelled' } })
    const { rows } = await pool().query('select state, finished_at from import where import_id = $1', [importId])
    expect(rows).toEqual([{ state: 'failed', finished_at: expect.any(Date) }])
    expectSamplesForm(await retry(id), 409, 'CONFLICT')
  })

  test('200: a publish that waits leaves the catalog as it was, and the next one takes in all', async () => {
    const catalog = await assay.newCatalog('waiting publish')
    await assay.ingest(catalog, 'sku,title,price\nW-1,Mug,"1,50"\n')
    const id = await job('publish', catalog)
    await assay.system.catalog.inTransaction(pool(), (tx) => beginPublish(tx, catalog, id, 'test:admin', null))
    expect((await cancel(id)).body.job).toMatchObject({ status: 'failed', error: { code: 'cancelled' } })
    await vi.waitFor(async () => expect(await assay.publish(catalog)).toMatchObject({ added: 1 }), soon)
  })

  test('200: a publish that runs is stopped within seconds, its rows go, and the next one takes in all', async () => {
    const catalog = await assay.newCatalog('running publish')
    await assay.ingest(catalog, 'sku,title,price\nR-1,Mug,"1,50"\nR-2,Cup,"2,50"\n')
    const held = await hold('published')
    const { id } = (await assay.call('POST', `${base}/catalogs/${catalog}/publish`, {})).body.job
    await vi.waitFor(async () => expect((await read(id)).status).toBe('active'), soon)
    expect((await cancel(id)).body.job).toMatchObject({ status: 'active', cancelling: true })
    expect((await cancel(id)).status).toBe(200)
    await isTold(id)
    await held.release()
    await vi.waitFor(async () => expect((await read(id)).status).toBe('failed'), soon)
    expect(await read(id)).toMatchObject({ cancelling: false, error: { code: 'cancelled' } })
    await vi.waitFor(async () => expect(await assay.publish(catalog)).toMatchObject({ added: 2 }), soon)
  })

  test('200: an import that is stopped before it appends leaves nothing', async () => {
    const catalog = await assay.newCatalog('early')
    const held = await hold('import_context')
    const started = await assay.call('POST', `${base}/datasets/ingest?catalog_id=${catalog}`, file(10))
    const { id } = started.body.job
    await vi.waitFor(async () => expect((await read(id)).status).toBe('active'), soon)
    await cancel(id)
    await isTold(id)
    await held.release()
    await vi.waitFor(async () => expect((await read(id)).status).toBe('failed'), soon)
    expect(await read(id)).toMatchObject({ error: { code: 'cancelled' }, result: { read: 0, created: 0 } })
    expect(await assay.products(catalog)).toEqual([])
  })

  test('200: an import that is stopped while it appends says what was appended, its ledger holds, and a retry brings the rest', async () => {
    const catalog = await assay.newCatalog('late')
    const rows = enough(17_000, 30_000)
    const { id } = (await assay.call('POST', `${base}/datasets/ingest?catalog_id=${catalog}`, file(rows))).body.job
    const appended = async () =>
      (await pool().query<{ n: number }>('select appended_seq + 1 as n from import where job_id = $1', [id])).rows[0]
        ?.n ?? 0
    // Between two appends: each waits for the table, and the next time this comes behind it.
    let held = await hold('product_identity')
    while ((await appended()) === 0) {
      await held.release()
      await sleep(5)
      held = await hold('product_identity')
    }
    await cancel(id)
    await isTold(id)
    await held.release()
    await vi.waitFor(async () => expect((await read(id)).status).toBe('failed'), { timeout: 60_000, interval: 100 })
    const { error, result, progress } = await read(id)
    expect(error.code).toBe('cancelled')
    expect(progress).toMatchObject({ done: result.read, total: rows })
    expect(result.read).toBe(await appended())
    expect(result).toMatchObject({ created: result.read, rejected: 0 })
    expect(result.read).toBeLessThan(rows)
    expect(error.message).toContain(`${result.read} of ${rows} rows`)
    const alive = async () =>
      (
        await pool().query<{ n: number }>('select count(*)::int as n from products where catalog_id = $1 and alive', [
          catalog,
        ])
      ).rows[0]?.n
    expect(await alive()).toBe(result.read)
    const again = await retry(id)
    expect(again.status).toBe(202)
    const ended = await assay.job(again.body.job.id)
    expect(ended).toMatchObject({ status: 'completed', retryOf: id })
    expect(ended.result).toMatchObject({ read: rows, created: rows - result.read, unchanged: result.read })
  }, 120_000)

  test('200: an import all of whose rows are appended when the cancel is carried out is completed', async () => {
    const catalog = await assay.newCatalog('too-late')
    const held = await hold('products')
    const { id } = (await assay.call('POST', `${base}/datasets/ingest?catalog_id=${catalog}`, file(300))).body.job
    const state = async () => (await pool().query('select state from import where job_id = $1', [id])).rows[0]?.state
    await vi.waitFor(async () => expect(await state()).toBe('settling'), soon)
    expect((await cancel(id)).status).toBe(200)
    await isTold(id)
    await held.release()
    expect(await assay.job(id)).toMatchObject({
      status: 'completed',
      error: null,
      progress: { done: 300, total: 300 },
      result: { read: 300, created: 300 },
    })
    expect(await state()).toBe('completed')
  })

  test('409: what has ended, and what stops nowhere in between, with what to do instead', async () => {
    const id = await job()
    await startJob(pool(), id)
    await failJob(pool(), id, 'gave_up', 'No.')
    expectSamplesForm(await cancel(id), 409, 'CONFLICT')
    for (const [kind, instead] of [
      ['delete_catalog', 'bring the catalog back'],
      ['promote', 'set the former weights'],
    ] as const) {
      const refused = await cancel(await job(kind))
      expectSamplesForm(refused, 409, 'CONFLICT')
      expect(refused.text).toContain(instead)
    }
  })

  test('403: who may read a job but not start one of its kind', async () => {
    const [bulk, publish] = [await job('bulk'), await job('publish')]
    expectSamplesForm(await cancel(bulk, await as('viewer')), 403, 'INSUFFICIENT_PERMISSIONS')
    expectSamplesForm(await cancel(publish, await as('editor')), 403, 'INSUFFICIENT_PERMISSIONS')
    expect((await cancel(bulk, await as('editor'))).status).toBe(200)
  })
})

describe('POST …/jobs/{jobId}/retry', () => {
  test('202: a failed publish begins again as a new job, and the old one stays as it ended', async () => {
    const catalog = await assay.newCatalog('again')
    await assay.ingest(catalog, 'sku,title,price\nA-1,Mug,"1,50"\n')
    const id = await job('publish', catalog)
    await startJob(pool(), id)
    await failJob(pool(), id, 'gave_up', 'No.')
    const again = await retry(id, { notify_email: false })
    expect(again.status).toBe(202)
    expect(await assay.job(again.body.job.id)).toMatchObject({ status: 'completed', retryOf: id, result: { added: 1 } })
    expect(await read(id)).toMatchObject({ status: 'failed', error: { code: 'gave_up' } })
  })

  test('409: one that is repeated already names the job that does, of two at once too; if that failed, it is retried itself', async () => {
    const catalog = await assay.newCatalog('once')
    const fail = async (id: string) => {
      await startJob(pool(), id)
      await failJob(pool(), id, 'gave_up', 'No.')
    }
    const first = await job('publish', catalog)
    await fail(first)
    const both = await Promise.all([retry(first), retry(first)])
    expect(both.map(({ status }) => status).sort()).toEqual([202, 409])
    const second: string = both.find(({ status }) => status === 202)?.body.job.id
    await assay.job(second)
    const again = await retry(first)
    expectSamplesForm(again, 409, 'CONFLICT')
    expect(again.text).toContain(second)

    const old = await job('publish', catalog)
    await fail(old)
    const repeat = await job('publish', catalog)
    await pool().query(`update job set input = input || jsonb_build_object('retry_of', $2::text) where job_id = $1`, [
      repeat,
      old,
    ])
    await fail(repeat)
    expect((await retry(old)).status).toBe(409)
    expect((await retry(repeat)).status).toBe(202)

    const file = Buffer.from('sku,title,price\nB-1,Mug,"1,50"\n')
    const { id } = (await assay.call('POST', `${base}/datasets/ingest?catalog_id=${catalog}`, file)).body.job
    await assay.job(id)
    await pool().query('alter table job disable trigger user')
    await pool().query(`update job set status = 'failed' where job_id = $1`, [id])
    await pool().query('alter table job enable trigger user')
    const imports = await Promise.all([retry(id), retry(id)])
    expect(imports.map(({ status }) => status).sort()).toEqual([202, 409])
    await assay.job(imports.find(({ status }) => status === 202)?.body.job.id)
  })

  test('409: a job that has not failed, one of a kind that is asked for anew, one whose file is gone', async () => {
    expectSamplesForm(await retry(await job()), 409, 'CONFLICT')
    const bulk = await job('bulk')
    await cancel(bulk)
    expectSamplesForm(await retry(bulk), 409, 'CONFLICT')
    const failed = (await assay.ingest(into, 'colour,weight\nred,7\n')) as unknown as { id: string; status: string }
    expect(failed.status).toBe('failed')
    const sql = 'select spool from import where job_id = $1'
    const { rows } = await pool().query<{ spool: string }>(sql, [failed.id])
    await rm(rows[0]?.spool ?? '')
    expectSamplesForm(await retry(failed.id), 409, 'CONFLICT')
  })
})

const file = (rows: number) =>
  Buffer.from(`sku,title,price\n${Array.from({ length: rows }, (_, i) => `L-${i},Mug ${i},2.50`).join('\n')}\n`)
