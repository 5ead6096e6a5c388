/** The family of a product that is made through the API and names its group (KF-23): of the parent whose SKU that is, else the first is a single and the second makes both variants of a parent. */
import type { IdentityRow } from '../infra/catalog/identities.ts'
import { type BronzeRecord, type CellValue, clearWord, type Layers } from '../schemas/pipeline.ts'
import { familyFields } from '../transforms/bronze/inherits.ts'
import type { EditPorts, EditScope } from './edit.ts'
import { identifying, kinds, productId, unit, valueHash } from './identifiers.ts'

type Cells = Readonly<Record<string, CellValue>>

export interface Group {
  /** What the record of the product says. */
  readonly says: Pick<BronzeRecord, 'kind' | 'family'>
  /** Of others: the parent, and the one that was alone in the group until now. */
  readonly others: readonly {
    readonly id: string
    readonly sid: string
    readonly cells: Cells
    readonly says: Pick<BronzeRecord, 'kind' | 'family'>
  }[]
  /** What the group leads to from now on. */
  insert(product: string): readonly IdentityRow[]
}

const alone: Group = { says: { kind: 'single' }, others: [], insert: () => [] }
const shared: readonly string[] = [...familyFields, 'image']

export async function groupOf(
  { workspace, catalog }: Pick<EditScope, 'workspace' | 'catalog'>,
  cells: Cells,
  { identities, known }: Pick<EditPorts, 'identities' | 'known'>,
): Promise<Group> {
  const key = identifying(cells.item_group_id)
  if (key === null || key === identifying(cells.sku)) return alone
  // A key means something in its own source alone; a SKU in all of them.
  const texts = ['parent', 'first'].map((what) => `api${unit}${key}${unit}${what}`) as [string, string]
  const [ofParent, ofFirst] = texts.map((text) => ({ kind: kinds.family, hash: valueHash(kinds.family, text) })) as [
    Key,
    Key,
  ]
  const bySku = { kind: kinds.sku, hash: valueHash(kinds.sku, key) }
  const holders = await identities.find(catalog, [bySku, ofParent, ofFirst])
  const holderOf = ({ kind, hash }: Key) => holders.find((one) => one.kind === kind && one.hash === hash)?.product
  const load = async (id: string | undefined) => (id === undefined ? null : known(catalog, id))

  const named = holderOf(bySku)
  const bearer = await load(named)
  if (named && bearer?.alive && bearer.layers.kind === 'parent')
    return { ...alone, says: { kind: 'variant', family: named } }
  const first = holderOf(ofFirst)
  const row = (of: Key, product: string): IdentityRow => ({ ...of, product, shared: false, options: null })
  if (first === undefined) return { ...alone, insert: (product) => [row(ofFirst, product)] }

  const made = productId(workspace, catalog, kinds.family, texts[0])
  const family = holderOf(ofParent) ?? made.id
  const parent = await load(holderOf(ofParent))
  const says = { kind: 'variant', family } as const
  const sibling = await load(first)
  // What is known of neither is on its way.
  const isThere = holderOf(ofParent) !== undefined && parent?.alive !== false
  const back: Cells = parent?.alive === false ? { deleted: clearWord } : {}
  return {
    says,
    others: [
      ...(isThere
        ? []
        : [{ ...made, cells: { ...sharedCells(cells), ...back }, says: { kind: 'parent', family } as const }]),
      ...(sibling?.alive && isAloneIn(sibling.layers, key) ? [{ id: first, sid: sibling.sid, cells: {}, says }] : []),
    ],
    insert: () => (holderOf(ofParent) === undefined ? [row(ofParent, made.id)] : []),
  }
}

interface Key {
  readonly kind: number
  readonly hash: string
}

/** A later edit may have put it into another. */
const isAloneIn = ({ kind, layers }: Layers, group: string) =>
  kind === 'single' &&
  layers.some(({ source, cells }) => source === 'api' && identifying(cells.item_group_id) === group)
const sharedCells = (cells: Cells) =>
  Object.fromEntries(Object.entries(cells).filter(([column]) => shared.includes(column)))
