/** Edits through the API: each is one record like any other, judged once by the worker. */
import type { Pool, PoolClient } from 'pg'
import type { Identities } from '../infra/catalog/identities.ts'
import type { Log } from '../infra/log/port.ts'
import type { BronzeRecord, CellValue } from '../schemas/pipeline.ts'
import { topics } from '../schemas/topics.ts'
import { identifierReader } from './candidate.ts'
import { kinds, productId, valueHash } from './identifiers.ts'
import { resolve } from './identity.ts'

export interface EditPorts {
  readonly pool: Pool
  readonly identities: Identities
  readonly log: Log
  readonly inTransaction: <T>(pool: Pool, work: (tx: PoolClient) => Promise<T>) => Promise<T>
  readonly isUniqueViolation: (error: unknown) => boolean
  readonly now: () => Date
  readonly randomId: () => string
  /** Whether this product is there now, as far as the sink has come. */
  readonly isAlive: (catalog: string, product: string) => Promise<boolean>
}

export interface EditScope {
  readonly workspace: string
  readonly brand: string
  readonly catalog: string
  readonly by: string
  /** The same for a repeat of the same request: makes the id of a product without identifiers, so that two are one. */
  readonly seed?: string | undefined
}

/** Where the record stands: the answer waits until the sink has passed it. */
export interface Placed {
  readonly product: string
  readonly partition: number
  readonly offset: number
}

/** Our own field names are the columns of an edit. */
const ownFields = identifierReader({
  mapping: Object.fromEntries(
    (['sku', 'gtin', 'mpn', 'brand', 'link'] as const).map((field) => [field, { field, reason: 'our own field name' }]),
  ),
})

/** @returns null where its identifiers lead to products in a way that decides nothing */
export async function createProduct(
  scope: EditScope,
  cells: Readonly<Record<string, CellValue>>,
  ports: EditPorts,
): Promise<Placed | { readonly exists: string } | null> {
  const ids = ownFields(cells)
  const anonymous = Object.values(ids).every((id) => id === null)
  for (;;) {
    if (anonymous) {
      const made = productId(scope.workspace, scope.catalog, kinds.random, scope.seed ?? ports.randomId())
      return append(recordOf(scope, made.id, made.sid, cells, { create: true, ifAbsent: true, fresh: true }), ports)
    }
    const candidate = { seq: -1, rows: [], kind: 'single', cells, ids } as const
    const source = { workspace: scope.workspace, catalog: scope.catalog, source: 'api' }
    const resolution = await resolve([{ candidate, shared: null }], source, ports.identities, false)
    const [found] = resolution.found
    if (!found || found.product === null) return null
    // Refused at once, so that a create that makes nothing registers nothing; the worker judges those that race.
    if (!found.fresh && (await ports.isAlive(scope.catalog, found.product))) return { exists: found.product }
    const record = recordOf(scope, found.product, found.sid, cells, { create: true, ifAbsent: true })
    try {
      return await ports.inTransaction(ports.pool, async (tx) => {
        await ports.identities.insert(tx, scope.catalog, resolution.insert)
        await ports.identities.share(tx, scope.catalog, resolution.share)
        await ports.identities.gain(tx, scope.catalog, resolution.gain)
        return append(record, ports, tx)
      })
    } catch (error) {
      if (!ports.isUniqueViolation(error)) throw error
    }
  }
}

/** A partial edit: cells that are named change, `__CLEAR__` clears. */
export function editProduct(
  scope: EditScope,
  product: { id: string; sid: string },
  cells: Readonly<Record<string, CellValue>>,
  ifRev: number | undefined,
  ports: EditPorts,
): Promise<Placed> {
  return append(recordOf(scope, product.id, product.sid, cells, ifRev === undefined ? {} : { ifRev }), ports)
}

/** Registers a SKU that an edit gives; false where another product has it. */
export async function claimSku(scope: EditScope, product: string, sku: string, ports: EditPorts): Promise<boolean> {
  const hash = valueHash(kinds.sku, sku)
  const [holder] = await ports.identities.find(scope.catalog, [{ kind: kinds.sku, hash }])
  if (holder) return holder.product === product
  try {
    await ports.inTransaction(ports.pool, async (tx) => {
      await ports.identities.insert(tx, scope.catalog, [
        { kind: kinds.sku, hash, product, shared: false, options: null },
      ])
      await ports.identities.gain(tx, scope.catalog, [{ product, sku: hash, options: null }])
    })
    return true
  } catch (error) {
    if (ports.isUniqueViolation(error)) return false
    throw error
  }
}

function recordOf(
  scope: EditScope,
  product: string,
  sid: string,
  cells: Readonly<Record<string, CellValue>>,
  more: Partial<BronzeRecord>,
): Omit<BronzeRecord, 'at'> {
  return {
    v: 1,
    op: 'put',
    workspace: scope.workspace,
    brand: scope.brand,
    catalog: scope.catalog,
    product,
    source: 'api',
    sid,
    context: 0,
    seq: -1,
    rows: [],
    kind: 'single',
    by: scope.by,
    cells,
    ...more,
  }
}

async function append(record: Omit<BronzeRecord, 'at'>, ports: EditPorts, tx?: PoolClient): Promise<Placed> {
  const value = JSON.stringify({ ...record, at: ports.now().toISOString() } satisfies BronzeRecord)
  const [range] = await ports.log.append(topics.bronze, [{ key: record.product, value }], tx)
  if (!range) throw new Error('the log gave no offset')
  return { product: record.product, partition: range.partition, offset: range.from }
}
