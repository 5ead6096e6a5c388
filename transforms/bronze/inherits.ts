/** Which fields a variant takes from its family's parent, as far as its cells tell: what an edit of the parent passes on. */
import {
  familyRow,
  familySource,
  type ImportContext,
  type Layers,
  type Origin,
  type SilverSettings,
} from '../../schemas/pipeline.ts'
import type { Field } from '../../schemas/product.ts'
import { isClear, sameValue } from './cell-value.ts'
import { targetsOf } from './column-targets.ts'
import { type LayerFields, layerFields } from './layer-fields.ts'
import { samePlace } from './place.ts'
import { winningCell } from './winning-cell.ts'

/** What all variants of a family have in common unless they say otherwise. */
export const familyFields: readonly Field[] = [
  'title',
  'description',
  'brand',
  'category',
  'google_product_category',
  'images',
]

/** Never taken from another row: where they stand is the variant's own row. */
const ownFields: readonly Field[] = ['options', 'item_group_id', 'sku', 'price']

export interface Family {
  readonly parent: Layers
  /** No row of a file is the parent's own: it was made of its variants' cells, so equal values are the family's. */
  readonly made: boolean
  readonly contexts: (id: number) => ImportContext | undefined
  readonly settings: SilverSettings
}

const fieldsOf = (layers: Layers, { contexts, settings }: Family) =>
  layers.layers.flatMap((layer) =>
    layer.live ? layerFields(layer, (context) => targetsOf(layer.source, context, contexts, settings)) : [],
  )

/** Whether the variant's group is named for its parent, so that it is named anew with it: that of an edit only where it says the very SKU. */
export function groupFollows(variant: Layers, family: Family): boolean {
  const group = winningCell(fieldsOf(variant, family), 'item_group_id')
  const sku = winningCell(fieldsOf(family.parent, family), 'sku')
  if (group === undefined) return false
  const none = sku === undefined || isClear(sku.value)
  return none ? group.source !== 'api' || group.origin.row === familyRow : sameValue(sku.value, group.value)
}

/** @returns those of `wanted` for which the variant says nothing, or what it has from its family */
export function inheritedFields(variant: Layers, wanted: readonly Field[], family: Family): Field[] {
  const own = fieldsOf(variant, family)
  const parents = fieldsOf(family.parent, family)
  return wanted.filter((field) => {
    // Cleared cells count: a field that was cleared here is not the family's.
    const cell = winningCell(own, field)
    if (cell === undefined || cell.source === familySource) return true
    if (cell.source === 'api') return cell.origin.row === familyRow
    const theirs = parents.find(({ source }) => source === cell.source)?.cells.get(field)
    if (theirs === undefined || !sameValue(theirs.value, cell.value)) return false
    const layer = own.find(({ source }) => source === cell.source)
    return family.made || theirs.origin.row === cell.origin.row || !isOwnRow(layer, cell.origin)
  })
}

function isOwnRow(layer: LayerFields | undefined, origin: Origin): boolean {
  return ownFields.some((field) => {
    const cell = layer?.cells.get(field)
    return cell !== undefined && samePlace(cell.origin, origin)
  })
}
