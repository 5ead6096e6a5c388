/** What a variant must be told anew, so that it has what its parent has and no source of its own says: where another file tells the parent. */
import {
  type Cells,
  type CellValue,
  clearWord,
  familyRow,
  familySource,
  type ImportContext,
  type Layers,
  type SilverSettings,
} from '../../schemas/pipeline.ts'
import type { Field, RefinedProduct } from '../../schemas/product.ts'
import { axisNames } from '../silver/option-axes.ts'
import { optionField } from '../silver/variants.ts'
import { cellsOfProduct } from '../versions/cells-of-product.ts'
import { spelledAddress } from '../versions/spelling.ts'
import { isClear, sameValue } from './cell-value.ts'
import { targetsOf } from './column-targets.ts'
import { familyCells } from './joined.ts'
import { type LayerFields, layerFields } from './layer-fields.ts'
import { rawCells } from './raw-cells.ts'
import { winningCell } from './winning-cell.ts'

/** What tells variants apart is never the parent's; only what its options are of. */
const optionFields: readonly Field[] = ['color', 'size', 'material', 'pattern']

/** Fields that are told together: a source of the variant's own that says one of them says them all. */
const groups: readonly (readonly Field[])[] = [
  ['title'],
  ['description', 'short_description'],
  ['brand'],
  ['category'],
  ['google_product_category'],
  ['images', 'image'],
  ['link'],
  ['condition'],
  ['gender'],
  ['age_group'],
  ['price', 'sale_price', 'original_price', 'currency'],
  ...optionFields.map((field) => [field]),
]

export interface ReadBy {
  readonly contexts: (id: number) => ImportContext | undefined
  readonly settings: SilverSettings
}

export interface ToldParent {
  readonly layers: Layers
  /** null where silver has not seen it. */
  readonly refined: RefinedProduct | null
}

/**
 * @param parent null where there is none any more, or no other source tells it: then all is taken back
 * @returns cells of our own field names; empty where the variant has all as it should be
 */
export function cellsFromParent(
  variant: Pick<Layers, 'layers'>,
  options: Readonly<Record<string, string>>,
  parent: ToldParent | null,
  by: ReadBy,
): Cells {
  const taken: Record<string, CellValue> = {}
  if (parent === null) {
    for (const column in familyCells(variant)) taken[column] = clearWord
    return taken
  }
  const { layers, refined } = parent
  if (refined === null) return taken
  const live = fieldsOf(variant, by)
  const theirs = cellsOfParent(layers, refined, options)
  for (const group of groups) {
    if (isOwn(group, variant, live, by)) continue
    for (const field of group) {
      const present = winningCell(live, field)?.value
      const value = theirs[field]
      if (value === undefined) {
        if (present !== undefined && !isClear(present)) taken[field] = clearWord
      } else if (present === undefined || !sameValue(present, value)) taken[field] = value
    }
  }
  return taken
}

const fieldsOf = ({ layers }: Pick<Layers, 'layers'>, { contexts, settings }: ReadBy): LayerFields[] =>
  layers.flatMap((layer) =>
    layer.live ? layerFields(layer, (context) => targetsOf(layer.source, context, contexts, settings)) : [],
  )

/** A blank cell in a column of prices is a price that is missing; a file without such a column leaves it to the other. */
function isOwn(group: readonly Field[], variant: Pick<Layers, 'layers'>, live: readonly LayerFields[], by: ReadBy) {
  const own = live.some(
    ({ source, cells }) =>
      source !== familySource &&
      group.some((field) => {
        const cell = field === 'currency' ? undefined : cells.get(field)
        return cell !== undefined && cell.origin.row !== familyRow
      }),
  )
  return own || (group.includes('price') && variant.layers.some((layer) => hasColumn(layer, 'price', by)))
}

function hasColumn({ live, source, from }: Layers['layers'][number], field: Field, { contexts, settings }: ReadBy) {
  if (!live) return false
  return from.some(
    ({ context }) => context > 0 && [...targetsOf(source, context, contexts, settings).field.values()].includes(field),
  )
}

/** A link that the workspace's template made for the parent is where its variants are sold too. */
function cellsOfParent(layers: Layers, refined: RefinedProduct, options: Readonly<Record<string, string>>): Cells {
  const link = refined.link === null ? {} : { link: spelledAddress(refined.link) }
  const { color: _1, size: _2, material: _3, pattern: _4, ...cells } = cellsOfProduct(refined, 'parent')
  return { ...cells, ...link, ...axisCells(layers, options) }
}

/** What an option is of, where its own file does not name it. */
function axisCells(parent: Layers, options: Readonly<Record<string, string>>): Cells {
  const cells: Record<string, CellValue> = {}
  for (const [axis, column] of Object.entries(axisNames)) {
    const value = options[axis]
    if (value === undefined) continue
    const name = rawCells(parent)[column]
    const field = typeof name === 'string' ? optionField(name) : undefined
    if (field !== undefined) cells[field] = value
  }
  return cells
}
