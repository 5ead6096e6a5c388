/** Puts the products of a file of edits into the groups that its rows name, or out of theirs. */
import type { IdentityRow } from '../infra/catalog/identities.ts'
import type { PresentProduct } from './edit-rows.ts'
import { type Group, groupOf } from './group-of.ts'
import { identifying } from './identifiers.ts'
import type { Found, Resolution, ResolveScope } from './identity.ts'
import type { ImportPorts } from './import-ports.ts'
import { groupNamed } from './regroup.ts'

type Ports = Pick<ImportPorts, 'identities'> & { readonly store: Pick<ImportPorts['store'], 'load'> }

/** A parent stays what it is; a group that nobody is in yet has a parent at once, since rows behind this one may name it too. */
export async function withGroups(
  resolution: Resolution,
  present: ReadonlyMap<string, PresentProduct>,
  scope: ResolveScope,
  { identities, store }: Ports,
): Promise<Resolution> {
  const known = async (catalog: string, product: string) => (await store.load(catalog, [product])).get(product) ?? null
  const groups = new Map<string, Group>()
  const insert: IdentityRow[] = []
  const found: Found[] = []
  for (const one of resolution.found) {
    const { product, candidate } = one
    const there = present.get(product ?? '')
    if (product === null || one.same || candidate.cells.item_group_id === undefined || there?.kind === 'parent') {
      found.push(one)
      continue
    }
    const name = groupNamed(candidate.cells)
    if (name === null || name === (identifying(candidate.cells.sku) ?? there?.product.sku)) {
      found.push({ ...one, says: { kind: 'single' } })
      continue
    }
    const group =
      groups.get(name) ??
      (await groupOf(
        scope,
        { id: null, sku: null, group: name, cells: candidate.cells, several: true },
        { identities, known },
      ))
    if (!groups.has(name)) insert.push(...group.insert(product))
    groups.set(name, group)
    found.push(group.says.family === product ? one : { ...one, says: group.says })
  }
  const made = [...groups.values()]
  return {
    ...resolution,
    found,
    insert: [...resolution.insert, ...insert],
    gain: [...resolution.gain, ...made.flatMap(({ gain }) => gain)],
    beside: made.flatMap(({ others }) => others),
  }
}
