/** Whether a product is there at all: some source lists it, or a create made it, and nobody deleted it. */
import type { Layers } from '../../schemas/pipeline.ts'
import { cellOf, isClear } from './cell-value.ts'
import { placeOf } from './place.ts'

/** What edits and checks say counts, and keeps no product alive. */
const keepsNothingAlive = new Set(['api', 'check:images'])

export function isAlive(layers: Layers): boolean {
  const listed = layers.layers.some((layer) => layer.live && (layer.created || !keepsNothingAlive.has(layer.source)))
  return listed && !isDeleted(layers)
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
