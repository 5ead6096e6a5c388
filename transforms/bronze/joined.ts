/** Families that two sources tell together: whether a product is the parent of one, and what a product has from such a parent. */
import { type Cells, familySource, type Layers } from '../../schemas/pipeline.ts'
import { lists } from './alive.ts'
import { isClear } from './cell-value.ts'

/** Whether several sources have the parent, so that one may tell of it what another's variants lack. */
export const isJoined = ({ kind, layers }: Layers): boolean => kind === 'parent' && layers.filter(lists).length > 1

/** What a product has from such a parent now. */
export function familyCells({ layers }: Pick<Layers, 'layers'>): Cells {
  const layer = layers.find(({ source }) => source === familySource)
  return layer ? Object.fromEntries(Object.entries(layer.cells).filter(([, value]) => !isClear(value))) : {}
}

/** Whether its family is to be looked after; nearly every product has one layer, and then it is not. */
export const isOfJoined = (layers: Layers): boolean =>
  layers.layers.length > 1 && (isJoined(layers) || Object.keys(familyCells(layers)).length > 0)
