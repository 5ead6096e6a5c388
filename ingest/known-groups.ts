/** Groups of a feed that are named by the SKU of a parent in the catalog: they are that parent's, and no family of their own. */
import type { Identities } from '../infra/catalog/identities.ts'
import type { PresentProduct } from './edit-rows.ts'
import { kinds, tidy, unit, valueHash } from './identifiers.ts'
import type { Found, Resolution } from './identity.ts'

type Present = (ids: readonly string[]) => Promise<ReadonlyMap<string, PresentProduct>>

/** A parent that no row tells, and that is not known by its group yet. */
const keyOf = ({ candidate, fresh }: Found): string | null =>
  fresh && candidate.kind === 'parent' && candidate.rows.length === 0 && candidate.ids.family !== null
    ? tidy(candidate.ids.family.slice(candidate.ids.family.indexOf(unit) + 1))
    : null

/** The parent says nothing of itself in such a file; from now on the group leads to it. */
export async function withKnownGroups(
  resolution: Resolution,
  catalog: string,
  identities: Pick<Identities, 'find'>,
  present: Present,
): Promise<Resolution> {
  const hashes = new Map<string, Found>()
  for (const one of resolution.found) {
    const key = keyOf(one)
    if (key !== null) hashes.set(valueHash(kinds.sku, key), one)
  }
  if (hashes.size === 0) return resolution
  const asked = [...hashes.keys()].map((hash) => ({ kind: kinds.sku, hash }))
  const holders = await identities.find(catalog, asked)
  const there = await present(holders.map(({ product }) => product))
  const parents = new Map<string, PresentProduct>()
  for (const { hash, product } of holders) {
    const [made, known] = [hashes.get(hash)?.product, there.get(product)]
    if (made && known?.kind === 'parent' && known.alive) parents.set(made, known)
  }
  return {
    ...resolution,
    found: resolution.found.map((one) => {
      const known = parents.get(one.product ?? '')
      return known ? { ...one, product: known.id, sid: known.sid, fresh: false, same: true as const } : one
    }),
    insert: resolution.insert.map((row) => ({ ...row, product: parents.get(row.product)?.id ?? row.product })),
  }
}
