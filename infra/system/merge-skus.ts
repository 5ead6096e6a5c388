/** Gives products the SKUs that a merge brings them: another's goes to none, unless that one leaves it in the same merge. */
import { randomUUID } from 'node:crypto'
import type { PoolClient } from 'pg'
import { kinds, valueHash } from '../../ingest/identifiers.ts'
import { releaseSku } from '../../ingest/sku-claims.ts'
import { insertFreeIdentity } from '../catalog/forks.ts'
import type { Identities } from '../catalog/identities.ts'
import { existingOf, type PlannedItem, type SkuItem, skuItems } from '../catalog/merge-items.ts'
import type { MergeRow } from '../catalog/merges.ts'
import type { Catalog } from '../catalog/postgres.ts'
import { skuStillSaid } from './sku-still-said.ts'

/** Who is to have a SKU, and who had it: null where nobody did. */
export interface Grant {
  readonly product: string
  readonly hash: string
  readonly from: string | null
}

interface Wish {
  readonly product: string
  readonly wanted: string
}

/** So many products that hand their SKUs on in one row are followed; who wants one beyond is refused, and comes up again. */
const followed = 10_000

const leftAlone = ({ has, was, wanted }: SkuItem) => has === was || has === wanted

/** By product: the SKU that edits and products that come back are to have. New ones are judged as any create is. */
export async function skuWishes(
  pool: Catalog['pipeline'],
  m: MergeRow,
  items: readonly PlannedItem[],
  back: ReadonlyMap<string, unknown>,
): Promise<Map<string, string | null>> {
  const edits = await skuItems(
    pool,
    m,
    items.map(({ product }) => product),
  )
  const wishes = new Map<string, string | null>()
  for (const { product, source } of items) if (back.has(product) && source?.sku) wishes.set(product, source.sku)
  for (const one of edits) if (one.wanted !== null) wishes.set(one.product, leftAlone(one) ? one.wanted : null)
  return wishes
}

/** Asked when the sink has passed all that is on the log. @returns those who can have what they want */
export async function grantSkus(
  pool: Catalog['pipeline'],
  identities: Identities,
  m: MergeRow,
  wishes: ReadonlyMap<string, string | null>,
): Promise<Grant[]> {
  const items = [...wishes].flatMap(([product, wanted]) => (wanted === null ? [] : [{ product, wanted }]))
  const holderOf = new Map<string, string | null>()
  /** Whether one can have it; or whom that depends on. */
  const ways = new Map<string, boolean | string>()
  let asked: readonly Wish[] = items
  for (let n = 0; asked.length > 0 && n < followed; n++) {
    const found = await identities.find(
      m.target,
      asked.map(({ wanted }) => ({ kind: kinds.sku, hash: hashOf(wanted) })),
    )
    const holders = new Map(found.map((one) => [one.hash, one]))
    const others = [...new Set(found.map(({ product }) => product))]
    const there = await existingOf(pool, m.target, others)
    const leaving = new Map((await skuItems(pool, m, others)).map((one) => [one.product, one]))
    const next: Wish[] = []
    for (const { product, wanted } of asked) {
      const holder = holders.get(hashOf(wanted))
      holderOf.set(product, holder?.product ?? null)
      if (holder === undefined || holder.product === product) ways.set(product, true)
      else if (holder.shared) ways.set(product, false)
      else if (!there.has(holder.product)) ways.set(product, true)
      else {
        const one = leaving.get(holder.product)
        const leaves = one !== undefined && one.wanted !== wanted && leftAlone(one)
        ways.set(product, leaves && (one.wanted === null || one.product))
        if (leaves && one.wanted !== null) next.push({ product: one.product, wanted: one.wanted })
      }
    }
    asked = [...new Map(next.map((one) => [one.product, one])).values()].filter(({ product }) => !ways.has(product))
  }
  return items
    .filter(({ product }) => canHave(ways, product))
    .map(({ product, wanted }) => ({ product, hash: hashOf(wanted), from: holderOf.get(product) ?? null }))
}

/** Products that hand theirs round in a ring can all have them. */
function canHave(ways: ReadonlyMap<string, boolean | string>, product: string): boolean {
  const seen = new Set<string>()
  for (let at = product; !seen.has(at); ) {
    seen.add(at)
    const way = ways.get(at) ?? false
    if (typeof way === 'boolean') return way
    at = way
  }
  return true
}

/** In the transaction of their records. @returns the products that have theirs now; who was quicker has the others */
export async function takeSkus(
  tx: PoolClient,
  identities: Identities,
  catalog: string,
  grants: readonly Grant[],
): Promise<Set<string>> {
  const taken: Grant[] = []
  // In the order of all who write identities.
  for (const one of [...grants].sort((a, b) => (a.hash < b.hash ? -1 : 1))) {
    const identity = { kind: kinds.sku, hash: one.hash }
    const has =
      one.from === null
        ? await insertFreeIdentity(tx, catalog, { ...identity, product: one.product, shared: false, options: null })
        : await identities.move(tx, catalog, identity, one.from, one.product)
    if (has) taken.push(one)
  }
  await identities.gain(
    tx,
    catalog,
    taken.map(({ product, hash }) => ({ product, sku: hash, options: null })),
  )
  return new Set(taken.map(({ product }) => product))
}

/** What nobody says any more is free, as after any edit. */
export async function releaseSkus(
  catalog: Pick<Catalog, 'pipeline' | 'inTransaction'>,
  identities: Identities,
  { workspace, target }: MergeRow,
  items: readonly PlannedItem[],
): Promise<void> {
  const { pipeline: pool, inTransaction } = catalog
  const scope = { workspace, catalog: target }
  const ports = { pool, identities, inTransaction, randomId: randomUUID, saysSku: skuStillSaid(pool) }
  for (const { product, fields, taken, source, target: was } of items)
    if (source && was?.sku && was.sku !== source.sku && [...fields, ...taken].includes('sku'))
      await releaseSku(scope, product, was.sku, ports)
}

const hashOf = (sku: string) => valueHash(kinds.sku, sku)
