/** The catalog's Postgres: two roles, two pools. The only file that names the drivers, so that the seam is the connection. */
import type { Duplex, Readable, Writable } from 'node:stream'
import pg from 'pg'
import { from, to } from 'pg-copy-streams'
import type { TakeCopied } from './copied-data.ts'
import { copySocket, isCopySocket, taking } from './copy-socket.ts'
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
  /** The same for work that sends exactly one statement, and sends it at once. */
  readOnce<T>(principal: Principal, work: (tx: Reading) => Promise<T>): Promise<T>
  /**
   * What a COPY gives, in a transaction as that of `withTenant`, whose pipelined connections cannot copy.
   * @param settings of that transaction, as statements
   * @param take is told of each part as it comes: the transaction waits for nobody
   */
  copyWithTenant(principal: Principal, settings: string, sql: string, take: TakeCopied): Promise<void>
  close(): Promise<void>
}

/** A transaction of one statement. */
export interface Reading {
  query<R extends pg.QueryResultRow>(statement: pg.QueryConfig): Promise<pg.QueryResult<R>>
}

/** @param options.maxConnections of each of the two pools @param options.member see `openPipeline` */
export function openCatalog(url: string, options: { maxConnections?: number; member?: string } = {}): Catalog {
  const max = options.maxConnections ?? 16
  const pipeline = openPipeline(url, { ...options, maxConnections: max })
  const api = openPool({ connectionString: asApiRole(url), max, application_name: 'assay api', pipeline: true })
  return {
    pipeline,
    api,
    inTransaction,
    withTenant: (principal, work) => withTenant(api, principal, work),
    readOnce: (principal, work) => readOnce(api, principal, work),
    copyWithTenant: (principal, ...of) => copyWithTenant(pipeline, principal, ...of),
    close: async () => {
      await Promise.all([pipeline.end(), api.end()])
    },
  }
}

/**
 * Connections of the pipeline's role.
 * @param member the process's, so that others find its sessions and can end them should it fall silent
 */
export function openPipeline(url: string, options: { maxConnections: number; member?: string }): pg.Pool {
  const name = options.member === undefined ? 'assay pipeline' : `assay pipeline ${options.member}`
  const { maxConnections: max } = options
  return openPool({ connectionString: url, max, application_name: name, stream: copySocket })
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

/** What a `COPY … TO STDOUT` on this connection gives; where it is destroyed, the connection is of no further use. */
export function copyOut(client: pg.ClientBase, sql: string): Readable {
  return client.query(to(sql))
}

async function copyTo(client: pg.ClientBase, sql: string, take: TakeCopied): Promise<void> {
  const stream = streamOf(client)
  if (isCopySocket(stream)) return taking(stream, take, () => client.query(sql))
  for await (const part of copyOut(client, sql)) take(part as Buffer, 0, (part as Buffer).length)
}

/** One message for both, where a bound statement takes five: they go with every transaction. To set is a command; `set_config` would be planned, and answer with a row. */
const beginAs = ({ workspaceId, brandIds }: Principal) =>
  `begin; set local assay.workspace = ${pg.escapeLiteral(workspaceId)}; set local assay.brands = ${pg.escapeLiteral(brandSetting(brandIds))}`

/**
 * The pool's connections are pipelined: the transaction's start and its principal travel with the first statement of the work,
 * two round trips fewer. Were they refused, the statements after them would fail or see no row.
 */
async function withTenant<T>(api: pg.Pool, principal: Principal, work: (tx: pg.PoolClient) => Promise<T>): Promise<T> {
  const opening = beginAs(principal)
  const tx = await api.connect()
  let broken: Error | undefined
  try {
    const [opened, worked] = together(tx, () => [tx.query(opening), work(tx)] as const)
    const [, result] = await Promise.all([opened, worked])
    await tx.query('commit')
    return result
  } catch (error) {
    // A connection that cannot even roll back is thrown away; its transaction ends with it.
    await tx.query('rollback').catch((cause: Error) => {
      broken = cause
    })
    throw error
  } finally {
    tx.release(broken)
  }
}

/** The role is the API's until the transaction ends, so that what is copied is under policy as well. */
async function copyWithTenant(
  pipeline: pg.Pool,
  principal: Principal,
  settings: string,
  sql: string,
  take: TakeCopied,
): Promise<void> {
  const opening = `${beginAs(principal).replace('begin;', 'begin; set local role assay_api;')}; ${settings}`
  const tx = await pipeline.connect()
  try {
    await tx.query(opening)
    await copyTo(tx, sql, take)
    // Nothing was written, and a reader of pages need not wait for its end.
    tx.query('commit').then(
      () => tx.release(),
      (error: Error) => tx.release(error),
    )
  } catch (error) {
    // A COPY that was given up has left its connection in the middle of an answer.
    tx.release(error as Error)
    throw error
  }
}

/** The whole transaction is one write and one answer: half of `withTenant`'s time for a read by key. */
async function readOnce<T>(api: pg.Pool, principal: Principal, work: (tx: Reading) => Promise<T>): Promise<T> {
  const opening = beginAs(principal)
  const tx = await api.connect()
  let open = true
  const reading: Reading = {
    query: (statement) => {
      if (!open) throw new Error('readOnce has one statement, sent at once')
      return tx.query(statement)
    },
  }
  const parts = together(tx, () => {
    const sent = [tx.query(opening), work(reading)] as const
    open = false
    return [...sent, tx.query('commit')] as const
  })
  const [opened, worked, closed] = await Promise.allSettled(parts)
  const failed = [worked, opened, closed].find((one) => one.status === 'rejected')
  // What failed has rolled back; a connection whose commit failed is lost.
  tx.release(closed.status === 'rejected' ? closed.reason : undefined)
  if (failed) throw failed.reason
  return (worked as PromiseFulfilledResult<Awaited<T>>).value
}

/** Statements that are sent at once leave in one write: a system call each was a third of the time of a read. */
function together<T>(tx: pg.PoolClient, send: () => T): T {
  const stream = streamOf(tx)
  stream.cork()
  try {
    return send()
  } finally {
    stream.uncork()
  }
}

const streamOf = (client: pg.ClientBase) => (client as unknown as { connection: { stream: Duplex } }).connection.stream

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
    idle_in_transaction_session_timeout: forgottenMs,
    ...config,
  })
  // A lost connection fails the query that needs it; as an event without a listener it would end the process.
  pool.on('error', ignore)
  pool.on('connect', (client) => client.on('error', ignore))
  return pool
}

const ignore = () => {}

/** A process that was stopped in the middle of a transaction must not keep its rows from all others for ever; those that live pause for milliseconds. */
const forgottenMs = 60_000

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
