/** The family of a product that names its group (KF-23): that of the group's parent; else the first of a group is a single, and the second makes both variants of a parent. */
import type { Gained, IdentityRow } from '../infra/catalog/identities.ts'
import { type BronzeRecord, type CellValue, clearWord, type Layers } from '../schemas/pipeline.ts'
import { familyFields } from '../transforms/bronze/inherits.ts'
import { isOneByOne } from '../transforms/bronze/joined.ts'
import type { EditPorts, EditScope } from './edit.ts'
import { identifying } from './identifiers.ts'
import { madeFor, ofFirst, ofGroup, ofSku } from './known-groups.ts'

type Cells = Readonly<Record<string, CellValue>>
type Says = Pick<BronzeRecord, 'kind' | 'family'>

export interface Group {
  /** What the product is in it. */
  readonly says: Says
  /** Where the group has been given another name since: what the product's own cell is to say. */
  readonly renamed?: Cells
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
  scope: Pick<EditScope, 'workspace' | 'catalog'>,
  { id, sku, group, cells, several = false, columns = ownColumn }: Member,
  { identities, known, exists }: GroupOfPorts,
): Promise<Group> {
  const { catalog } = scope
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
    return { ...alone, says: { kind: 'variant', family: grouped }, ...renamedTo(parent, key) }
  if (key === identifying(sku ?? undefined) || (id !== null && (named === id || grouped === id))) return alone

  const sibling = await arrived(first)
  // A product with the group's name for its own SKU is a variant of it where it names the group itself.
  const siblings = [
    aloneIn(key, first, sibling, columns),
    first === named ? [] : aloneIn(key, named, bearer, columns),
  ].flat()
  const namesItself = siblings.some((one) => one.id === named)
  const isSold = bearer?.alive && bearer.layers.kind === 'single' && !namesItself
  const sells = named && isSold ? { id: named, sid: bearer.sid } : null
  if (!sells && !several && !namesItself && (first === undefined || first === id))
    return { ...alone, insert: (product) => (first === undefined ? [row(ofFirst(key), product)] : []) }

  const made = madeFor(scope, key)
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
      ...siblings.map(({ id, sid, source }) => ({
        ...{ id, sid, cells: {} },
        says: { ...says, source, regroups: true as const },
      })),
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

/** A single that names the group, by the source that put it there and may take it out again. */
function aloneIn(group: string, id: string | undefined, one: Known | null, columns: readonly string[]) {
  if (id === undefined || !one?.alive || one.layers.kind !== 'single') return []
  const { layers } = one.layers
  const names = ({ live, cells }: Layers['layers'][number]) =>
    live && columns.some((column) => identifying(cells[column]) === group)
  // A later edit may have put it into another.
  const edits = layers.find(({ source, cells }) => source === 'api' && cells.item_group_id !== undefined)
  const by = edits ? [edits].find(names) : layers.find(names)
  return by ? [{ id, sid: one.sid, source: isOneByOne(by.source) ? by.source : 'api' }] : []
}

/** What the feed calls a group is the SKU that an edit gave its parent. */
function renamedTo(parent: Known | null, key: string): Pick<Group, 'renamed'> {
  const sku = identifying(parent?.layers.layers.find(({ source }) => source === 'api')?.cells.sku)
  return sku === null || sku === key || sku === clearWord ? {} : { renamed: { item_group_id: sku } }
}

const sharedCells = (cells: Cells) =>
  Object.fromEntries(Object.entries(cells).filter(([column]) => shared.includes(column)))
