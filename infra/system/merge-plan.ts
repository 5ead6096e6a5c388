/** Plans a merge page by page: what the source changed since both were one, and what of it the target contradicts. */
import { type Candidate, identifierReader } from '../../ingest/candidate.ts'
import { kinds, productId, unit, valueHash } from '../../ingest/identifiers.ts'
import { resolve } from '../../ingest/identity.ts'
import { cellsOfProduct } from '../../transforms/versions/cells-of-product.ts'
import { type Conflict, mergeProducts } from '../../transforms/versions/merge.ts'
import type { Identities } from '../catalog/identities.ts'
import {
  type AddedRow,
  addedPage,
  type MappedRow,
  type MergeItem,
  mappedPage,
  type TargetRow,
  takenTargets,
  targetRows,
} from '../catalog/merge-items.ts'
import type { MergeRow } from '../catalog/merges.ts'
import type { Catalog } from '../catalog/postgres.ts'

export interface PlanPlace {
  readonly phase: 'mapped' | 'parents' | 'added' | 'planned'
  readonly after: string | null
}

export type PlannedProduct = MergeItem & { readonly conflicts: readonly Conflict[] }

const pageRows = 500

/** Our own field names are the columns. */
export const identifiersOfCells = identifierReader({
  mapping: Object.fromEntries(
    (['sku', 'gtin', 'mpn', 'brand', 'link'] as const).map((field) => [field, { field, reason: 'our own field name' }]),
  ),
})

export async function planPage(
  pool: Catalog['pipeline'],
  identities: Identities,
  m: MergeRow,
  { phase, after }: PlanPlace,
): Promise<{ next: PlanPlace; items: PlannedProduct[]; seen: number }> {
  if (phase === 'mapped') {
    const rows = await mappedPage(pool, m, after, pageRows)
    const last = rows.at(-1)
    const next: PlanPlace = last ? { phase, after: last.place } : { phase: 'parents', after: null }
    return {
      next,
      items: await withoutStolenSkus(identities, m, rows.filter(({ changed }) => changed).map(mappedItem)),
      seen: rows.length,
    }
  }
  const rows = await addedPage(pool, m, phase === 'parents', after, pageRows)
  const last = rows.at(-1)
  const done: PlanPlace = { phase: phase === 'parents' ? 'added' : 'planned', after: null }
  return {
    next: last ? { phase, after: last.id } : done,
    items: await addedItems(pool, identities, m, rows),
    seen: rows.length,
  }
}

function mappedItem({ from, into, base, source, target, kind, family, sid, layers }: MappedRow): PlannedProduct {
  const { action, fields, conflicts } = mergeProducts(base, source, target)
  const { rev = null, epoch = null } = layers ?? {}
  const row = { product: into, from, kind: kind ?? 'single', family, sid: sid ?? '', rev, epoch, base, source, target }
  return { ...row, action, fields, conflicts }
}

/** A SKU that another product of the target has is not given to a second one unless somebody says so. */
async function withoutStolenSkus(
  identities: Identities,
  m: MergeRow,
  items: PlannedProduct[],
): Promise<PlannedProduct[]> {
  const hashOf = ({ fields, source }: PlannedProduct) =>
    fields.includes('sku') && source?.sku ? valueHash(kinds.sku, source.sku) : null
  const wanted = items.flatMap((item) => hashOf(item) ?? []).map((hash) => ({ kind: kinds.sku, hash }))
  if (wanted.length === 0) return items
  const holders = new Map((await identities.find(m.target, wanted)).map(({ hash, product }) => [hash, product]))
  return items.map((item) => {
    const holder = holders.get(hashOf(item) ?? '')
    if (holder === undefined || holder === item.product) return item
    const { base, source, target } = item
    const conflict = {
      field: 'sku',
      base: base?.sku ?? null,
      from: source?.sku ?? null,
      into: target?.sku ?? null,
    } as const
    const fields = item.fields.filter((field) => field !== 'sku')
    const action = fields.length > 0 ? item.action : 'none'
    return { ...item, action, fields, conflicts: [...item.conflicts, conflict] }
  })
}

/** A product that only the source has is the target's with the same identifier, where there is one; else a new one. */
async function addedItems(
  pool: Catalog['pipeline'],
  identities: Identities,
  m: MergeRow,
  rows: readonly AddedRow[],
): Promise<PlannedProduct[]> {
  if (rows.length === 0) return []
  const asked = rows.map((row) => {
    const cells = cellsOfProduct(row.refined, row.kind)
    const candidate: Candidate = { seq: -1, rows: [], kind: row.kind, cells, ids: identifiersOfCells(cells) }
    return { candidate, shared: null }
  })
  const scope = { workspace: m.workspace, catalog: m.target, source: `merge${unit}${m.source}` }
  const { found } = await resolve(asked, scope, identities, false)
  const known = found.flatMap(({ product }) => product ?? [])
  const [taken, targets] = [await takenTargets(pool, m, known), await targetRows(pool, m.target, known)]
  return rows.map((row, at) => {
    const one = found[at]
    const free = one?.product && !taken.has(one.product)
    const own = productId(m.workspace, m.target, kinds.random, `merge${unit}${row.id}`)
    const { id, sid } = free ? { id: one.product ?? own.id, sid: one.sid } : own
    taken.add(id)
    return addedItem(row, id, sid, free ? targets.get(id) : undefined)
  })
}

function addedItem(row: AddedRow, id: string, sid: string, there: TargetRow | undefined): PlannedProduct {
  const target = there?.alive ? there.refined : null
  const { action, fields, conflicts } = mergeProducts(null, row.refined, target)
  return {
    product: id,
    from: row.id,
    kind: row.kind,
    family: row.kind === 'parent' ? id : (there?.family ?? row.targetFamily),
    sid: there?.sid ?? sid,
    rev: there?.layers?.rev ?? null,
    epoch: there?.layers?.epoch ?? null,
    base: null,
    source: row.refined,
    target,
    action,
    fields,
    conflicts,
  }
}
