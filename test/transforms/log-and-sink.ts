/** A log of one partition and the worker's sink on a real database; records are written to it as producers do. */
import { hash, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sinkPositions } from '../../infra/catalog/advance-position.ts'
import { type Catalog, openCatalog } from '../../infra/catalog/postgres.ts'
import { productStore } from '../../infra/catalog/product-store.ts'
import { ensureWorkspace } from '../../infra/catalog/tenants.ts'
import type { Log } from '../../infra/log/port.ts'
import { postgresLog } from '../../infra/log/postgres.ts'
import type { BronzeRecord } from '../../schemas/pipeline.ts'
import { topics } from '../../schemas/topics.ts'
import { rubricVersion } from '../../transforms/gold/rubric.ts'
import type { ProductStore } from '../../transforms/ports.ts'
import { type RowResult, unpackRows } from '../../transforms/row-results.ts'
import { products as topology } from '../../transforms/topology.ts'
import { runPartition, type WorkerPorts } from '../../transforms/worker.ts'
import { freshDatabase } from '../harness.ts'

export const digest = (text: string) => hash('sha256', text, 'hex').slice(0, 32)

export interface LogAndSink {
  readonly catalog: Catalog
  readonly log: Log
  /** A consumer of its own: what it has claimed it has claimed for itself. */
  store(): ProductStore
  /** Appends each record, or bytes that are none, as a batch of its own. */
  append(...records: readonly (BronzeRecord | { readonly key: string; readonly value: string })[]): Promise<void>
  /** Runs a worker until the sink has passed everything that is on the log. */
  work(store?: ProductStore, more?: Partial<WorkerPorts>): Promise<void>
  position(): Promise<number>
  /** Sums of the sink's results, by import. */
  results(importId: string): Promise<{ created: number; updated: number; unchanged: number; rejected: number }>
  /** Rows of an import as its batches tell of them, in no order. */
  rowsOf(importId: string): Promise<RowResult[]>
  close(): Promise<void>
}

export async function openLogAndSink(): Promise<LogAndSink> {
  const database = await freshDatabase()
  const catalog = openCatalog(database.url)
  const pool = catalog.pipeline
  await ensureWorkspace(pool, 'ws_test', 'Test')
  const log = postgresLog(pool, { epoch: 1, partitions: 1 })
  const store = () => productStore(pool, log, { group: topology.group, rubricVersion })
  const position = async () => (await sinkPositions(pool, topology.group, log.epoch, topics.bronze, 1))[0] ?? 0
  return {
    catalog,
    log,
    store,
    position,
    async append(...records) {
      for (const one of records) {
        const record = 'key' in one ? one : { key: one.product, value: JSON.stringify(one) }
        await log.append(topics.bronze, [record])
      }
    },
    async work(own = store(), more = {}) {
      const stop = new AbortController()
      const errors: unknown[] = []
      const ports: WorkerPorts = {
        log,
        store: own,
        digest,
        arrival: (_partition, _from, signal) => sleep(2, undefined, { signal }).catch(() => {}),
        onError: (error) => errors.push(error),
        ...more,
      }
      const running = (async () => {
        // As a share does whose partition is given to nobody else.
        for (; !stop.signal.aborted; await sleep(1)) await runPartition(topology, 0, ports, stop.signal)
      })()
      const [end = 0] = await log.ends(topics.bronze)
      for (const until = Date.now() + 15_000; (await position()) < end && Date.now() < until; ) await sleep(2)
      stop.abort()
      await running
      if ((await position()) < end) throw new AggregateError(errors, 'the worker did not get there')
    },
    async results(importId) {
      const { rows } = await pool.query(
        `select sum(created)::int as created, sum(updated)::int as updated, sum(unchanged)::int as unchanged, sum(rejected)::int as rejected
           from import_outcome where import_id = $1`,
        [importId],
      )
      return rows[0]
    },
    async rowsOf(importId) {
      const every = { after: 0, upTo: Number.MAX_SAFE_INTEGER, result: null, limit: Number.MAX_SAFE_INTEGER }
      const { rows } = await pool.query<{ bytes: Uint8Array }>(
        'select row_results as bytes from import_outcome where import_id = $1',
        [importId],
      )
      return rows.flatMap(({ bytes }) => unpackRows(bytes, every))
    },
    async close() {
      await catalog.close()
      await database.drop()
    },
  }
}

/** Records about products of one new catalog. */
export function writer() {
  const into = { workspace: 'ws_test', brand: randomUUID(), catalog: randomUUID() }
  const base = { v: 1, ...into, context: 0, kind: 'single', at: '2026-01-01T00:00:00.000Z' } as const
  const sid = (product: string) => hash('sha256', product, 'hex')
  return {
    ...into,
    row: (
      product: string,
      importId: string,
      seq: number,
      cells: BronzeRecord['cells'],
      more: Partial<BronzeRecord> = {},
    ): BronzeRecord => ({
      ...base,
      op: 'put',
      product,
      sid: sid(product),
      source: 'file:a',
      import: importId,
      seq,
      rows: [seq + 1],
      cells,
      ...more,
    }),
    edit: (product: string, cells: BronzeRecord['cells'], more: Partial<BronzeRecord> = {}): BronzeRecord => ({
      ...base,
      op: 'put',
      product,
      sid: sid(product),
      source: 'api',
      seq: -1,
      rows: [],
      cells,
      ...more,
    }),
    undo: (product: string, importId: string, op: 'void' | 'unvoid' = 'void'): BronzeRecord => ({
      ...base,
      op,
      product,
      sid: sid(product),
      source: 'file:a',
      import: importId,
      seq: -1,
      rows: [],
      cells: {},
    }),
  }
}
