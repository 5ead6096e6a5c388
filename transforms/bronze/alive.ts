/** Whether a product is there at all: some source lists it, or a create made it, and nobody deleted it. */
import { imageCheckSource } from '../../schemas/image-check.ts'
import type { Layer, Layers } from '../../schemas/pipeline.ts'
import { cellOf, isClear } from './cell-value.ts'
import { placeOf } from './place.ts'

/** What edits and checks say counts, and keeps no product alive. */
const keepsNothingAlive = new Set(['api', imageCheckSource])

/** Whether a source lists the product by this layer, or a create made it. */
export const isListing = ({ live, created, source }: Layer): boolean =>
  live && (created || !keepsNothingAlive.has(source))

export function isAlive(layers: Layers): boolean {
  return layers.layers.some(isListing) && !isDeleted(layers)
}

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
