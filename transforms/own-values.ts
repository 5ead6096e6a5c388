/** What a create through the API said, read by itself: shown of a product that silver has not seen (DESIGN 7). */
import type { Layers, SilverSettings } from '../schemas/pipeline.ts'
import type { RefinedProduct } from '../schemas/product.ts'
import { mergedFields } from './bronze/merged-fields.ts'
import { ownContext } from './own-context.ts'
import { refine } from './silver/refine.ts'

/** Nothing is filled in: that is silver's work. */
const bare: SilverSettings = {
  number: 0,
  mappings: {},
  currency: null,
  decimal: null,
  linkTemplate: null,
  condition: null,
}
const context = (id: number) => (id === 0 ? ownContext : undefined)

/** null where no create through the API stands behind the product. */
export function ownValues(layers: Layers): RefinedProduct | null {
  const own = layers.layers.filter(({ source, live, created }) => source === 'api' && live && created)
  if (own.length === 0) return null
  return refine(mergedFields({ ...layers, layers: own }, context, bare), layers.kind, context, bare).product
}
