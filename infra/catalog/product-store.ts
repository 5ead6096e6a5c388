/** The worker's store: loads the products that a batch touches, and commits the batch with its position in one transaction. */
import type { Pool, PoolClient } from 'pg'
import type { Layers, SilverSettings } from '../../schemas/pipeline.ts'
import { topics } from '../../schemas/topics.ts'
import type { History } from '../../transforms/bronze/history.ts'
import type { ProductStore, SinkBatch, StoredProduct } from '../../transforms/ports.ts'
import { EpochClosed } from '../log/fenced.ts'
import type { Log } from '../log/port.ts'
import { advancePosition, claimPosition } from './advance-position.ts'
import { stillDead } from './dead-letters.ts'
import { readWhole } from './histories.ts'
import { findContexts } from './import-sources.ts'
import { inTransaction } from './in-transaction.ts'
import { kept } from './kept.ts'
import { isClosed } from './log-epochs.ts'
import { findSettings, holdSettings } from './settings.ts'
import { DataRefused, isDataError, isUniqueViolation } from './sql-errors.ts'
import { takePosition } from './take-position.ts'
import { writeEffects } from './write-effects.ts'
import { writeProducts } from './write-products.ts'

interface Options {
  readonly group: string
  readonly rubricVersion: number
  /** Claims nothing but what is leased to this one; without it, whatever it is asked to. */
  readonly member?: string | undefined
  /** Where somebody else says whose a partition is: after this, who still holds its row is taken for stopped. */
  readonly silentMs?: number | undefined
  /** Histories from their first records, unless they may begin where a month ended. */
  readonly read?: typeof readWhole
}

/** A transaction that must not commit, and what that means for the batch. */
class Rollback extends Error {
  readonly outcome: 'lost' | 'stale'
  constructor(outcome: 'lost' | 'stale') {
    super(outcome)
    this.outcome = outcome
  }
}

const loadSql = `
  select p.product_id as product, p.rev, p.alive, encode(p.content_hash, 'hex') as content, encode(p.source_identifier, 'hex') as sid,
         p.created_at as "createdAt", p.updated_at as "updatedAt", p.layers,
         case when s.product_id is null then null else array[s.s1, s.s2, s.s3, s.s4, s.s5, s.s6, s.s7] end as sub
    from unnest($1::uuid[], $2::uuid[]) as w (catalog_id, product_id)
    join products p on p.catalog_id = w.catalog_id and p.product_id = w.product_id
    left join product_score s on s.catalog_id = w.catalog_id and s.product_id = w.product_id`

interface LoadedRow {
  product: string
  rev: number
  alive: boolean
  content: string
  sid: string
  createdAt: Date
  updatedAt: Date
  layers: Buffer
  sub: number[] | null
}

const readLayers = (bytes: Buffer): Layers => JSON.parse(bytes.toString())

export async function loadProducts(
  pool: Pool,
  wanted: readonly { catalog: string; product: string }[],
): Promise<Map<string, StoredProduct>> {
  if (wanted.length === 0) return new Map()
  const { rows } = await pool.query<LoadedRow>(loadSql, [wanted.map((w) => w.catalog), wanted.map((w) => w.product)])
  return new Map(
    rows.map((row) => [
      row.product,
      {
        rev: row.rev,
        alive: row.alive,
        content: row.content,
        sid: row.sid,
        createdAt: row.createdAt.toISOString(),
        updatedAt: row.updatedAt.toISOString(),
        layers: readLayers(row.layers),
        sub: row.sub,
        product: null,
      },
    ]),
  )
}

export function productStore(
  pool: Pool,
  log: Log,
  { group, rubricVersion, member, silentMs, read = readWhole }: Options,
): ProductStore {
  const owners = new Map<number, number>()
  return {
    async claim(partition) {
      if (await isClosed(pool, log.epoch)) throw new EpochClosed(log.epoch)
      const place = [group, log.epoch, topics.bronze, partition] as const
      const claimed =
        silentMs === undefined
          ? await claimPosition(pool, ...place, member ?? null)
          : await takePosition(pool, place, silentMs)
      if (claimed === null) return null
      owners.set(partition, claimed.ownerEpoch)
      return claimed.nextOffset
    },
    load: (wanted) => loadProducts(pool, wanted),
    async histories(ids, below, partition) {
      const ends = Array.from({ length: log.partitions }, (_, i) => (i === partition ? below : 0))
      const found = new Map<string, History>(ids.map((id) => [id, { base: null, entries: [], hole: null }]))
      for await (const [id, history] of read(pool, log, ids, ends)) found.set(id, history)
      return found
    },
    contexts: (ids) => (ids.length === 0 ? Promise.resolve([]) : findContexts(pool, ids)),
    settings: async (workspaces) =>
      new Map<string, SilverSettings>(
        (await Promise.all(workspaces.map((id) => findSettings(pool, id)))).flatMap((found) =>
          found ? [[found.workspace, found.silver] as const] : [],
        ),
      ),
    async progress(senders, partition) {
      if (senders.length === 0) return new Map()
      const { rows } = await pool.query<{ id: string; max: number }>(
        kept(
          'select import_id as id, max_seq as max from import_progress where import_id = any ($1::uuid[]) and epoch = $2 and partition = $3',
          [senders, log.epoch, partition],
        ),
      )
      return new Map(rows.map(({ id, max }) => [id, max]))
    },
    letters: (places) => stillDead(pool, places),
    refusedValue: (error) => error instanceof DataRefused,
    async commit(batch) {
      try {
        await inTransaction(pool, (tx) =>
          commitBatch(tx, log, group, rubricVersion, owners.get(batch.partition) ?? -1, batch),
        )
        return 'done'
      } catch (error) {
        if (error instanceof Rollback) return error.outcome
        if (isUniqueViolation(error)) return 'stale'
        if (isDataError(error)) throw new DataRefused('the catalog refused a value of this batch', { cause: error })
        throw error
      }
    },
  }
}

async function commitBatch(
  tx: PoolClient,
  log: Log,
  group: string,
  rubricVersion: number,
  ownerEpoch: number,
  batch: SinkBatch,
) {
  const claim = { group, epoch: log.epoch, topic: topics.bronze, partition: batch.partition, ownerEpoch }
  if (!(await advancePosition(tx, claim, batch.from, batch.to))) throw new Rollback('lost')
  // Before the rows: a save of settings waits for the batches of the former ones, and none of those comes after it.
  const used = new Map(batch.writes.map(({ workspace, settings }) => [workspace, settings]))
  if (!(await holdSettings(tx, used))) throw new Rollback('stale')
  if (!(await writeProducts(tx, batch.writes, rubricVersion))) throw new Rollback('stale')
  await writeEffects(tx, log, batch)
}
