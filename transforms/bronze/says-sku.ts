/** Whether any source of a product says a SKU, under whatever column, now or in memory: then the SKU is not free. */
import type { CellValue, Layers } from '../../schemas/pipeline.ts'
import { readIdentifier } from '../silver/text.ts'

export function saysSku({ layers }: Layers, sku: string): boolean {
  const says = (value: CellValue) =>
    typeof value === 'string' ? readIdentifier(value) === sku : value.some((one) => readIdentifier(one) === sku)
  return layers.some(
    ({ cells, ghosts }) =>
      Object.values(cells).some(says) ||
      Object.values(ghosts ?? {}).some((known) => known.some(([json]) => says(JSON.parse(json)))),
  )
}
