/** The catalog's Postgres: two roles, two pools. The only file that names the drivers, so that the seam is the connection. */
import type { Writable } from 'node:stream'
import pg from 'pg'
import { from } from 'pg-copy-streams'
import { inTransaction } from './in-transaction.ts'

/** Who is asking, already checked. */
export interface Principal {
  readonly workspaceId: string
  readonly brandIds: '*' | readonly string[]
}

export interface Catalog {
  /** Owner of the tables, not under policy: for ports that take the checked workspace and catalog as arguments. */
  readonly pipeline: pg.Pool
  /** The API's role. Outside `withTenant` it sees no row. */
  readonly api: pg.Pool
  inTransaction: typeof inTransaction
  /** A transaction of the API's role in which only the principal's rows exist. */
  withTenant<T>(principal: Principal, work: (tx: pg.PoolClient) => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** @param options.maxConnections of each of the two pools */
export function openCatalog(url: string, options: { maxConnections?: number } = {}): Catalog {
  const max = options.maxConnections ?? 16
  const pipeline = openPool({ connectionString: url, max, application_name: 'assay pipeline' })
  const api = openPool({ connectionString: asApiRole(url), max, application_name: 'assay api' })
  return {
    pipeline,
    api,
    inTransaction,
    withTenant: (principal, work) =>
      inTransaction(api, async (tx) => {
        await tx.query(setPrincipal, [principal.workspaceId, brandSetting(principal.brandIds)])
        return work(tx)
      }),
    close: async () => {
      await Promise.all([pipeline.end(), api.end()])
    },
  }
}

/** One connection outside the pools, for who must own its session. */
export async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, types, keepAlive: true, connectionTimeoutMillis: 10_000 })
  client.on('error', ignore)
  await client.connect()
  return client
}

/** The stream of a `COPY … FROM STDIN` on this connection; a destroyed stream fails the COPY. */
export function copyIn(client: pg.ClientBase, sql: string): Writable {
  return client.query(from(sql, { highWaterMark: 1 << 18 }))
}

const setPrincipal = `select set_config('assay.workspace', $1, true), set_config('assay.brands', $2, true)`
const brandId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The setting is a comma list in which `*` means all: a brand id that is no UUID must not get into it. */
function brandSetting(brandIds: Principal['brandIds']): string {
  if (brandIds === '*') return '*'
  for (const id of brandIds) if (!brandId.test(id)) throw new TypeError(`"${id}" is no brand id`)
  return brandIds.join(',')
}

function openPool(config: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({
    types,
    keepAlive: true,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 60_000,
    ...config,
  })
  // A lost connection fails the query that needs it; as an event without a listener it would end the process.
  pool.on('error', ignore)
  pool.on('connect', (client) => client.on('error', ignore))
  return pool
}

const ignore = () => {}

/** The role is part of the session's start, so that no connection of the pool can be without it. */
function asApiRole(url: string): string {
  const address = new URL(url)
  const own = address.searchParams.get('options')
  address.searchParams.set('options', own ? `${own} -c role=assay_api` : '-c role=assay_api')
  return address.href
}

/** Postgres counts in bigint; every count of ours fits a number, and one that does not must not be rounded in silence. */
function safeNumber(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is too large for a number`)
  return value
}

const types = new pg.TypeOverrides()
const [int8, int8Array] = [20, 1016]
types.setTypeParser(int8, safeNumber)
types.setTypeParser(int8Array, (text: string) => {
  const elements = text.slice(1, -1)
  return elements === '' ? [] : elements.split(',').map((each) => (each === 'NULL' ? null : safeNumber(each)))
})
