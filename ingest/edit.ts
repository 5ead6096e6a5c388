/** Edits through the API: each is one record like any other, judged once by the worker. */
import type { Pool, PoolClient } from 'pg'
import type { Identities } from '../infra/catalog/identities.ts'
import type { Log, OffsetRange } from '../infra/log/port.ts'
import { type BronzeRecord, type CellValue, familyRow, type Layers } from '../schemas/pipeline.ts'
import { topics } from '../schemas/topics.ts'
import { afterRegister } from './after-register.ts'
import { identifierReader } from './candidate.ts'
import { cleared } from './cleared.ts'
import { type Group, groupOf } from './group-of.ts'
import { identifying, kinds, productId } from './identifiers.ts'
import { type Resolution, resolve } from './identity.ts'

export interface EditPorts {
  readonly pool: Pool
  readonly identities: Identities
  readonly log: Log
  readonly inTransaction: <T>(pool: Pool, work: (tx: PoolClient) => Promise<T>) => Promise<T>
  readonly isUniqueViolation: (error: unknown) => boolean
  readonly now: () => Date
  readonly randomId: () => string
  /** What is known of this product, as far as the sink has come; null where nothing is. */
  readonly known: (catalog: string, product: string) => Promise<Known | null>
  /** Whether there is, or was, a product under this id; all that is on the log counts. */
  readonly exists: (catalog: string, product: string) => Promise<boolean>
  /** Whether a source of this product still says this SKU, or would again after an undo. */
  readonly saysSku: (scope: Pick<EditScope, 'workspace' | 'catalog'>, product: string, sku: string) => Promise<boolean>
}

interface Known {
  readonly alive: boolean
  readonly sid: string
  readonly layers: Layers
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
  /** Where records of others stand that came with it. */
  readonly beside?: readonly Placed[]
}

/** Our own field names are the columns of an edit. */
export const ownFields = identifierReader({
  mapping: Object.fromEntries(
    (['sku', 'gtin', 'mpn', 'brand', 'link'] as const).map((field) => [field, { field, reason: 'our own field name' }]),
  ),
})

/** A product made: of one that was deleted, `former` is what was known of it. */
export interface Made extends Placed {
  readonly former: Layers | null
}

/**
 * One that was deleted comes back with what is sent now, and with nothing that earlier edits said.
 * @returns null where its identifiers lead to products in a way that decides nothing
 */
export async function createProduct(
  scope: EditScope,
  cells: Readonly<Record<string, CellValue>>,
  ports: EditPorts,
): Promise<Made | { readonly exists: string } | null> {
  const ids = ownFields(cells)
  const anonymous = Object.values(ids).every((id) => id === null)
  const member = { sku: ids.sku, group: identifying(cells.item_group_id), cells }
  for (;;) {
    if (anonymous) {
      const made = productId(scope.workspace, scope.catalog, kinds.random, scope.seed ?? ports.randomId())
      const group = await groupOf(scope, { id: null, ...member }, ports)
      const own = { create: true, ifAbsent: true, fresh: true, ...group.says } as const
      const placed = await appendGrouped(
        scope,
        group,
        editRecord(scope, made.id, made.sid, { ...cells, ...group.renamed }, own),
        ports,
      )
      if (placed) return { ...placed, former: null }
      continue
    }
    const candidate = { seq: -1, rows: [], kind: 'single', cells, ids } as const
    const source = { workspace: scope.workspace, catalog: scope.catalog, source: 'api' }
    const resolution = await resolve([{ candidate, shared: null }], source, ports.identities, false)
    const [found] = resolution.found
    if (!found || found.product === null) return null
    // Refused at once, so that a create that makes nothing registers nothing; the worker judges those that race.
    const known = found.fresh ? null : await ports.known(scope.catalog, found.product)
    if (known?.alive) return { exists: found.product }
    const former = known?.layers ?? null
    const group = await groupOf(scope, { id: found.product, ...member }, ports)
    const whole = { ...cleared(former, 'api', cells), ...cells, ...group.renamed }
    const own = { create: true, ifAbsent: true, ...group.says } as const
    const record = editRecord(scope, found.product, found.sid, whole, own)
    const placed = await appendGrouped(scope, group, record, ports, resolution)
    if (placed) return { ...placed, former }
  }
}

/** @returns null where another has made known the same meanwhile: ask again who it is */
export async function appendGrouped(
  scope: EditScope,
  group: Group,
  record: Omit<BronzeRecord, 'at'>,
  ports: EditPorts,
  resolution?: Pick<Resolution, 'insert' | 'share' | 'gain'>,
): Promise<Placed | null> {
  const others = group.others.map(({ id, sid, cells, says }) => editRecord(scope, id, sid, cells, says))
  const register = async (tx: PoolClient) => {
    await ports.identities.insert(tx, scope.catalog, [...(resolution?.insert ?? []), ...group.insert(record.product)])
    await ports.identities.share(tx, scope.catalog, resolution?.share ?? [])
    await ports.identities.gain(tx, scope.catalog, [...(resolution?.gain ?? []), ...group.gain])
  }
  try {
    const placed = await afterRegister(ports, register, (tx) => appendAll([...others, record], ports, tx))
    const own = placed.at(-1)
    return own ? { ...own, beside: placed.slice(0, -1) } : null
  } catch (error) {
    if (ports.isUniqueViolation(error)) return null
    throw error
  }
}

/** A variant's share of an edit of its family's parent. */
export interface Inherits {
  readonly id: string
  readonly sid: string
  readonly cells: Readonly<Record<string, CellValue>>
}

/**
 * A partial edit: cells that are named change, `__CLEAR__` clears.
 * @param seen refused where a cell was changed since
 * @param heirs get records of their own in the same transaction
 * @returns where each record stands, the product's own first
 */
export async function editProduct(
  scope: EditScope,
  product: { id: string; sid: string },
  cells: Readonly<Record<string, CellValue>>,
  { seen, heirs = [] }: { seen?: Pick<Layers, 'epoch' | 'rev'> | undefined; heirs?: readonly Inherits[] },
  ports: EditPorts,
): Promise<Placed> {
  const judged = seen === undefined ? {} : { ifRev: seen.rev, ifEpoch: seen.epoch }
  const own = editRecord(scope, product.id, product.sid, cells, judged)
  const [placed] = await appendAll([own, ...heirs.map((heir) => inheriting(scope, heir))], ports)
  if (!placed) throw new Error('the log gave no offset')
  return placed
}

/** What variants take of an edit that was judged already. */
export const editHeirs = (scope: EditScope, heirs: readonly Inherits[], ports: EditPorts): Promise<Placed[]> =>
  appendAll(
    heirs.map((heir) => inheriting(scope, heir)),
    ports,
  )

/** The row of no file: a later edit of the parent finds by it which cells are the variant's own. */
export const inheriting = (scope: EditScope, { id, sid, cells }: Inherits) =>
  editRecord(scope, id, sid, cells, { inherited: { row: familyRow, columns: Object.keys(cells) } })

/** An edit's record: our own field names as columns. */
export function editRecord(
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

/** @returns where each record stands, in their order */
export async function appendAll(
  records: readonly Omit<BronzeRecord, 'at'>[],
  ports: EditPorts,
  tx?: PoolClient,
): Promise<Placed[]> {
  const at = ports.now().toISOString()
  const values = records.map((record) => ({
    key: record.product,
    value: JSON.stringify({ ...record, at } satisfies BronzeRecord),
  }))
  const ranges = await ports.log.append(topics.bronze, values, tx)
  const offsets = Map.groupBy(ranges, ({ partition }) => partition)
  const next = new Map([...offsets].map(([partition, own]) => [partition, offsetsIn(own)]))
  return records.map(({ product }) => {
    const partition = ports.log.partitionOf(product)
    const offset = next.get(partition)?.next().value
    if (offset === undefined) throw new Error('the log gave no offset')
    return { product, partition, offset }
  })
}

function* offsetsIn(ranges: readonly OffsetRange[]): Generator<number> {
  for (const { from, to } of ranges) for (let offset = from; offset < to; offset++) yield offset
}
