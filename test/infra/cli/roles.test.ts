import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { freePort } from '../../../infra/catalog/connection-file.ts'
import { openTokens } from '../../../infra/tokens.ts'
import { demo } from '../../faults/assay-process.ts'
import { type RoleProcess, roleProcess } from '../../faults/role-process.ts'
import { freshDatabase, type TestDatabase } from '../../harness.ts'

// Processes start, die and start again; on a busy machine each start takes seconds.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 })

/** Nothing asks it: there are no events. */
const noStore = 'http://127.0.0.1:9'

describe('on a Postgres of its own each role runs in a process', () => {
  let database: TestDatabase
  let folder: string
  let port: number
  let api: RoleProcess
  const started: RoleProcess[] = []
  const run = async (roles: string, more: Record<string, string> = {}) => {
    const one = await roleProcess(roles, {
      DATABASE_URL: database.url,
      CLICKHOUSE_URL: noStore,
      ASSAY_DATA: folder,
      ...more,
    })
    started.push(one)
    return one
  }
  beforeAll(async () => {
    database = await freshDatabase()
    folder = await mkdtemp(join(tmpdir(), 'assay-data-'))
    port = await freePort(0)
    api = await run('api')
    await run('jobs', { ASSAY_HEALTH_PORT: String(port) })
    await run('jobs')
    await run('transforms,events')
  })
  afterAll(async () => {
    for (const one of started) {
      one.signal('SIGKILL')
      await one.ended
    }
    await database.drop()
    await rm(folder, { recursive: true, force: true })
  })

  test('and says so in one line', () => {
    const said = (one: RoleProcess | undefined) =>
      (one?.err() ?? '')
        .split('\n')
        .filter((line) => line.includes('Assay runs'))
        .map((line) => JSON.parse(line))
    const [of, jobs, , transforms] = started
    expect(said(of)).toMatchObject([{ msg: 'Assay runs api', roles: ['api'], address: expect.stringMatching(/^http/) }])
    expect(said(jobs)).toMatchObject([{ msg: 'Assay runs jobs', address: `http://127.0.0.1:${port}` }])
    expect(said(transforms)).toMatchObject([{ msg: 'Assay runs transforms, events' }])
    expect(transforms?.out()).toBe('Assay runs transforms, events\n')
  })

  test('a file goes through all of them, by one of two processes for jobs, to a published feed', async () => {
    const url = /listens on (http:\S+)/.exec(api.out())?.[1] ?? ''
    const { sign } = await openTokens(folder, { local: true, provider: null })
    const token = await sign({ subject: 'test', workspace: demo, role: 'admin', brand: null, scope: '' }, 3_600)
    // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of an answer
    const json = (answer: Response): Promise<any> => answer.json()
    const ask = async (method: string, path: string, body: string | null, type: string) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': type }
      return json(await fetch(`${url}/api/workspace/${demo}${path}`, { method, headers, body }))
    }
    const sent = await ask('POST', '/datasets/ingest', 'sku,title,price\nR-1,Mug,2.50\nR-2,Cup,3.50\n', 'text/csv')
    const job = async () => {
      const answer = await fetch(`${url}/jobs/${sent.job.id}`, { headers: { authorization: `Bearer ${token}` } })
      return (await json(answer)).job
    }
    await vi.waitFor(async () => expect((await job()).status).toBe('completed'), { timeout: 60_000, interval: 50 })
    expect((await job()).result).toMatchObject({ read: 2, created: 2 })
    const limits = await fetch(`${url}/api/workspace/${demo}/catalogs`, {
      headers: { authorization: `Bearer ${token}` },
    })
    expect(limits.headers.get('x-ratelimit-limit')).toBe('1200')
    expect((await ask('GET', '/catalog/products', null, 'text/plain')).products).toHaveLength(2)
  })

  test('one without the API answers for its health and its metrics where it was told to, and for nothing else', async () => {
    const at = `http://127.0.0.1:${port}`
    expect(await (await fetch(`${at}/health/live`)).json()).toEqual({ status: 'ok' })
    expect(await (await fetch(`${at}/health/ready`)).json()).toEqual({ status: 'ok', stores: { postgres: true } })
    expect(await (await fetch(`${at}/metrics`)).text()).toContain('assay_log_lag_records')
    expect((await fetch(`${at}/api/workspace/${demo}/catalogs`)).status).toBe(404)
  })

  test('SIGTERM ends each in good order', async () => {
    for (const one of started) one.signal('SIGTERM')
    expect(await Promise.all(started.map(({ ended }) => ended))).toEqual([0, 0, 0, 0])
    for (const one of started) expect(one.err()).not.toMatch(/"level":(50|60)/)
  })
})
