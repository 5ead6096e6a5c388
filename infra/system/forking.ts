/** Forks a catalog as a job: a version's products become records of a new catalog, with what they were made of (DESIGN 5.6). */
import { randomUUID } from 'node:crypto'
import { forkId } from '../../ingest/fork-id.ts'
import type { BronzeRecord } from '../../schemas/pipeline.ts'
import { cellsOfProduct } from '../../transforms/versions/cells-of-product.ts'
import {
  type CopiedGain,
  type CopiedIdentity,
  gainedPage,
  type IdentityPlace,
  identityPage,
  insertFork,
  insertForkProducts,
  insertGained,
  insertIdentities,
  parentPage,
  type SourceProduct,
  versionPage,
} from '../catalog/forks.ts'
import { completeJob, findJob, insertJob, type JobRow, type Notify, startJob } from '../catalog/job-table.ts'
import type { Catalog } from '../catalog/postgres.ts'
import type { JobHandler, Jobs } from '../jobs.ts'
import type { BulkWriter } from './bulk-writer.ts'

export interface ForkOrder {
  readonly workspace: string
  readonly brand: string
  readonly name: string
  readonly by: string
  readonly base: string
  readonly version: number
  readonly notify?: Notify | null
}

export interface Forking {
  start(order: ForkOrder): Promise<{ job: string; catalog: string }>
  readonly run: JobHandler
}

const pageRows = 1_000
const identityRows = 5_000

/** Identifiers first: an import into the fork finds its products from the start. */
type Place =
  | { readonly phase: 'identities'; readonly after: IdentityPlace | null }
  | { readonly phase: 'gained' | 'parents' | 'products'; readonly after: string | null }
  | { readonly phase: 'written' }
/** Products are singles and parents, variants are singles and variants, as everywhere. */
type Cursor = Place & { readonly products?: number }

interface Input {
  readonly catalog: string
  readonly version: number
}

export function openForking({
  catalog,
  bulk,
  jobs,
  now,
}: {
  catalog: Catalog
  bulk: BulkWriter
  jobs: () => Jobs | null
  now: () => Date
}): Forking {
  const pool = catalog.pipeline

  async function start(order: ForkOrder) {
    const [job, id] = [randomUUID(), randomUUID()]
    const { workspace, brand, base, version, by, notify } = order
    await catalog.inTransaction(pool, async (tx) => {
      const queue = jobs()
      if (!queue) throw new Error('this process has no job queue')
      await insertFork(tx, { ...order, id })
      await insertJob(tx, {
        id: job,
        workspace,
        brand,
        catalog: id,
        kind: 'fork',
        input: { catalog: base, version, by },
        by,
        notify,
      })
      await queue.send('fork', job, tx)
    })
    return { job, catalog: id }
  }

  async function run(id: string, signal: AbortSignal) {
    if (!(await startJob(pool, id))) return
    for (;;) {
      const row = await findJob(pool, id)
      if (!row || row.catalog === null) return
      const at = (row.cursor as Cursor | null) ?? { phase: 'identities', after: null }
      if (at.phase === 'written') break
      const { next, records } = await page(row, row.catalog, at)
      const variants = records.filter(({ kind }) => kind !== 'parent').length
      const products = (at.products ?? 0) + records.filter(({ kind }) => kind !== 'variant').length
      const cursor: Cursor = { ...next, products }
      const step = { records, cursor, done: row.done + variants, total: null }
      await bulk.step(id, row.cursor, step, signal)
    }
    await bulk.settled(signal)
    const row = await findJob(pool, id)
    const { products = 0 } = (row?.cursor ?? {}) as Partial<Cursor>
    await completeJob(pool, id, { catalogId: row?.catalog, products, variants: row?.done ?? 0 })
  }

  /** What is inserted beside the log is inserted once however often it is tried. */
  async function page(row: JobRow, fork: string, at: Exclude<Place, { phase: 'written' }>) {
    const { catalog: base, version } = row.input as unknown as Input
    const mapped = (product: string) => forkId(row.workspace, fork, product).id
    const none: BronzeRecord[] = []
    switch (at.phase) {
      case 'identities': {
        const found = await identityPage(pool, base, at.after, identityRows)
        const rows = found.map((one): CopiedIdentity => ({ ...one, product: mapped(one.product) }))
        if (rows.length > 0) await insertIdentities(pool, fork, rows)
        const last = found.at(-1)
        const next: Place = last
          ? { phase: 'identities', after: { kind: last.kind, hash: last.hash } }
          : { phase: 'gained', after: null }
        return { next, records: none }
      }
      case 'gained': {
        const found = await gainedPage(pool, base, at.after, identityRows)
        const rows = found.map((one): CopiedGain => ({ ...one, product: mapped(one.product) }))
        if (rows.length > 0) await insertGained(pool, fork, rows)
        const last = found.at(-1)
        const next: Place = last ? { phase: 'gained', after: last.product } : { phase: 'parents', after: null }
        return { next, records: none }
      }
      default: {
        const read = at.phase === 'parents' ? parentPage : versionPage
        const found = await read(pool, base, version, at.after, pageRows)
        const last = found.at(-1)
        const after: Place = at.phase === 'parents' ? { phase: 'products', after: null } : { phase: 'written' }
        if (!last) return { next: after, records: none }
        const bases = found.map(({ id, refined }) => ({ id: mapped(id), origin: id, base: refined }))
        await insertForkProducts(pool, fork, bases)
        return { next: { phase: at.phase, after: last.id }, records: found.map((one) => recordOf(row, fork, one)) }
      }
    }
  }

  function recordOf(row: JobRow, fork: string, { id, kind, family, refined }: SourceProduct): BronzeRecord {
    const { catalog: base, version, by } = row.input as unknown as Input & { by: string }
    const own = forkId(row.workspace, fork, id)
    return {
      v: 1,
      op: 'put',
      workspace: row.workspace,
      brand: row.brand,
      catalog: fork,
      product: own.id,
      source: `fork:${base}@${version}`,
      sid: own.sid,
      context: 0,
      seq: -1,
      rows: [],
      kind,
      ...(family === null ? {} : { family: forkId(row.workspace, fork, family).id }),
      at: now().toISOString(),
      by,
      from: { catalog: base, version, product: id },
      cells: cellsOfProduct(refined, kind),
    }
  }

  return { start, run }
}
