/** The event store on ClickHouse; the only file that names its client. The embedded store speaks the same. */
import { Readable } from 'node:stream'
import {
  type ClickHouseClient,
  ClickHouseError,
  ClickHouseLogLevel,
  type ClickHouseSettings,
  createClient,
} from '@clickhouse/client'
import { eventColumns, storeTime } from '../../schemas/event-row.ts'
import { clustered } from './clustered.ts'
import { applyMigrations } from './migrate.ts'
import type { Passed } from './place.ts'
import { type EventStore, EventsAway, type Limits, TooMuch } from './port.ts'
import { identityOf, passedOf, passOn, type StoreAsks } from './store-progress.ts'

/** Of a connection on which nothing comes; longer than any question may take. */
const silentMs = 120_000
/** To copy a month of a large store takes as long as it takes; its progress, told in headers, keeps what is between from giving it up. */
const migrating = {
  request_timeout: 24 * 3_600_000,
  max_response_headers_size: 4 * 1024 * 1024,
  clickhouse_settings: {
    max_execution_time: 0,
    send_progress_in_http_headers: 1,
    http_headers_progress_interval_ms: '20000',
  },
} as const
/** Beyond the time that a question may take: who says nothing then is away. */
const lateMs = 5_000
/** TIMEOUT_EXCEEDED, TOO_SLOW, MEMORY_LIMIT_EXCEEDED, TOO_MANY_ROWS: which limit is passed, and in which words. */
const limitWords: Readonly<Record<string, (limits: Limits) => string>> = {
  '159': ({ seconds }) => `takes more than ${seconds} seconds`,
  '160': ({ seconds }) => `takes more than ${seconds} seconds`,
  '241': ({ memoryBytes }) => `takes more than ${Math.round(memoryBytes / 1024 ** 2)} MB of memory`,
  '158': ({ rows = 0 }) => `looks at more than ${rows.toLocaleString('en-US')} events`,
}
/** The settings stand in the statement: of a command the embedded store reads no others. */
const removal = `alter table events delete where workspace in {workspaces:Array(String)} and time < {before:DateTime64(3, 'UTC')}
  settings mutations_sync = 1`
/** An insert has come when it is on its shard, and on most of the replicas there. */
const ofCluster = { distributed_foreground_insert: 1, insert_quorum: 'auto' } as const
/** What is asked of it is known to be right: it is the store that cannot. NOT_ENOUGH_SPACE, NETWORK_ERROR, TABLE_IS_READ_ONLY … */
const awayCodes = new Set(['243', '210', '242', '209', '319', '516', '999'])

interface Options {
  readonly close?: () => Promise<void>
  readonly cluster?: string | null
  readonly alone?: (work: () => Promise<void>) => Promise<void>
  readonly match?: (store: OpenedStore) => Promise<boolean>
}

/** What was just reached, before anything is asked of it or written to it. */
export interface OpenedStore extends Pick<EventStore, 'identity' | 'pass'> {
  /** How far the log stands in it; null where it has events and is from before it kept that. */
  passed(): Promise<readonly Passed[] | null>
}

interface Reached {
  readonly client: ClickHouseClient
  readonly id: string
}

interface Opened {
  readonly at: string
  readonly ready: Promise<Reached & { readonly wentBack: boolean }>
  isReady: boolean
}

/**
 * @param address asked for each time that a connection is made: an embedded store that died has another one
 * @param cluster whose tables they are; null: of that one server
 * @param alone runs what makes tables anew while no other process does
 * @param match whether what others know of its events went back, because it has fewer than they thought: who was about to ask asks again
 */
export function clickhouseEvents(
  address: () => Promise<string>,
  { close = async () => {}, cluster = null, alone = (work) => work(), match = async () => false }: Options = {},
): EventStore {
  let opened: Opened | null = null

  async function connected(): Promise<Reached> {
    const at = await address().catch((cause: unknown) => {
      throw new EventsAway('the event store does not start', { cause })
    })
    if (opened?.at !== at) {
      const former = opened
      const mine: Opened = { at, ready: openClient(at, cluster, alone, match), isReady: false }
      mine.ready.then(
        () => {
          mine.isReady = true
        },
        () => {},
      )
      opened = mine
      void former?.ready.then(({ client }) => client.close()).catch(() => {})
    }
    const { ready, isReady } = opened
    const { wentBack, ...reached } = await ready.catch((error: unknown) => {
      if (opened?.ready === ready) opened = null
      throw error
    })
    // What was read of its progress before it was reached is not true of it.
    if (wentBack && !isReady) throw new EventsAway('the event store is filled again from the log')
    return reached
  }

  const run = async <T>(work: (client: ClickHouseClient) => Promise<T>, limits?: Limits): Promise<T> => {
    try {
      return await work((await connected()).client)
    } catch (error) {
      limits?.signal?.throwIfAborted()
      // Who comes back may be another, or have less than it had.
      if (isLost(error)) opened = null
      throw inKind(error, limits)
    }
  }

  return {
    insert: (lines, token) =>
      run(async (client) => {
        await client.insert({
          table: 'events',
          columns: [...eventColumns],
          values: Readable.from([Buffer.concat(lines)], { objectMode: false }),
          format: 'TabSeparated',
          clickhouse_settings: { insert_deduplication_token: token, input_format_tsv_detect_header: 0 },
        })
      }),
    pass: (places) => run((client) => passOn(asksOf(client), places)),
    remove: (workspaces, before) =>
      run(async (client) => {
        const said = cluster === null ? [removal] : clustered(cluster)(removal)
        for (const query of said)
          await client.command({ query, query_params: { workspaces: [...workspaces], before: storeTime(before) } })
      }),
    ask: <T>(sql: string, bound: object, limits: Limits) =>
      run(async (client) => {
        const result = await client.query({
          query: sql,
          query_params: { ...bound },
          // The one form that says in both engines how many rows were looked at.
          format: 'JSON',
          abort_signal: AbortSignal.any([
            ...(limits.signal ? [limits.signal] : []),
            AbortSignal.timeout(limits.seconds * 1_000 + lateMs),
          ]),
          clickhouse_settings: {
            max_execution_time: limits.seconds,
            max_memory_usage: String(limits.memoryBytes),
            ...(limits.rows !== undefined && { max_rows_to_read: String(limits.rows) }),
            // The same event has the same time, so its copies are in one partition.
            do_not_merge_across_partitions_select_final: 1,
            output_format_json_quote_64bit_integers: 1,
            output_format_json_quote_decimals: 1,
            // A question writes nothing; and only such a one ends when its asker goes.
            readonly: '2',
            cancel_http_readonly_queries_on_client_close: 1,
          },
        })
        const { data, statistics } = await result.json<T>()
        return { rows: data, rowsRead: statistics?.rows_read ?? 0 }
      }, limits),
    async identity() {
      try {
        return (await connected()).id
      } catch (error) {
        throw inKind(error, undefined)
      }
    },
    async close() {
      const reached = await opened?.ready.catch(() => null)
      await reached?.client.close()
      await close()
    },
  }
}

async function openClient(
  url: string,
  cluster: string | null,
  alone: NonNullable<Options['alone']>,
  match: NonNullable<Options['match']>,
): Promise<Reached & { readonly wentBack: boolean }> {
  const always = { url, application: 'assay', log: { level: ClickHouseLogLevel.OFF } }
  const settings = cluster === null ? {} : ofCluster
  const client = createClient({
    ...always,
    ...{ clickhouse_settings: settings, request_timeout: silentMs, max_open_connections: 10 },
  })
  try {
    await alone(() => migrate({ ...always, ...migrating }, settings, cluster))
    const asks = asksOf(client)
    const id = await identityOf(asks)
    const wentBack = await match({
      identity: async () => id,
      passed: () => passedOf(asks),
      pass: (places) => passOn(asks, places),
    })
    return { client, id, wentBack }
  } catch (error) {
    await client.close()
    throw error
  }
}

async function migrate(
  options: NonNullable<Parameters<typeof createClient>[0]>,
  settings: ClickHouseSettings,
  cluster: string | null,
): Promise<void> {
  const client = createClient({ ...options, clickhouse_settings: { ...options.clickhouse_settings, ...settings } })
  const named = async (sql: string) => (await rowsOf<{ name: string }>(client, sql)).map(({ name }) => name)
  const store = {
    command: (query: string) => client.command({ query }).then(() => {}),
    names: () => named('select name from assay_migration'),
    partitions: (table: string) => named(`select distinct _partition_id as name from ${table} order by name`),
  }
  try {
    await applyMigrations(store, cluster === null ? undefined : clustered(cluster))
  } finally {
    await client.close()
  }
}

const rowsOf = async <T>(client: ClickHouseClient, query: string): Promise<T[]> =>
  (await client.query({ query, format: 'JSONEachRow' })).json<T>()

const asksOf = (client: ClickHouseClient): StoreAsks => ({
  rows: (sql) => rowsOf(client, sql),
  insert: (table, values) => client.insert({ table, values, format: 'JSONEachRow' }),
})

/** UNKNOWN_TABLE, UNKNOWN_DATABASE: of ours, on a server that came back empty; its tables are made anew when it is reached again. */
const isEmpty = ({ code, message }: ClickHouseError) =>
  code === '81' || (code === '60' && /\b(events|assay_\w+)\b/.test(message))
const isLost = (error: unknown) => (error instanceof ClickHouseError ? isEmpty(error) : !(error instanceof EventsAway))

/** A refusal of the engine is a fault of ours, unless it is one of limits or of its health. */
function inKind(error: unknown, limits: Limits | undefined): unknown {
  if (error instanceof EventsAway) return error
  if (!(error instanceof ClickHouseError)) return new EventsAway('the event store does not answer', { cause: error })
  const words = limits && limitWords[error.code]?.(limits)
  if (words) return new TooMuch(`This question ${words}`, { cause: error })
  if (awayCodes.has(error.code) || isEmpty(error))
    return new EventsAway('the event store cannot work', { cause: error })
  return error
}
