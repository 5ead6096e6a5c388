/** Puts products into the groups that their rows or messages name, or out of theirs: all of a batch at once. */
import type { Identities, IdentityRow } from '../infra/catalog/identities.ts'
import type { CellValue, Layers } from '../schemas/pipeline.ts'
import type { ProductKind } from '../schemas/product.ts'
import type { Candidate } from './candidate.ts'
import type { EditPorts } from './edit.ts'
import { type Group, type GroupOfPorts, groupOf, type Known } from './group-of.ts'
import { identityKey } from './identifiers.ts'
import type { Found, Resolution, ResolveScope } from './identity.ts'
import { ofFirst, ofGroup, ofSku } from './known-groups.ts'

export interface GroupReading {
  /** undefined where it speaks of no group, null where it leaves the product in none. */
  readonly named: (candidate: Candidate) => string | null | undefined
  /** What the product is that a candidate was found to be; undefined of one that is made now. */
  readonly kindOf: (product: string) => ProductKind | undefined
  readonly skuOf: (candidate: Candidate, product: string) => string | null
  /** Of our own field names: what a parent that is made for it has from it. */
  readonly texts: (candidate: Candidate) => Readonly<Record<string, CellValue>>
  /** Columns in which a layer may name its group. */
  readonly columns: readonly string[]
  /** Others may follow that nobody has seen yet, so that a group has a parent at once; else its second product makes one. */
  readonly atOnce: boolean
}

export interface GroupPorts {
  readonly identities: Pick<Identities, 'find'>
  readonly known: (catalog: string, products: readonly string[]) => Promise<ReadonlyMap<string, Known>>
  readonly exists?: EditPorts['exists']
}

/** A parent stays what it is. */
export async function withGroups(
  resolution: Resolution,
  scope: ResolveScope,
  reading: GroupReading,
  ports: GroupPorts,
): Promise<Resolution> {
  const named = resolution.found.map((one) => nameOf(one, reading))
  if (named.every((name) => name === undefined)) return resolution
  const members = Map.groupBy(
    resolution.found.flatMap((one, at) => (typeof named[at] === 'string' ? [{ one, group: named[at] }] : [])),
    ({ group }) => group,
  )
  const groups = new Map<string, Group>()
  const insert: IdentityRow[] = []
  const asked = await askedAtOnce(resolution, [...members.keys()], scope, reading, ports)
  for (const [group, all] of members) {
    const products = new Set(all.map(({ one }) => one.product))
    const [first] = all
    if (!first?.one.product) continue
    const { candidate, product } = first.one
    const sku = reading.skuOf(candidate, product)
    const several = products.size > 1 || (reading.atOnce && sku !== group)
    const own = several ? { id: null, sku: null } : { id: product, sku }
    const member = { ...own, group, several, cells: reading.texts(candidate), columns: reading.columns }
    const found = await groupOf(scope, member, asked)
    groups.set(group, found)
    insert.push(...found.insert(product))
  }
  const made = [...groups.values()]
  const parents = new Set(
    made.flatMap(({ others }) => others.flatMap(({ id, says }) => (says.kind === 'parent' ? id : []))),
  )
  return {
    ...resolution,
    found: resolution.found.map((one, at) => {
      const name = named[at]
      if (name === undefined) return one
      const { says, renamed } = name === null ? inNone : (groups.get(name) ?? inNone)
      if (parents.has(one.product ?? '') || says.family === one.product) return one
      if (renamed === undefined || !reading.columns.includes('item_group_id')) return { ...one, says }
      return { ...one, says, candidate: { ...one.candidate, cells: { ...one.candidate.cells, ...renamed } } }
    }),
    insert: [...resolution.insert, ...insert],
    gain: [...resolution.gain, ...made.flatMap(({ gain }) => gain)],
    beside: made.flatMap(({ others }) => others),
  }
}

function nameOf({ product, candidate, same }: Found, reading: GroupReading): string | null | undefined {
  if (product === null || same || reading.kindOf(product) === 'parent') return undefined
  return reading.named(candidate)
}

const inNone: Pick<Group, 'says' | 'renamed'> = { says: { kind: 'single' } }

/** What the batch's groups lead to, with what the batch itself is about to make known. */
async function askedAtOnce(
  { found, insert }: Resolution,
  groups: readonly string[],
  { catalog, source }: Pick<ResolveScope, 'catalog' | 'source'>,
  reading: GroupReading,
  { identities, known, exists }: GroupPorts,
): Promise<GroupOfPorts> {
  const wanted = groups.flatMap((group) => [ofSku(group), ofGroup(group), ofFirst(group)])
  const rows = new Map<string, IdentityRow>()
  for (const row of [...(await identities.find(catalog, wanted)), ...insert]) rows.set(identityKey(row), row)
  const there = new Map(
    await known(catalog, [...new Set(wanted.flatMap((one) => rows.get(identityKey(one))?.product ?? []))]),
  )
  for (const { product, sid, fresh, candidate } of found) {
    if (product === null) continue
    const named = reading.named(candidate)
    const namesItself = typeof named === 'string' && named === reading.skuOf(candidate, product)
    const before = there.get(product)
    if (before ? !namesItself || before.layers.kind !== 'single' : !fresh) continue
    const layer = { source, live: true, created: false, cells: candidate.cells, from: [], by: {} }
    there.set(product, { alive: true, sid: before?.sid ?? sid, layers: { ...nothingYet, layers: [layer] } })
  }
  return {
    ...(exists ? { exists } : {}),
    identities: { find: async (_, asked) => asked.flatMap((one) => rows.get(identityKey(one)) ?? []) },
    known: async (_, product) => there.get(product) ?? (await known(catalog, [product])).get(product) ?? null,
  }
}

const nothingYet: Layers = { kind: 'single', family: null, epoch: 0, rev: 0, layers: [] }
