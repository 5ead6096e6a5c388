/** Leads groups and the product whose SKU names them to one parent, whichever came first: a parent is no product to sell beside its variants (KF-23). */
import type { Identities, IdentityRow } from '../infra/catalog/identities.ts'
import type { Candidate } from './candidate.ts'
import type { PresentProduct } from './edit-rows.ts'
import { identityKey, kinds, productId, unit, valueHash } from './identifiers.ts'
import type { Found, Resolution, ResolveScope } from './identity.ts'

type Present = (ids: readonly string[]) => Promise<ReadonlyMap<string, PresentProduct>>

/** Leads from the name of a group to its parent, whatever source told it. */
export const ofGroup = (group: string) => ({
  kind: kinds.family,
  hash: valueHash(kinds.family, `${unit}group${unit}${group}`),
})
/** Whoever was the first in a group that only edits, messages and pages name. */
export const ofFirst = (group: string) => ({
  kind: kinds.family,
  hash: valueHash(kinds.family, `api${unit}${group}${unit}first`),
})
/** The parent that is made for a group which no file tells: its name means the same to every source. */
export const madeFor = ({ workspace, catalog }: Pick<ResolveScope, 'workspace' | 'catalog'>, group: string) =>
  productId(workspace, catalog, kinds.family, `api${unit}${group}${unit}parent`)
export const ofSku = (sku: string) => ({ kind: kinds.sku, hash: valueHash(kinds.sku, sku) })

const isParent = (one: PresentProduct | undefined): one is PresentProduct => one?.kind === 'parent' && one.alive

/**
 * A group that the file makes is that of the product which has its name as a SKU; a single with such a SKU is that of a group which
 * is there. Of all others the file's groups are made known by their names.
 * @param empty the catalog has no identity at all
 * @param groupIn what a single that comes alone says of its group: one that names the group itself is a variant of it
 */
export async function withKnownGroups(
  resolution: Resolution,
  scope: Pick<ResolveScope, 'workspace' | 'catalog'>,
  identities: Pick<Identities, 'find'>,
  present: Present,
  empty: boolean,
  groupIn: (candidate: Candidate) => string | null | undefined = inNone,
): Promise<Resolution> {
  const made = resolution.found.filter(({ fresh, candidate }) => fresh && candidate.group !== undefined)
  const skus = empty
    ? []
    : resolution.found.filter((one) => isNewSku(one) && groupIn(one.candidate) !== one.candidate.ids.sku)
  if (made.length + skus.length === 0) return resolution
  const asked = [
    ...made.flatMap(({ candidate: { group } }) => (group ? [ofGroup(group.name), ofSku(group.name)] : [])),
    ...skus.map(({ candidate }) => ofGroup(candidate.ids.sku ?? '')),
  ]
  const holders = new Map(
    (empty ? [] : await identities.find(scope.catalog, asked)).map((row) => [identityKey(row), row]),
  )
  const holderOf = (of: { kind: number; hash: string }) => holders.get(identityKey(of))
  const there = await present([...new Set([...holders.values()].map(({ product }) => product))])

  const moved = new Map<string, PresentProduct>()
  const left = new Set<string>()
  const named = new Map<string, IdentityRow>()
  for (const { candidate, product } of made) {
    const { group, rows } = candidate
    if (!group || !product) continue
    const bySku = holderOf(ofSku(group.name))
    const bearer = bySku?.shared ? undefined : there.get(bySku?.product ?? '')
    // A variant has the group's name for itself, and a parent that has a row of its own is that row's product.
    if (!group.isVariant && rows.length === 0 && bearer?.alive && bearer.kind !== 'variant') {
      moved.set(product, bearer)
      if (bearer.kind === 'parent') left.add(product)
    }
    const name = ofGroup(group.name)
    const parent = there.get(holderOf(name)?.product ?? '')
    if (rows.length === 0 && isParent(parent) && parent.id === madeFor(scope, group.name).id) {
      moved.set(product, parent)
      left.add(product)
    }
    if (holderOf(name) === undefined)
      named.set(name.hash, { ...name, product: moved.get(product)?.id ?? product, shared: false, options: null })
  }
  for (const { candidate, product } of skus) {
    const parent = there.get(holderOf(ofGroup(candidate.ids.sku ?? ''))?.product ?? '')
    if (product && isParent(parent) && parent.product.sku === null) moved.set(product, parent)
  }
  const place = (row: IdentityRow) => ({ ...row, product: moved.get(row.product)?.id ?? row.product })
  return {
    ...resolution,
    found: resolution.found.map((one) => placed(one, moved.get(one.product ?? ''), left)),
    insert: [...resolution.insert.map(place), ...named.values()],
    gain: [
      ...resolution.gain,
      ...skus.flatMap(({ candidate, product }) => {
        const parent = moved.get(product ?? '')
        return parent ? [{ product: parent.id, sku: ofSku(candidate.ids.sku ?? '').hash, options: null }] : []
      }),
    ],
  }
}

const inNone = () => null
const isNewSku = ({ fresh, candidate: { kind, ids } }: Found) => fresh && kind === 'single' && ids.sku !== null

/** A parent that is there says nothing of itself in such a file; a product that was sold by itself is told that it is one. */
function placed(one: Found, known: PresentProduct | undefined, left: ReadonlySet<string>): Found {
  if (!known) return one
  const there = { ...one, product: known.id, sid: known.sid, fresh: false }
  if (left.has(one.product ?? '')) return { ...there, same: true as const }
  const sku = one.candidate.kind === 'parent' ? known.product.sku : one.candidate.ids.sku
  return sku === null ? there : { ...there, namesGroup: sku }
}
