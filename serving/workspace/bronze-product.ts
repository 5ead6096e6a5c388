/** What a product shows whose newest cells no silver step has seen: its raw cells by column, and, made through the API, its own values. */
import type { CellValue, Layers } from '../../schemas/pipeline.ts'
import type { RefinedProduct } from '../../schemas/product.ts'
import { isClear } from '../../transforms/bronze/cell-value.ts'
import { mergedFields } from '../../transforms/bronze/merged-fields.ts'
import { isNewer, placeOf } from '../../transforms/bronze/place.ts'
import { ownContext } from '../../transforms/own-context.ts'
import { refine } from '../../transforms/silver/refine.ts'

export interface BronzeProduct {
  /** The newest cell of each column over all sources. */
  readonly raw: Readonly<Record<string, CellValue>>
  /** Who said the newest of them. */
  readonly source: string | null
  /** What it says of itself where a create made it. */
  readonly own: RefinedProduct | null
}

const noSettings = { number: 0, mappings: {}, currency: null, decimal: null, linkTemplate: null, condition: null }

export function bronzeProduct(layers: Layers): BronzeProduct {
  const newest = new Map<string, { value: CellValue; origin: ReturnType<typeof placeOf>; source: string }>()
  for (const layer of layers.layers) {
    if (!layer.live) continue
    for (const [column, value] of Object.entries(layer.cells)) {
      const cell = { value, origin: placeOf(layer, column), source: layer.source }
      const rival = newest.get(column)
      if (rival === undefined || isNewer(cell.origin, rival.origin)) newest.set(column, cell)
    }
  }
  const cells = [...newest.values()]
  const last = cells.length === 0 ? null : cells.reduce((a, b) => (isNewer(b.origin, a.origin) ? b : a))
  const made = layers.layers.filter((layer) => layer.live && layer.created)
  const own = { ...layers, layers: made }
  const context = (id: number) => (id === 0 ? ownContext : undefined)
  return {
    raw: Object.fromEntries([...newest].flatMap(([column, { value }]) => (isClear(value) ? [] : [[column, value]]))),
    source: last?.source ?? null,
    own:
      made.length === 0
        ? null
        : refine(mergedFields(own, context, noSettings), layers.kind, context, noSettings).product,
  }
}
