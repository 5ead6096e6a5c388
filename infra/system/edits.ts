/** Edits through the API: appended, waited for, and passed on to a family's variants. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  appendAll,
  createProduct,
  type EditPorts,
  type EditScope,
  editHeirs,
  editProduct,
  ownFields,
  type Placed,
} from '../../ingest/edit.ts'
import { identityTexts, type Kind, kinds, tidy, valueHash } from '../../ingest/identifiers.ts'
import { ofGroup } from '../../ingest/known-groups.ts'
import { familyOf, groupNamed, type Regrouped, regroup } from '../../ingest/regroup.ts'
import { claimSku, releaseSku } from '../../ingest/sku-claims.ts'
import { type Cells, clearWord, type Layers, type Position } from '../../schemas/pipeline.ts'
import { topics } from '../../schemas/topics.ts'
import { cellOf, isClear } from '../../transforms/bronze/cell-value.ts'
import { products as topology } from '../../transforms/topology.ts'
import { cellsOfProduct } from '../../transforms/versions/cells-of-product.ts'
import { sinkPositions } from '../catalog/advance-position.ts'
import { presentProducts } from '../catalog/export-queries.ts'
import { identities } from '../catalog/identities.ts'
import type { Catalog } from '../catalog/postgres.ts'
import { loadProducts } from '../catalog/product-store.ts'
import { isUniqueViolation } from '../catalog/sql-errors.ts'
import type { Log } from '../log/port.ts'
import { arrivedProduct } from './arrived-product.ts'
import { emptied } from './emptied.ts'
import { deletedParents, heirsOf } from './heirs.ts'
import { skuStillSaid } from './sku-still-said.ts'

export type Settled =
  | { readonly kind: 'done' }
  | { readonly kind: 'late'; readonly position: Position }
  | { readonly kind: 'refused'; readonly code: RefusalCode; readonly says: string; readonly field?: string }
type RefusalCode = 'DATA_003' | 'DATA_004' | 'CONFLICT' | 'INVALID_REQUEST'

interface Named {
  readonly id: string
  readonly sid: string
}

type Seen = Pick<Layers, 'epoch' | 'rev'>

export interface Edits {
  create(scope: EditScope, cells: Cells): Promise<{ product: string; settled: Settled } | null>
  /** @param seen refused where a cell was changed since */
  edit(scope: EditScope, product: Named, cells: Cells, seen?: Seen): Promise<Settled>
  /** Takes a deletion back; of a variant also that of its parent. */
  undelete(scope: EditScope, product: Named & { readonly familyId: string | null }): Promise<Settled>
  /** The family of a group that products are about to be put into. @param like whose texts a parent has that is made for it */
  familyFor(scope: EditScope, group: string, like: string): Promise<string | undefined>
}

interface Parts {
  readonly catalog: Catalog
  readonly log: Log
  /** An edit's answer waits this long for the sink. */
  readonly settleWithinMs?: number
}

export function openEdits({ catalog, log, settleWithinMs = 10_000 }: Parts): Edits {
  const pool = catalog.pipeline
  const positions = () => sinkPositions(pool, topology.group, log.epoch, topics.bronze, log.partitions)
  const load = async (catalogId: string, product: string) =>
    (await loadProducts(pool, [{ catalog: catalogId, product }])).get(product)

  const ports: EditPorts = {
    pool,
    identities: identities(pool),
    log,
    inTransaction: catalog.inTransaction,
    isUniqueViolation,
    now: () => new Date(),
    randomId: randomUUID,
    known: async (id, product) => (await load(id, product)) ?? null,
    exists: arrivedProduct(pool, log, settleWithinMs),
    saysSku: skuStillSaid(pool),
  }

  async function passed(partition: number, offset: number): Promise<boolean> {
    for (const until = Date.now() + settleWithinMs; Date.now() < until; await sleep(10))
      if (((await positions())[partition] ?? 0) > offset) return true
    return false
  }

  async function settle(placed: Placed): Promise<Settled> {
    const { product, partition, offset, beside = [] } = placed
    for (const { partition, offset } of [placed, ...beside])
      if (!(await passed(partition, offset))) return { kind: 'late', position: { epoch: log.epoch, partition, offset } }
    const { rows } = await pool.query<{ code: RefusalCode; says: string }>(
      `select code, says from refused where epoch = $1 and partition = $2 and "offset" = $3 and product_id = $4
        union all
       select 'DATA_004', reason from dead_record where epoch = $1 and partition = $2 and "offset" = $3 and topic = $5`,
      [log.epoch, partition, offset, product, topics.bronze],
    )
    return rows[0] ? { kind: 'refused', ...rows[0] } : { kind: 'done' }
  }

  /** Which of the cells said that it is this product: the strongest that leads there. */
  async function sharedField(catalogId: string, product: string, cells: Cells): Promise<string | null> {
    const said = identityTexts(ownFields(cells), 'api').map(({ kind, text }) => ({ kind, hash: valueHash(kind, text) }))
    const known = await ports.identities.find(catalogId, said)
    const found = said.find(({ kind, hash }) =>
      known.some((one) => one.kind === kind && one.hash === hash && one.product === product && !one.shared),
    )
    return (found && fieldOf[found.kind]) ?? null
  }

  async function append(scope: EditScope, product: Named, cells: Cells, before: Layers, seen: Seen | undefined) {
    const heirs = await heirsOf(pool, scope, product.id, before, cells)
    const whole = seen === undefined || heirs.length === 0
    const settled = await settle(await editProduct(scope, product, cells, { seen, heirs: whole ? heirs : [] }, ports))
    if (settled.kind === 'refused' || heirs.length === 0) return settled
    // A precondition is judged first: variants must not take what was refused, or may yet be.
    if (settled.kind === 'late' && !whole) return settled
    const placed = whole
      ? heirs.map(({ id }) => ({ product: id, partition: log.partitionOf(id) }))
      : await editHeirs(scope, heirs, ports)
    const ends = await log.ends(topics.bronze)
    for (const partition of new Set(placed.map((one) => one.partition)))
      await passed(partition, (ends[partition] ?? 0) - 1)
    return settled
  }

  /** The parent of a group of that name, where it has no SKU: whoever had the name for one would stand in feeds beside the group. */
  async function parentNamed(catalogId: string, sku: string): Promise<string | null> {
    const [group] = await ports.identities.find(catalogId, [ofGroup(sku)])
    const parent = group && (await presentProducts(pool, catalogId, [group.product])).get(group.product)
    return parent?.alive && parent.kind === 'parent' && parent.product.sku === null ? parent.id : null
  }

  /** Who names a group goes into it, and who names none leaves the one it was in. @returns null where it stays what it is, as a parent does */
  async function movedBy(catalogId: string, product: Named, cells: Cells, sku: string | null) {
    if (cells.item_group_id === undefined) return null
    const now = (await presentProducts(pool, catalogId, [product.id])).get(product.id)
    const group = groupNamed(cells)
    if (!now || now.kind === 'parent' || (now.kind === 'variant' && now.product.itemGroupId === group)) return null
    const own = cellsOfProduct(now.product, now.kind)
    return { ...product, sku: sku ?? now.product.sku, group, cells: own } satisfies Regrouped
  }

  /** @param former the family that it was in: nobody may be left there */
  async function move(scope: EditScope, product: Regrouped, former: string | null): Promise<Settled> {
    const settled = await settle(await regroup(scope, product, ports))
    if (settled.kind !== 'done' || former === null) return settled
    for (const placed of await appendAll(await emptied(pool, scope, [former], ports.now()), ports)) await settle(placed)
    return settled
  }

  return {
    async create(scope, cells) {
      const { sku } = ownFields(cells)
      const parent = sku === null || groupNamed(cells) === sku ? null : await parentNamed(scope.catalog, sku)
      if (sku !== null && parent !== null) return { product: parent, settled: namesGroup(sku, parent) }
      const placed = await createProduct(scope, cells, ports)
      if (placed === null) return null
      const settled = 'exists' in placed ? thereAlready : await settle(placed)
      const product = 'exists' in placed ? placed.exists : placed.product
      if (settled.kind === 'done' && 'former' in placed && placed.former !== null)
        for (const sku of skusIn(placed.former)) await releaseSku(scope, product, sku, ports)
      if (settled.kind !== 'refused' || settled.code !== 'DATA_003') return { product, settled }
      const field = await sharedField(scope.catalog, product, cells)
      const says = `A product with this ${field ?? 'identity'} exists: ${product}`
      return { product, settled: { ...settled, says, ...(field && { field }) } }
    },
    async edit(scope, product, cells, seen) {
      const before = await load(scope.catalog, product.id)
      if (before === undefined) return { kind: 'refused', code: 'CONFLICT', says: 'The product is gone' }
      if (cells.currency !== undefined && cells.price === undefined && !priceIsEdited(before.layers))
        return { kind: 'refused', code: 'INVALID_REQUEST', says: 'The price is not an edit; send it with its currency' }
      const sku = cells.sku === undefined || isClear(cells.sku) ? null : tidy(cells.sku)
      const parent = sku === null ? null : await parentNamed(scope.catalog, sku)
      if (sku !== null && parent !== null && parent !== product.id) return namesGroup(sku, parent)
      if (sku !== null && !(await claimSku(scope, product.id, sku, ports)))
        return {
          kind: 'refused',
          code: 'DATA_003',
          says: `Another product of this catalog has the SKU ${sku}`,
          field: 'sku',
        }
      const moving = await movedBy(scope.catalog, product, cells, sku)
      const edited = await append(scope, product, cells, before.layers, seen)
      const settled = moving && edited.kind !== 'refused' ? await move(scope, moving, before.layers.family) : edited
      if (cells.sku !== undefined && settled.kind !== 'late')
        for (const one of new Set([...skusIn(before.layers), ...(sku === null ? [] : [sku])]))
          await releaseSku(scope, product.id, one, ports)
      return settled
    },
    async undelete(scope, product) {
      const before = await load(scope.catalog, product.id)
      if (before === undefined) return { kind: 'refused', code: 'CONFLICT', says: 'The product is gone' }
      // First: who asks again after a crash finds the variant gone, and both come.
      for (const parent of await deletedParents(pool, scope.catalog, { id: product.id, family: product.familyId })) {
        const settled = await settle(await editProduct(scope, parent, { deleted: clearWord }, {}, ports))
        if (settled.kind !== 'done') return settled
      }
      return append(scope, product, { deleted: clearWord }, before.layers, undefined)
    },
    async familyFor(scope, group, like) {
      const its = (await presentProducts(pool, scope.catalog, [like])).get(like)
      return familyOf(scope, group, its ? cellsOfProduct(its.product, its.kind) : {}, ports)
    },
  }
}

const namesGroup = (sku: string, parent: string): Settled => ({
  ...{ kind: 'refused', code: 'DATA_003', field: 'sku' },
  says: `A group of this catalog is named ${sku}, and a product with this SKU would stand beside it: product ${parent} is its parent and may have it`,
})

const thereAlready: Settled = { kind: 'refused', code: 'DATA_003', says: 'a product with this identity exists' }

/** The field of a body by which an identifier came. */
const fieldOf: Partial<Record<Kind, string>> = {
  [kinds.sku]: 'sku',
  [kinds.gtin]: 'gtin',
  [kinds.mpnBrand]: 'mpn',
  [kinds.url]: 'link',
}

/** An amount takes its currency from its own layer alone (DESIGN 5.4). */
function priceIsEdited({ layers }: Layers): boolean {
  const edits = layers.find((layer) => layer.source === 'api' && layer.live)
  const price = edits && cellOf(edits.cells, 'price')
  return price !== undefined && !isClear(price)
}

/** SKUs that edits have given: only these can be free once another edit gives another. */
function skusIn({ layers }: Layers): string[] {
  const edited = layers.find((layer) => layer.source === 'api')?.cells.sku
  const sku = edited === undefined || isClear(edited) ? null : tidy(edited)
  return sku === null ? [] : [sku]
}
