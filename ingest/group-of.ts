/** The family of a product that names its group (KF-23): that of the group's parent; else the first of a group is a single, and the second makes both variants of a parent. */
import type { Gained, IdentityRow } from '../infra/catalog/identities.ts'
import type { BronzeRecord, CellValue, Layers } from '../schemas/pipeline.ts'
import { familyFields } from '../transforms/bronze/inherits.ts'
import type { EditPorts, EditScope } from './edit.ts'
import { identifying, kinds, productId, unit } from './identifiers.ts'
import { ofFirst, ofGroup, ofSku } from './known-groups.ts'

type Cells = Readonly<Record<string, CellValue>>
type Says = Pick<BronzeRecord, 'kind' | 'family'>

export interface Group {
  /** What the product is in it. */
  readonly says: Says
  /** Of others: the parent, and the one that was alone in the group until now. */
  readonly others: readonly {
    readonly id: string
    readonly sid: string
    readonly cells: Cells
    readonly says: Says & Pick<BronzeRecord, 'create' | 'regroups'> & Partial<Pick<BronzeRecord, 'source'>>
  }[]
  /** What the group leads to from now on. */
  insert(product: string): readonly IdentityRow[]
  readonly gain: readonly Gained[]
}

/** A product that names a group. */
export interface Member {
  /** null: it has yet to be made. */
  readonly id: string | null
  readonly sku: string | null
  readonly group: string | null
  /** What a parent that is made for it has from it. */
  readonly cells: Cells
  /** More follow it into the group: it has a parent at once. */
  readonly several?: boolean
  /** In which a layer may name its group, where that is not our own name alone. */
  readonly columns?: readonly string[]
}

/** What is known of a product that a group's name leads to. */
export type Known = NonNullable<Awaited<ReturnType<EditPorts['known']>>>

export interface GroupOfPorts extends Pick<EditPorts, 'known'>, Partial<Pick<EditPorts, 'exists'>> {
  readonly identities: Pick<EditPorts['identities'], 'find'>
}

const alone: Group = { says: { kind: 'single' }, others: [], insert: () => [], gain: [] }
const shared: readonly string[] = [...familyFields, 'image']

export async function groupOf(
  { workspace, catalog }: Pick<EditScope, 'workspace' | 'catalog'>,
  { id, sku, group, cells, several = false, columns = ownColumn }: Member,
  { identities, known, exists }: GroupOfPorts,
): Promise<Group> {
  const key = identifying(group ?? undefined)
  if (key === null) return alone
  const holders = await identities.find(catalog, [ofSku(key), ofGroup(key), ofFirst(key)])
  const holderOf = (of: Key) => holders.find(({ kind, hash }) => kind === of.kind && hash === of.hash)?.product
  const load = async (of: string | undefined) => (of === undefined || of === id ? null : known(catalog, of))
  // Made by a request at the same moment: it is there when the sink has come as far.
  const arrived = async (of: string | undefined) => {
    const now = await load(of)
    return now !== null || of === undefined || of === id || !(await exists?.(catalog, of)) ? now : load(of)
  }
  const row = (of: Key, product: string): IdentityRow => ({ ...of, product, shared: false, options: null })
  const [named, grouped, first] = [holderOf(ofSku(key)), holderOf(ofGroup(key)), holderOf(ofFirst(key))]
  const bearer = await arrived(named)
  if (named && isParent(bearer)) return { ...alone, says: { kind: 'variant', family: named } }
  const parent = await load(grouped)
  // What is known of neither is on its way.
  if (grouped && grouped !== id && (parent === null || isParent(parent)))
    return { ...alone, says: { kind: 'variant', family: grouped } }
  if (key === identifying(sku ?? undefined) || (id !== null && (named === id || grouped === id))) return alone

  const sibling = await arrived(first)
  const source = sibling?.alive ? aloneBy(sibling.layers, key, columns) : undefined
  const sells = named && bearer?.alive && bearer.layers.kind === 'single' ? { id: named, sid: bearer.sid } : null
  if (!sells && !several && (first === undefined || first === id))
    return { ...alone, insert: (product) => (first === undefined ? [row(ofFirst(key), product)] : []) }

  const made = productId(workspace, catalog, kinds.family, `api${unit}${key}${unit}parent`)
  const family = sells?.id ?? grouped ?? made.id
  const says = { kind: 'variant', family } as const
  const asParent = { kind: 'parent', family, create: true } as const
  const isNew = sells === null && grouped === undefined
  const isNamed = isNew && named === undefined
  const itself = sells
    ? { ...sells, cells: {} }
    : {
        ...{ id: family, sid: parent?.sid ?? made.sid },
        // What the feed calls the group is the SKU of its parent.
        cells: { ...sharedCells(cells), ...(isNamed && { sku: key }) },
      }
  return {
    says,
    others: [
      { ...itself, says: asParent },
      ...(first && sibling && source !== undefined
        ? [{ id: first, sid: sibling.sid, cells: {}, says: { ...says, source, regroups: true } as const }]
        : []),
    ],
    insert: () => [
      ...(grouped === undefined ? [row(ofGroup(key), family)] : []),
      ...(isNamed ? [row(ofSku(key), family)] : []),
    ],
    gain: isNamed ? [{ product: family, sku: ofSku(key).hash, options: null }] : [],
  }
}

interface Key {
  readonly kind: number
  readonly hash: string
}

const isParent = (one: Known | null) => one?.alive === true && one.layers.kind === 'parent'

const ownColumn: readonly string[] = ['item_group_id']

/** Who put a single into the group, and may take it out again; a later edit may have put it into another. */
function aloneBy({ kind, layers }: Layers, group: string, columns: readonly string[]): string | undefined {
  if (kind !== 'single') return undefined
  const edits = layers.find(({ source }) => source === 'api')
  const edited = edits?.cells.item_group_id
  if (edited !== undefined) return identifying(edited) === group ? edits?.source : undefined
  const names = ({ live, cells }: Layers['layers'][number]) =>
    live && columns.some((column) => identifying(cells[column]) === group)
  return layers.find(names)?.source
}

const sharedCells = (cells: Cells) =>
  Object.fromEntries(Object.entries(cells).filter(([column]) => shared.includes(column)))
