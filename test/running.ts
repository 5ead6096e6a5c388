/** A running Assay for tests: a database of its own, every role in this process, and the API as its users call it. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import pino from 'pino'
import { connect } from '../infra/catalog/postgres.ts'
import { ensureWorkspace } from '../infra/catalog/tenants.ts'
import { type Config, readConfig } from '../infra/config.ts'
import type { Role as Part } from '../infra/config-variables.ts'
import { serverPorts } from '../infra/system/server-ports.ts'
import { openSystem, type System } from '../infra/system.ts'
import type { Role } from '../schemas/access.ts'
import { type LimitPorts, rates } from '../serving/plugins/limits.ts'
import { buildServer, type ServerPorts } from '../serving/server.ts'
import type { ProductResource } from '../serving/workspace/product-resource.ts'
import { freshDatabase } from './harness.ts'
import { documentedAnswers } from './serving/documented.ts'

export const workspace = 'ws_test'

export interface Ledger {
  readonly importId: string
  readonly read: number
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  readonly duplicate: number
  readonly rejected: number
  readonly removed: number
  /** Where the guard held it. */
  readonly state?: 'held'
  readonly warnings: Readonly<Record<string, number>>
  /** How the file was read, and what was guessed. */
  readonly notes: readonly string[]
}

export interface Job {
  readonly id: string
  readonly status: string
  readonly result: Ledger
  readonly error: { readonly code: string; readonly message: string } | null
}

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of an answer
  readonly body: any
}

export interface Running {
  readonly system: System
  readonly app: FastifyInstance
  readonly config: Config
  call(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer>
  token(role: Role, more?: { workspace?: string; brand?: string | null }): Promise<string>
  newCatalog(name?: string): Promise<string>
  /** Sends bytes as a file and waits for the job to end. */
  ingest(catalog: string, file: string | Buffer, query?: Record<string, string>): Promise<Job>
  job(id: string): Promise<Job>
  products(catalog: string, query?: Record<string, string>): Promise<ProductResource[]>
  rows(
    importId: string,
  ): Promise<{ row: number; result: string; code: string; says: string; field: string; raw: string }[]>
  /** Starts a job on an import and waits for its end. */
  change(importId: string, what: 'undo' | 'redo' | 'release'): Promise<void>
  publish(catalog: string): Promise<Record<string, number>>
  feed(catalog: string): Promise<Record<string, unknown>[]>
  /** Ends it and leaves its database: sessions of a shared server are few. */
  stop(): Promise<void>
  close(): Promise<void>
}

/** Tests ask as fast as they can; those of the limits themselves set their own. */
const generous = [{ by: 'credential', seconds: 60, limit: 1_000_000 }] as const
const noLimits: Partial<LimitPorts> = {
  rates: Object.fromEntries(Object.keys(rates).map((name) => [name, generous])),
  concurrentPerIp: 100_000,
}

/** The copy's log is embedded, as the template's is: what is fixed by a first start is open again. */
async function beforeFirstStart(url: string): Promise<void> {
  const client = await connect(url)
  await client.query('delete from log_epoch').finally(() => client.end())
}

/**
 * @param limits in place of limits that no test reaches @param guardShare in place of a guard that asks nobody: catalogs of tests are small
 * @param fixtures what a suite for any tool server wants to find @param beside on the database and data folder of one that runs, which is closed last
 * @param roles the test has others in processes of their own
 */
export async function startAssay(
  env: Record<string, string> = {},
  {
    limits = noLimits,
    guardShare = 1,
    roles = ['api', 'jobs', 'transforms'],
    beside,
    fixtures,
  }: {
    limits?: Partial<LimitPorts>
    guardShare?: number
    roles?: readonly Part[]
    beside?: Pick<Running, 'config'>
    fixtures?: ServerPorts['mcp']['fixtures']
  } = {},
): Promise<Running> {
  const database = beside ? { url: beside.config.databaseUrl ?? '', drop: async () => {} } : await freshDatabase()
  const folder = beside?.config.dataFolder ?? (await mkdtemp(join(tmpdir(), 'assay-data-')))
  const config = readConfig({ ASSAY_DATA: folder, DATABASE_URL: database.url, ASSAY_NODES: '1', ...env })
  if (config.kafka && !beside) await beforeFirstStart(database.url)
  const logger = pino({ level: 'silent' })
  const system = await openSystem(config, logger, { roles, alone: false })
  await ensureWorkspace(system.catalog.pipeline, workspace, 'Test')
  await system.catalog.pipeline.query(
    `update settings_version set body = jsonb_set(body, '{guardShare}', $2) where workspace_id = $1`,
    [workspace, JSON.stringify(guardShare)],
  )
  const ports = serverPorts(system)
  const app = await buildServer({
    ...ports,
    logger: null,
    limits: { ...ports.limits, ...limits },
    ...(fixtures && { mcp: { ...ports.mcp, fixtures } }),
    streams: { endsAfterMs: 50 },
  })
  const token = (role: Role, more: { workspace?: string; brand?: string | null } = {}) =>
    system.tokens.sign({ subject: `test:${role}`, workspace, role, brand: null, scope: '', ...more }, 3_600)
  const admin = await token('admin')
  const base = `/api/workspace/${workspace}`

  const documented = documentedAnswers(app)
  const call: Running['call'] = async (method, path, body, headers = {}) => {
    const raw = Buffer.isBuffer(body)
    const answer = await app.inject({
      method,
      url: path,
      headers: { authorization: `Bearer ${admin}`, ...(raw ? { 'content-type': 'text/csv' } : {}), ...headers },
      ...(body === undefined ? {} : { payload: body as object }),
    })
    await documented(method, path, answer.statusCode)
    const text = answer.payload
    let parsed: unknown = null
    if (String(answer.headers['content-type']).includes('json') && !text.includes('}\n{'))
      parsed = JSON.parse(text || 'null')
    return { status: answer.statusCode, headers: answer.headers, text, body: parsed }
  }
  const status = async (id: string) =>
    (await system.catalog.pipeline.query<{ status: string }>('select status from job where job_id = $1', [id])).rows[0]
      ?.status
  const job = async (id: string): Promise<Job> => {
    // Most jobs of tests are short, and there are thousands: to ask the API each time was a sixth of what a small import takes.
    for (let pauseMs = 10; ; pauseMs = Math.min(50, pauseMs * 1.5)) {
      const now = await status(id)
      if (now !== 'queued' && now !== 'active') return (await call('GET', `/jobs/${id}`)).body.job
      await sleep(pauseMs)
    }
  }
  const stop = async () => {
    await app.close()
    await system.close()
  }
  return {
    system,
    app,
    config,
    call,
    token,
    job,
    async newCatalog(name = 'test') {
      return (await call('POST', `${base}/catalogs`, { name })).body.catalog.id
    },
    async ingest(catalog, file, query = {}) {
      const search = new URLSearchParams({ catalog_id: catalog, ...query })
      const answer = await call('POST', `${base}/datasets/ingest?${search}`, Buffer.from(file))
      if (answer.status !== 202) throw new Error(`ingest answered ${answer.status}: ${answer.text}`)
      return job(answer.body.job.id)
    },
    async products(catalog, query = {}) {
      const found: ProductResource[] = []
      for (let after: string | null = ''; after !== null; ) {
        const search = new URLSearchParams({ catalog_id: catalog, limit: '200', ...query, ...(after ? { after } : {}) })
        const { body } = await call('GET', `${base}/catalog/products?${search}`)
        found.push(...body.products)
        after = body.next
      }
      return found
    },
    async rows(importId) {
      const { rows } = await system.catalog.pipeline.query(
        'select row_number as row, result, code, says, field, raw from import_row where import_id = $1 order by row_number, ordinal',
        [importId],
      )
      return rows
    },
    async change(importId, what) {
      const answer = await call('POST', `${base}/imports/${importId}/${what}`, {})
      if (answer.status !== 202) throw new Error(`${what} answered ${answer.status}: ${answer.text}`)
      const ended = await job(answer.body.job.id)
      if (ended.status !== 'completed') throw new Error(`${what} ${ended.status}: ${ended.error?.message}`)
    },
    async publish(catalog) {
      const answer = await call('POST', `${base}/catalogs/${catalog}/publish`, {})
      if (answer.status !== 202) throw new Error(`publish answered ${answer.status}: ${answer.text}`)
      const ended = await job(answer.body.job.id)
      if (ended.status !== 'completed') throw new Error(`publish ${ended.status}: ${ended.error?.message}`)
      return ended.result as unknown as Record<string, number>
    },
    async feed(catalog) {
      const { text, status } = await call('GET', `/api/mcp/feed/google?catalog_id=${catalog}`, undefined, {
        accept: 'application/x-ndjson',
      })
      // Where the platform would take nothing.
      if (status === 422) return []
      return text
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line))
    },
    stop,
    async close() {
      await stop()
      await database.drop()
      if (!beside) await rm(folder, { recursive: true, force: true })
    },
  }
}
