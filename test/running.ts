/** A running Assay for tests: a database of its own, every role in this process, and the API as its users call it. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import pino from 'pino'
import { connect } from '../infra/catalog/postgres.ts'
import { type Config, readConfig } from '../infra/config.ts'
import type { Role as Part } from '../infra/config-variables.ts'
import { serverPorts } from '../infra/system/server-ports.ts'
import { openSystem, type System } from '../infra/system.ts'
import type { Role } from '../schemas/access.ts'
import { type LimitPorts, rates } from '../serving/plugins/limits.ts'
import { buildServer, type ServerPorts } from '../serving/server.ts'
import type { ProductResource } from '../serving/workspace/product-resource.ts'
import { enter } from './enter.ts'
import { freshDatabase } from './harness.ts'
import { endKept } from './kept-assay.ts'

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
  /** Its own, or that of the file where several share it. */
  readonly workspace: string
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
 * @param within where its data folder is made
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
    within = tmpdir(),
    fixtures,
  }: {
    limits?: Partial<LimitPorts>
    guardShare?: number
    roles?: readonly Part[]
    beside?: Pick<Running, 'config'>
    within?: string
    fixtures?: ServerPorts['mcp']['fixtures']
  } = {},
): Promise<Running> {
  if (!beside) await endKept()
  const database = beside ? { url: beside.config.databaseUrl ?? '', drop: async () => {} } : await freshDatabase()
  const folder = beside?.config.dataFolder ?? (await mkdtemp(join(within, 'assay-data-')))
  const config = readConfig({ ASSAY_DATA: folder, DATABASE_URL: database.url, ASSAY_NODES: '1', ...env })
  if (config.kafka && !beside) await beforeFirstStart(database.url)
  const logger = pino({ level: 'silent' })
  const system = await openSystem(config, logger, { roles, alone: false })
  const ports = serverPorts(system)
  const app = await buildServer({
    ...ports,
    logger: null,
    limits: { ...ports.limits, ...limits },
    ...(fixtures && { mcp: { ...ports.mcp, fixtures } }),
    streams: { endsAfterMs: 50 },
  })
  const own = await enter({ system, app, config }, workspace, guardShare)
  const stop = async () => {
    await app.close()
    await system.close()
  }
  return {
    ...own,
    stop,
    async close() {
      await stop()
      await database.drop()
      if (!beside) await rm(folder, { recursive: true, force: true })
    },
  }
}
