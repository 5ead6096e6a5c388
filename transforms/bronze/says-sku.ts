/** Whether any source of a product says a SKU, now or in memory: then the SKU is not free. */
import type { CellValue, ImportContext, Layers, SilverSettings } from '../../schemas/pipeline.ts'
import { readIdentifier } from '../silver/text.ts'
import { targetsOf } from './column-targets.ts'
import { placeOf } from './place.ts'

/** Layers that were withdrawn and values of voided imports count: they can come back. */
export function saysSku(
  { layers }: Layers,
  sku: string,
  contexts: (id: number) => ImportContext | undefined,
  settings: SilverSettings,
): boolean {
  const says = (value: CellValue) =>
    typeof value === 'string' ? readIdentifier(value) === sku : value.some((one) => readIdentifier(one) === sku)
  return layers.some((layer) => {
    const isSku = (column: string, context: number) =>
      targetsOf(layer.source, context, contexts, settings).field.get(column) === 'sku'
    const now = Object.entries(layer.cells).some(
      ([column, value]) => says(value) && isSku(column, placeOf(layer, column).context),
    )
    return (
      now ||
      Object.entries(layer.ghosts ?? {}).some(([column, known]) =>
        known.some(([json, { context }]) => says(JSON.parse(json)) && isSku(column, context)),
      )
    )
  })
}
