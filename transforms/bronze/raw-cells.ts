/** What the sources of a product say, column by column: shown where nobody has refined it yet. */
import { imageCheckSource } from '../../schemas/image-check.ts'
import type { Cells, CellValue, Layers, Origin } from '../../schemas/pipeline.ts'
import { isClear, setOwn } from './cell-value.ts'
import { isNewer, placeOf } from './place.ts'

/** The newest word on each column over all live layers; what is cleared is not there. */
export function rawCells({ layers }: Pick<Layers, 'layers'>): Cells {
  const newest = new Map<string, { readonly value: CellValue; readonly origin: Origin }>()
  for (const layer of layers) {
    if (!layer.live || layer.source === imageCheckSource) continue
    for (const [column, value] of Object.entries(layer.cells)) {
      const origin = placeOf(layer, column)
      const rival = newest.get(column)
      if (rival === undefined || isNewer(origin, rival.origin)) newest.set(column, { value, origin })
    }
  }
  const cells: Record<string, CellValue> = {}
  for (const [column, { value }] of newest) if (!isClear(value)) setOwn(cells, column, value)
  return cells
}

/** Who said the newest of them. */
export function newestSource({ layers }: Pick<Layers, 'layers'>): string | null {
  let newest: { readonly source: string; readonly origin: Origin } | null = null
  for (const { live, source, from } of layers) {
    if (!live || source === imageCheckSource) continue
    for (const origin of from) if (newest === null || isNewer(origin, newest.origin)) newest = { source, origin }
  }
  return newest?.source ?? null
}
