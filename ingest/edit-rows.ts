/** Finds the product of each row of a file of edits, and what the row changes of it. */
import type { IdentityRow } from '../infra/catalog/identities.ts'
import type { Layers } from '../schemas/pipeline.ts'
import type { ProductKind, RefinedProduct } from '../schemas/product.ts'
import { isClear } from '../transforms/bronze/cell-value.ts'
import { exportCells, idColumn } from '../transforms/versions/export-row.ts'
import type { Candidate } from './candidate.ts'
import { changedCells } from './changed-cells.ts'
import { cleared } from './cleared.ts'
import { identifying, kinds, tidy, valueHash } from './identifiers.ts'
import { type Asked, type Found, type Resolution, type ResolveScope, resolve } from './identity.ts'
import type { ImportPorts } from './import-ports.ts'
import { ofGroup, withKnownGroups } from './known-groups.ts'
import { withGroups } from './named-groups.ts'
import { groupNamed } from './regroup.ts'
import { shownText } from './shown-text.ts'

export interface PresentProduct {
  readonly id: string
  readonly kind: ProductKind
  readonly alive: boolean
  readonly sid: string
  readonly product: RefinedProduct
  /** Of one that is gone: what was said of it. */
  readonly former: Layers | null
}

/**
 * `assay_id` is the first kind of identity: it decides alone, and where the catalog has no such product the row is rejected,
 * since an edit of nothing is none. A row without it goes by its other identifiers, and makes a product where none is known.
 */
export async function resolveEdits(
  asked: readonly Asked[],
  scope: ResolveScope,
  ports: Pick<ImportPorts, 'identities'> & { store: Pick<ImportPorts['store'], 'present' | 'load'> },
): Promise<Resolution> {
  const { identities, store } = ports
  const named = asked.filter(({ candidate }) => candidate.edits)
  const unnamed = asked.filter(({ candidate }) => !candidate.edits)
  const others = await withKnownGroups(
    await resolve(unnamed, scope, identities, false),
    scope,
    identities,
    (ids) => store.present(scope.catalog, ids),
    false,
    ({ cells }) => groupNamed(cells),
  )
  const known = others.found.flatMap(({ product, fresh }) => (product === null || fresh ? [] : [product]))
  const present = await store.present(scope.catalog, [...named.map(({ candidate }) => candidate.edits ?? ''), ...known])
  const found = [
    ...named.map(({ candidate }) => byId(candidate, present)),
    ...others.found.map((one) => byIdentifiers(one, present)),
  ].sort((a, b) => a.candidate.seq - b.candidate.seq)
  const claimed = await claimSkus(found, scope.catalog, { identities, store })
  const edits: Resolution = {
    found: claimed.found,
    insert: [...others.insert, ...claimed.insert],
    share: others.share,
    gain: [...others.gain, ...claimed.insert.map(({ product, hash }) => ({ product, sku: hash, options: null }))],
  }
  const reading = {
    named: ({ cells }: Candidate) => (cells.item_group_id === undefined ? undefined : groupNamed(cells)),
    kindOf: (product: string) => present.get(product)?.kind,
    skuOf: ({ cells }: Candidate, product: string) =>
      identifying(cells.sku) ?? present.get(product)?.product.sku ?? null,
    texts: ({ cells }: Candidate) => cells,
    columns: ['item_group_id'],
    atOnce: true,
  }
  return withGroups(edits, scope, reading, { identities, known: store.load })
}

const nothing = { sid: '', fresh: false, alone: null } as const

function byId(candidate: Found['candidate'], present: ReadonlyMap<string, PresentProduct>): Found {
  const there = present.get(candidate.edits ?? '')
  if (there?.alive)
    return changeOf(
      { ...nothing, candidate, product: there.id, sid: there.sid, alone: { product: there.id, gives: false } },
      there,
    )
  const says = `this catalog has no product ${candidate.edits}; to make new products of these rows, leave assay_id blank`
  return {
    ...nothing,
    candidate,
    product: null,
    refused: { code: 'unknown_id', says, column: idColumn, raw: candidate.edits ?? null },
  }
}

function byIdentifiers(found: Found, present: ReadonlyMap<string, PresentProduct>): Found {
  if (found.product === null) return found
  const there = found.fresh ? undefined : present.get(found.product)
  if (there?.alive) return changeOf(found, there)
  const { cells } = found.candidate
  const whole = { ...cleared(there?.former ?? null, 'api', cells), ...cells }
  return { ...found, candidate: { ...found.candidate, cells: whole }, create: true }
}

function changeOf(found: Found, { product, kind }: PresentProduct): Found {
  const cells = changedCells(found.candidate.cells, exportCells(product, kind))
  if (Object.keys(cells).length === 0) return { ...found, same: true }
  return { ...found, candidate: { ...found.candidate, cells } }
}

type ClaimPorts = Pick<ImportPorts, 'identities'> & { store: Pick<ImportPorts['store'], 'present'> }

/** A SKU that an edit gives is registered like any other, and refused where another product has it. */
async function claimSkus(found: readonly Found[], catalog: string, { identities, store }: ClaimPorts) {
  const wanted = found.flatMap((one) => {
    const { sku } = one.candidate.cells
    if (!one.candidate.edits || one.product === null || one.same || sku === undefined || isClear(sku)) return []
    const text = tidy(sku)
    return text === null ? [] : [{ one, text, product: one.product, hash: valueHash(kinds.sku, text) }]
  })
  const asked = wanted.map(({ hash }) => ({ kind: kinds.sku, hash }))
  const holders = new Map((await identities.find(catalog, asked)).map(({ hash, product }) => [hash, product]))
  const groups = await identities.find(
    catalog,
    wanted.map(({ text }) => ofGroup(text)),
  )
  const named = new Map(groups.map(({ hash, product }) => [hash, product]))
  const parents = await store.present(catalog, [...named.values()])
  const insert: IdentityRow[] = []
  const refused = new Map<Found, Found>()
  for (const { one, text, product, hash } of wanted) {
    const holder = holders.get(hash)
    if (holder === product) continue
    const parent = parents.get(named.get(ofGroup(text).hash) ?? '')
    if (parent?.alive && parent.kind === 'parent' && parent.product.sku === null && parent.id !== product) {
      const says = `a group of this catalog is named ${text}, beside which a product with this SKU would stand in feeds`
      refused.set(one, refusedSku(one, says, text))
      continue
    }
    if (holder === undefined) {
      holders.set(hash, product)
      insert.push({ kind: kinds.sku, hash, product, shared: false, options: null })
      continue
    }
    refused.set(one, refusedSku(one, `another product of this catalog has the SKU ${text}`, text))
  }
  return { found: found.map((one) => refused.get(one) ?? one), insert }
}

const refusedSku = ({ candidate }: Found, says: string, sku: string): Found => ({
  ...{ ...nothing, candidate, product: null },
  refused: { code: 'sku_taken', says, column: 'sku', raw: shownText(sku) },
})
