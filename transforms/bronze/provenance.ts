/** Where each field of a product has its value from: the cell that won, what was made of it on the way, and the cells that lost. */
import type { CellValue, FieldCell, ImportContext, Layers, Origin, SilverSettings } from '../../schemas/pipeline.ts'
import { type Field, fieldNames, type RefinedProduct } from '../../schemas/product.ts'
import { refine } from '../silver/refine.ts'
import type { KnownCategories } from '../silver/taxonomy.ts'
import { type Step, stepsOf } from '../silver/trace.ts'
import { isClear } from './cell-value.ts'
import { targetsOf } from './column-targets.ts'
import { layerFields } from './layer-fields.ts'
import { mappingOf, setInSettings } from './mapping-of.ts'
import { mergedFields } from './merged-fields.ts'
import { isNewer } from './place.ts'
import { winningCell } from './winning-cell.ts'

type Contexts = (id: number) => ImportContext | undefined

export interface SaidCell {
  readonly source: string
  readonly column: string
  /** Why the column stands for the field; null where Assay wrote it itself. */
  readonly mapped: string | null
  readonly raw: CellValue
  readonly origin: Origin
  /** It clears the field. */
  readonly clears: boolean
}

export interface FieldProvenance {
  readonly field: Field
  /** As the refined product has it; null where nothing could be read, or nothing is known. */
  readonly value: unknown
  /** null where a setting of the workspace, or another field, gave the value. */
  readonly from: SaidCell | null
  readonly steps: readonly Step[]
  /** What other sources say, newest first. */
  readonly others: readonly SaidCell[]
}

/** What silver makes of each field; those without an entry only help to read another. */
export const refinedAs: Partial<Record<Field, (product: RefinedProduct) => unknown>> = {
  sku: (p) => p.sku,
  source_id: (p) => p.sourceId,
  gtin: (p) => p.gtin,
  mpn: (p) => p.mpn,
  brand: (p) => p.brand,
  title: (p) => p.title,
  description: (p) => p.description,
  link: (p) => p.link,
  price: (p) => p.price,
  sale_price: (p) => p.salePrice,
  original_price: (p) => p.originalPrice,
  currency: (p) => p.currency,
  sale_price_effective_date: (p) => p.salePriceEffectiveDate,
  unit_pricing_measure: (p) => p.unitPricingMeasure,
  unit_pricing_base_measure: (p) => p.unitPricingBaseMeasure,
  availability: (p) => p.availability,
  availability_date: (p) => p.availabilityDate,
  quantity: (p) => p.quantity,
  expiration_date: (p) => p.expirationDate,
  condition: (p) => p.condition,
  category: (p) => (p.categoryPath.length > 0 ? p.categoryPath : null),
  google_product_category: (p) => p.googleProductCategory,
  image: (p) => p.images[0] ?? null,
  images: (p) => (p.images.length > 0 ? p.images : null),
  item_group_id: (p) => p.itemGroupId,
  options: (p) => (Object.keys(p.options).length > 0 ? p.options : null),
  color: (p) => p.color,
  size: (p) => p.size,
  material: (p) => p.material,
  pattern: (p) => p.pattern,
  gender: (p) => p.gender,
  age_group: (p) => p.ageGroup,
  weight: (p) => p.weight,
  length: (p) => p.length,
  width: (p) => p.width,
  height: (p) => p.height,
  seo_title: (p) => p.seoTitle,
  seo_description: (p) => p.seoDescription,
  tags: (p) => (p.tags.length > 0 ? p.tags : null),
  attributes: (p) => (Object.keys(p.attributes).length > 0 ? p.attributes : null),
}

/** Fields that no source speaks of and that have no value are left out. */
export function provenanceOf(
  layers: Layers,
  contexts: (id: number) => ImportContext | undefined,
  settings: SilverSettings,
  taxonomy?: KnownCategories,
): FieldProvenance[] {
  const merged = mergedFields(layers, contexts, settings)
  const { product, warnings } = refine(merged, layers.kind, contexts, settings, taxonomy)
  const seen = layers.layers.flatMap((layer) =>
    layer.live ? layerFields(layer, (context) => targetsOf(layer.source, context, contexts, settings)) : [],
  )
  return fieldNames.flatMap((field) => {
    const winner = winningCell(seen, field)
    const others = seen.flatMap(({ cells }) => cells.get(field) ?? []).filter((one) => one !== winner)
    const value = refinedAs[field]?.(product) ?? null
    if (winner === undefined && value === null) return []
    const cell = winner === undefined || isClear(winner.value) ? null : winner
    const doubts = warnings.filter(
      (warning) => cell !== null && warning.field === field && warning.column === cell.column,
    )
    return {
      field,
      value,
      from: winner === undefined ? null : said(winner, contexts, settings),
      steps: stepsOf({ field, cell, value, product, merged, contexts, settings, doubts }),
      others: others.sort(newestFirst).map((one) => said(one, contexts, settings)),
    }
  })
}

const said = (cell: FieldCell, contexts: Contexts, settings: SilverSettings): SaidCell => ({
  source: cell.source,
  column: cell.column,
  mapped: mappedBy(cell, contexts, settings),
  raw: cell.value,
  origin: cell.origin,
  clears: isClear(cell.value),
})

function mappedBy({ source, column, field, origin }: FieldCell, contexts: Contexts, settings: SilverSettings) {
  if (origin.context === 0) return null
  if (mappingOf(settings, source)[column] === field) return setInSettings
  const context = contexts(origin.context)
  const reason = (context?.proposed ?? context?.mapping)?.[column]?.reason
  return reason ?? (context?.fills?.[column] === field ? 'its field is given by another column, which is blank' : null)
}

function newestFirst(a: FieldCell, b: FieldCell): number {
  if (isNewer(a.origin, b.origin)) return -1
  return isNewer(b.origin, a.origin) ? 1 : 0
}
