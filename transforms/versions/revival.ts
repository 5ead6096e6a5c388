/** What brings a product back that is gone: its deletion is cleared, and where no source lists it any more it is made anew. */
import { type BronzeRecord, clearWord, type Layers } from '../../schemas/pipeline.ts'
import { isAlive } from '../bronze/alive.ts'

/** @param layers null: nothing was ever said of it */
export function revival(layers: Layers | null): Pick<BronzeRecord, 'create' | 'cells'> {
  const cells = { deleted: clearWord }
  if (layers === null) return { create: true, cells }
  const withoutEdits = layers.layers.map((layer) => {
    const { deleted: _, ...rest } = layer.cells
    return layer.source === 'api' ? { ...layer, cells: rest } : layer
  })
  return isAlive({ ...layers, layers: withoutEdits }) ? { cells } : { create: true, cells }
}
