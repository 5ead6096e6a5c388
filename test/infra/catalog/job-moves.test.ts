import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  completeJob,
  failJob,
  failJobsOf,
  insertJob,
  JobEnded,
  type Notify,
  startJob,
} from '../../../infra/catalog/job-table.ts'
import {
  cancelMediaJob,
  completeMediaJob,
  failMediaJob,
  findMediaJob,
  insertMediaJob,
  startMediaJob,
} from '../../../infra/catalog/media-jobs.ts'
import { type Catalog, openCatalog } from '../../../infra/catalog/postgres.ts'
import { jobMoves, jobStatuses } from '../../../schemas/job.ts'
import { mediaMoves, mediaStatuses } from '../../../schemas/media-job.ts'
import { freshDatabase, type TestDatabase } from '../../harness.ts'

let database: TestDatabase
let catalog: Catalog
beforeAll(async () => {
  database = await freshDatabase()
  catalog = openCatalog(database.url, { maxConnections: 3 })
})
afterAll(async () => {
  await catalog.close()
  await database.drop()
})

const brand = randomUUID()
async function job({
  by = 'ada',
  notify = null,
  into = randomUUID(),
}: {
  by?: string
  notify?: Notify | null
  into?: string
} = {}) {
  const id = randomUUID()
  await insertJob(catalog.pipeline, {
    id,
    workspace: 'ws_a',
    brand,
    catalog: into,
    kind: 'import',
    input: {},
    by,
    notify,
  })
  return id
}

const about = async (table: 'notification' | 'mail', id: string) =>
  (await catalog.pipeline.query(`select * from ${table} where job_id = $1`, [id])).rows

describe('the database refuses every move that is not in the table', () => {
  const machines = [
    ['job', 'job_id', jobStatuses, jobMoves],
    ['media_job', 'media_job_id', mediaStatuses, mediaMoves],
  ] as const
  test.each(machines)('%s', async (table, key, statuses, moves) => {
    const { pipeline } = catalog
    for (const from of statuses)
      for (const to of statuses) {
        const id = randomUUID()
        await pipeline.query(
          `insert into ${table} (${key}, workspace_id, brand_id, kind, input, created_by, status) values ($1, 'ws_a', $2, 'import', '{}', 'ada', $3)`,
          [id, brand, from],
        )
        const asked = pipeline.query(`update ${table} set status = $2 where ${key} = $1`, [id, to])
        const next: readonly string[] = (moves as Record<string, readonly string[]>)[from] ?? []
        if (from === to || next.includes(to)) expect((await asked).rowCount, `${from} to ${to}`).toBe(1)
        else await expect(asked, `${from} to ${to}`).rejects.toMatchObject({ code: 'AS002' })
      }
  })
})

describe('the end of a job', () => {
  test('who started it is told in the same transaction, and a mail lies ready where one was asked for', async () => {
    const id = await job({ notify: { to: 'ada@shop.example' } })
    await startJob(catalog.pipeline, id)
    const undone = catalog.inTransaction(catalog.pipeline, async (tx) => {
      await completeJob(tx, id, { created: 1 })
      throw new Error('no')
    })
    await expect(undone).rejects.toThrow('no')
    expect([await about('notification', id), await about('mail', id)]).toEqual([[], []])

    await completeJob(catalog.pipeline, id, { created: 412, updated: 0, rejected: 3 })
    const says = '412 created, 3 rejected.'
    expect(await about('notification', id)).toMatchObject([
      {
        workspace_id: 'ws_a',
        brand_id: brand,
        subject: 'ada',
        kind: 'job.completed',
        title: 'Import completed',
        says,
        read_at: null,
      },
    ])
    expect(await about('mail', id)).toMatchObject([
      { recipient: 'ada@shop.example', subject: 'Import completed', body: says, state: 'waiting', attempts: 0 },
    ])
  })

  test('a job that failed says why, once', async () => {
    const id = await job()
    await startJob(catalog.pipeline, id)
    await failJob(catalog.pipeline, id, 'gave_up', 'It failed again and again.')
    await failJob(catalog.pipeline, id, 'gave_up', 'It failed again and again.')
    expect(await about('notification', id)).toMatchObject([
      { kind: 'job.failed', title: 'Import failed', says: 'It failed again and again.' },
    ])
    expect(await about('mail', id)).toEqual([])
  })

  test('nobody is told of what nobody started, and no mail is made without an address', async () => {
    const id = await job({ by: 'auto_publish', notify: { to: null } })
    await startJob(catalog.pipeline, id)
    await completeJob(catalog.pipeline, id, {})
    expect([await about('notification', id), await about('mail', id)]).toEqual([[], []])
  })

  test('a job that was stopped meanwhile is not completed, and what its end belongs to does not stand', async () => {
    const id = await job()
    await startJob(catalog.pipeline, id)
    await failJob(catalog.pipeline, id, 'cancelled', 'It was cancelled.')
    await expect(completeJob(catalog.pipeline, id, {})).rejects.toThrow(JobEnded)
    await expect(completeJob(catalog.pipeline, await job(), {})).rejects.toThrow(JobEnded)
  })

  test('all that runs on a catalog is stopped at once, each told of by itself', async () => {
    const into = randomUUID()
    const ids = [await job({ into }), await job({ into })]
    const other = await job()
    await catalog.inTransaction(catalog.pipeline, (tx) => failJobsOf(tx, into, 'cancelled', 'The catalog was deleted.'))
    for (const id of ids) expect(await about('notification', id)).toHaveLength(1)
    expect(await about('notification', other)).toEqual([])
  })

  test('two that end at once are numbered in the order of their commits', async () => {
    const [first, second] = [await job({ by: 'eve' }), await job({ by: 'eve' })]
    for (const id of [first, second]) await startJob(catalog.pipeline, id)
    let ended: Promise<void> | undefined
    await catalog.inTransaction(catalog.pipeline, async (tx) => {
      await completeJob(tx, first, {})
      ended = completeJob(catalog.pipeline, second, {})
      await new Promise((go) => setTimeout(go, 100))
      expect(await about('notification', second)).toEqual([])
    })
    await ended
    const seq = async (id: string) => (await about('notification', id))[0]?.seq
    expect(await seq(first)).toBeLessThan(await seq(second))
  })
})

describe('a media job', () => {
  const used = { provider: 'openai', model: 'gpt-image-1' }
  async function media() {
    const id = randomUUID()
    const row = { id, workspace: 'ws_a', brand, product: null, kind: 'image-edit', input: { tier: 'high' }, by: 'ada' }
    await insertMediaJob(catalog.pipeline, row)
    return id
  }

  test('it holds the provider and model that did the work, which nobody knows before', async () => {
    const id = await media()
    expect(await findMediaJob(catalog.pipeline, id)).toMatchObject({ status: 'pending', provider: null, model: null })
    expect(await startMediaJob(catalog.pipeline, id)).toBe(true)
    expect(await startMediaJob(catalog.pipeline, id)).toBe(false)
    expect(await completeMediaJob(catalog.pipeline, id, used, { url: 'https://shop.example/new.jpg' })).toBe(true)
    expect(await findMediaJob(catalog.pipeline, id)).toMatchObject({ status: 'completed', ...used })
    expect(await failMediaJob(catalog.pipeline, id, used, { code: 'late', message: 'Too late.' })).toBe(false)
  })

  test('what is made of one that was cancelled meanwhile is not kept', async () => {
    const id = await media()
    await startMediaJob(catalog.pipeline, id)
    expect(await catalog.inTransaction(catalog.pipeline, (tx) => cancelMediaJob(tx, id))).toBe(true)
    expect(await completeMediaJob(catalog.pipeline, id, used, {})).toBe(false)
    expect(await findMediaJob(catalog.pipeline, id)).toMatchObject({
      status: 'cancelled',
      result: null,
      provider: null,
    })
  })

  test('one that failed before anything was asked names no model', async () => {
    const id = await media()
    await startMediaJob(catalog.pipeline, id)
    expect(await failMediaJob(catalog.pipeline, id, null, { code: 'no_model', message: 'None is set.' })).toBe(true)
    expect(await findMediaJob(catalog.pipeline, id)).toMatchObject({ status: 'failed', provider: null, model: null })
  })
})
