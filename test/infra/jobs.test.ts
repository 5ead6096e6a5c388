import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { type Catalog, openCatalog } from '../../infra/catalog/postgres.ts'
import { type JobHandler, type JobKind, type JobOptions, type Jobs, openJobs } from '../../infra/jobs.ts'
import { NotYet } from '../../infra/not-yet.ts'
import { freshDatabase } from '../harness.ts'

/** Queues are a database's, so each test has one of its own; they mostly wait, so they do it at once. */
const promise = (name: string, run: (database: Database) => Promise<void>) =>
  test.concurrent(name, async () => {
    const { url, drop } = await freshDatabase()
    const catalog = openCatalog(url, { maxConnections: 3 })
    await run({ url, catalog }).finally(async () => {
      await catalog.close()
      await drop()
    })
  })

interface Database {
  readonly url: string
  readonly catalog: Catalog
}

async function withJobs<T>(
  url: string,
  handlers: Partial<Record<JobKind, JobHandler>>,
  options: JobOptions,
  use: (jobs: Jobs) => Promise<T>,
): Promise<T> {
  const jobs = await openJobs(url, handlers, options)
  return use(jobs).finally(() => jobs.close())
}
const untilAborted: JobHandler = (_, signal) =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
const soon = { timeout: 8_000, interval: 20 }

promise('a job that is sent runs once under its own id, however often it is sent', async ({ url }) => {
  const ran: string[] = []
  await withJobs(url, { publish: async (jobId) => void ran.push(jobId) }, {}, async (jobs) => {
    const jobId = randomUUID()
    await Promise.all([jobs.send('publish', jobId), jobs.send('publish', jobId)])
    await vi.waitFor(() => expect(ran).toEqual([jobId]), soon)
    await jobs.send('publish', jobId)
    await sleep(700)
    expect(ran).toEqual([jobId])
  })
})

promise(
  'a queue that is gone, or that another version left otherwise, is right again after a start',
  async ({ url, catalog }) => {
    const sql = `select name, retry_limit, heartbeat_seconds, dead_letter, notify from pgboss.queue where name in ('publish', 'refine') order by name`
    const right = (await catalog.pipeline.query(sql)).rows
    expect(right).toHaveLength(2)
    await catalog.pipeline.query(`update pgboss.queue set retry_limit = 2, notify = false where name = 'publish'`)
    await catalog.pipeline.query(`delete from pgboss.queue where name = 'refine'`)
    await withJobs(url, {}, {}, async () => {})
    expect((await catalog.pipeline.query(sql)).rows).toEqual(right)
  },
)

promise(
  'a job that is sent in a transaction exists when that commits, and not when it rolls back',
  async ({ url, catalog }) => {
    const ran: string[] = []
    await withJobs(url, { refine: async (jobId) => void ran.push(jobId) }, {}, async (jobs) => {
      const [kept, lost] = [randomUUID(), randomUUID()]
      const rolledBack = catalog.inTransaction(catalog.pipeline, async (tx) => {
        await jobs.send('refine', lost, tx)
        throw new Error('no')
      })
      await expect(rolledBack).rejects.toThrow('no')
      await catalog.inTransaction(catalog.pipeline, (tx) => jobs.send('refine', kept, tx))
      await vi.waitFor(() => expect(ran).toEqual([kept]), soon)
    })
  },
)

promise(
  'a job begins once it is committed, sooner than a worker would ask, whichever process sends it',
  async ({ url, catalog }) => {
    const ran: string[] = []
    await withJobs(url, { undo: async (jobId) => void ran.push(jobId) }, {}, async (jobs) => {
      await withJobs(url, {}, {}, async (others) => {
        const began = performance.now()
        for (let i = 1; i <= 16; i++) {
          const sender = i % 2 === 0 ? jobs : others
          await catalog.inTransaction(catalog.pipeline, (tx) => sender.send('undo', randomUUID(), tx))
          await vi.waitFor(() => expect(ran).toHaveLength(i), { ...soon, interval: 5 })
        }
        // Workers that ask every other second would take sixteen.
        expect(performance.now() - began).toBeLessThan(4_000)
      })
    })
  },
)

promise('jobs that wait for one another follow each other at once', async ({ url }) => {
  const ran: string[] = []
  await withJobs(url, { refine: async (jobId) => void ran.push(jobId) }, {}, async (jobs) => {
    const began = performance.now()
    for (let i = 0; i < 10; i++) await jobs.send('refine', randomUUID())
    await vi.waitFor(() => expect(ran).toHaveLength(10), { ...soon, interval: 5 })
    expect(performance.now() - began).toBeLessThan(4_000)
  })
})

promise('two imports run at a time in one process, and the third after them', async ({ url }) => {
  let running = 0
  let most = 0
  let ended = 0
  const handler: JobHandler = async () => {
    most = Math.max(most, ++running)
    await sleep(700)
    running--
    ended++
  }
  await withJobs(url, { import: handler }, {}, async (jobs) => {
    for (let i = 0; i < 3; i++) await jobs.send('import', randomUUID())
    await vi.waitFor(() => expect(ended).toBe(3), soon)
    expect(most).toBe(2)
  })
})

promise('a handler that throws is reported and tried again', async ({ url }) => {
  const errors: string[] = []
  let tries = 0
  const handler: JobHandler = async () => {
    if (++tries === 1) throw new Error('store away')
  }
  await withJobs(url, { refine: handler }, { onError: (error) => errors.push(error.message) }, async (jobs) => {
    await jobs.send('refine', randomUUID())
    await vi.waitFor(() => expect(tries).toBe(2), soon)
    expect(errors).toEqual(['store away'])
  })
})

promise('jobs that wait for one behind them let it pass, and no wait counts as a try', async ({ url, catalog }) => {
  const [first, second, awaited] = [randomUUID(), randomUUID(), randomUUID()]
  const ran: string[] = []
  const handler: JobHandler = async (id) => {
    if (id !== awaited && !ran.includes(awaited)) throw new NotYet('not its turn')
    ran.push(id)
  }
  const errors: Error[] = []
  await withJobs(url, { import: handler }, { onError: (error) => errors.push(error) }, async (jobs) => {
    for (const id of [first, second, awaited]) await jobs.send('import', id)
    await vi.waitFor(() => expect([...ran].sort()).toEqual([first, second, awaited].sort()), soon)
    expect(ran[0]).toBe(awaited)
    const { rows } = await catalog.pipeline.query('select max(retry_count)::int as tries from pgboss.job')
    expect(rows).toEqual([{ tries: 0 }])
    expect(errors).toEqual([])
  })
})

promise('a job that was tried too often is given up once, by name', async ({ url, catalog }) => {
  const jobId = randomUUID()
  const given: unknown[] = []
  const failing: JobHandler = async () => {
    await catalog.pipeline.query('update pgboss.job set retry_limit = retry_count where id = $1', [jobId])
    throw new Error('never')
  }
  const gaveUp = async (kind: JobKind, id: string) => void given.push([kind, id])
  await withJobs(url, { refine: failing }, { gaveUp }, async (jobs) => {
    await jobs.send('refine', jobId)
    await vi.waitFor(() => expect(given).toEqual([['refine', jobId]]), soon)
  })
})

promise('closing aborts the handlers, waits for them, and the next process goes on at once', async ({ url }) => {
  const jobId = randomUUID()
  const seen: string[] = []
  const handler: JobHandler = (id, signal) => {
    seen.push('begun')
    return untilAborted(id, signal).finally(() => void seen.push('aborted'))
  }
  await withJobs(url, { publish: handler }, {}, async (jobs) => {
    await jobs.send('publish', jobId)
    // Its state says `active` a little before.
    await vi.waitFor(() => expect(seen).toEqual(['begun']), soon)
  })
  expect(seen).toEqual(['begun', 'aborted'])
  const again: string[] = []
  const started = Date.now()
  await withJobs(url, { publish: async (id) => void again.push(id) }, { takeOver: true }, async () => {
    await vi.waitFor(() => expect(again).toEqual([jobId]), soon)
    expect(Date.now() - started).toBeLessThan(2_000)
  })
})

promise(
  'a job whose process was killed is taken over at once by the holder of the instance lock',
  async ({ url, catalog }) => {
    const jobId = randomUUID()
    const child = spawn(process.execPath, [join(import.meta.dirname, 'jobs-child.ts'), url])
    await withJobs(url, {}, {}, (jobs) => jobs.send('import', jobId))
    await once(child.stdout, 'data')
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(await stateOf(catalog, jobId)).toBe('active')
    const ran: string[] = []
    const started = Date.now()
    await withJobs(url, { import: async (id) => void ran.push(id) }, { takeOver: true }, async () => {
      await vi.waitFor(() => expect(ran).toEqual([jobId]), soon)
      expect(Date.now() - started).toBeLessThan(3_000)
    })
  },
)

promise(
  'without the lock it is taken over when its heartbeat has been missing, and the old holder is told',
  async ({ url, catalog }) => {
    const jobId = randomUUID()
    const signals: AbortSignal[] = []
    const handler: JobHandler = async (_, signal) => {
      signals.push(signal)
      if (signals.length === 1) await new Promise((go) => signal.addEventListener('abort', go))
    }
    await withJobs(url, { refine: handler }, {}, async (jobs) => {
      await jobs.send('refine', jobId)
      await vi.waitFor(() => expect(signals).toHaveLength(1), soon)
      await vi.waitFor(
        async () => {
          // As if the process were stopped: its heartbeats do not count.
          await catalog.pipeline.query(
            "update pgboss.job set heartbeat_on = now() - interval '1 hour' where id = $1 and state = 'active'",
            [jobId],
          )
          expect(signals[0]?.aborted).toBe(true)
        },
        { timeout: 15_000, interval: 100 },
      )
      await vi.waitFor(() => expect(signals).toHaveLength(2), soon)
    })
  },
)

async function stateOf(catalog: Catalog, jobId: string): Promise<string | undefined> {
  const { rows } = await catalog.pipeline.query('select state from pgboss.job where id = $1', [jobId])
  return rows[0]?.state
}
