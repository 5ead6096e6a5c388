/** Whether a product is there at all: some source lists it, or a create made it, and nobody deleted it. */
import { imageCheckSource } from '../../schemas/image-check.ts'
import { familySource, type Layer, type Layers } from '../../schemas/pipeline.ts'
import { cellOf, isClear } from './cell-value.ts'
import { placeOf } from './place.ts'

/** What edits, checks and a family say counts, and keeps no product alive. */
const keepsNothingAlive = new Set(['api', imageCheckSource, familySource])

/** Whether a layer's source has the product, in contrast to knowing something of it. */
export const lists = ({ live, created, source }: Layer): boolean => live && (created || !keepsNothingAlive.has(source))

export const isAlive = (layers: Layers): boolean => layers.layers.some(lists) && !isDeleted(layers)

/**
 * Deleting through the API is an edit of our own field `deleted`, which no import overrides. A supplier's column that
 * happens to have that name deletes nothing.
 */
export function isDeleted(layers: Layers): boolean {
  const edits = layers.layers.find((layer) => layer.source === 'api')
  if (edits === undefined || !edits.live) return false
  const deleted = cellOf(edits.cells, 'deleted')
  return deleted !== undefined && !isClear(deleted) && placeOf(edits, 'deleted').context === 0
}
