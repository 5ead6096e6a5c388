/** Families that two sources, or two files of one, tell together: whether a product is the parent of one, and what a product has from such a parent. */
import { type Cells, familySource, type Layers } from '../../schemas/pipeline.ts'
import { lists } from './alive.ts'
import { isClear } from './cell-value.ts'

/** Whether several files have the parent, so that one may tell of it what another's variants lack. */
export const isJoined = ({ kind, layers }: Layers): boolean =>
  kind === 'parent' &&
  (layers.filter(lists).length > 1 || layers.some(({ live, says }) => live && says?.told === 'apart'))

/** What a product has from such a parent now. */
export function familyCells({ layers }: Pick<Layers, 'layers'>): Cells {
  const layer = layers.find(({ source }) => source === familySource)
  return layer ? Object.fromEntries(Object.entries(layer.cells).filter(([, value]) => !isClear(value))) : {}
}

/** Whether its family is to be looked after; nearly every product has one layer, and then it is not. */
export const isOfJoined = (layers: Layers): boolean =>
  layers.kind === 'parent' ? isJoined(layers) : layers.layers.length > 1 && Object.keys(familyCells(layers)).length > 0
