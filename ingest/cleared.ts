/** What a source said of a product before and says no more: cleared, where a record tells the product whole. */
import { type Cells, type CellValue, clearWord, type Layers } from '../schemas/pipeline.ts'
import { cellOf, isClear, setOwn } from '../transforms/bronze/cell-value.ts'

/** @returns a clear for each such cell; other sources' layers stay as they are */
export function cleared(
  layers: Pick<Layers, 'layers'> | null,
  source: string,
  cells: Cells,
): Record<string, CellValue> {
  const gone: Record<string, CellValue> = {}
  const former = layers?.layers.find((layer) => layer.source === source)
  for (const [name, value] of Object.entries(former?.cells ?? {}))
    if (cellOf(cells, name) === undefined && !isClear(value)) setOwn(gone, name, clearWord)
  return gone
}
