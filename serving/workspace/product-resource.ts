/** The product as the API answers it: the contract's fields, then our additions. */
import { z } from 'zod'
import type { OptionAxis } from '../../infra/catalog/family-queries.ts'
import type { ProductRow } from '../../infra/catalog/product-queries.ts'
import type { Layers } from '../../schemas/pipeline.ts'
import { productKind, stage } from '../../schemas/product.ts'
import { feedReadyFrom, score, type Weights } from '../../schemas/score.ts'
import { newestSource, rawCells } from '../../transforms/bronze/raw-cells.ts'
import { ownValues } from '../../transforms/own-values.ts'

const text = z.string().nullable()
const amount = z.number().nullable()

export const productResource = z.object({
  id: z.uuid(),
  workspaceId: z.string(),
  title: text,
  price: amount,
  currency: text,
  availability: text,
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  catalogId: z.uuid(),
  description: text,
  brand: text,
  categoryPath: z.array(z.string()),
  originalPrice: amount,
  primaryImageUrl: text,
  sku: text,
  gtin: text,
  attributes: z.record(z.string(), z.unknown()),
  optimizationScore: z.int().min(0).max(100).nullable(),
  feedReady: z.boolean(),
  createdBy: text,
  brandId: z.uuid(),
  kind: productKind,
  familyId: z.uuid().nullable(),
  stage,
  sourceIdentifier: z.string(),
  salePrice: amount,
  link: text,
  mpn: text,
  condition: text,
  quantity: z.number().nullable(),
  images: z.array(z.string()),
  options: z.record(z.string(), z.string()),
  itemGroupId: text,
  googleProductCategory: text,
  color: text,
  size: text,
  material: text,
  /** Of a parent: what tells its variants apart. */
  optionAxes: z.array(z.object({ name: z.string(), values: z.array(z.string()) })),
  /** Refined before its newest cells, or before the settings of now. */
  stale: z.boolean(),
  /** In bronze: the newest cell of each column, and who said the last of them. */
  raw: z.record(z.string(), z.union([z.string(), z.array(z.string())])).nullable(),
  source: text,
  /** What is held to be the same thing; `…/catalogs/{catalogId}/duplicates/{groupId}` says why. */
  duplicateGroup: z.uuid().nullable(),
})
export type ProductResource = z.infer<typeof productResource>

/** Money is decimal text inside and a JSON number here. */
const number = (decimal: string | null) => (decimal === null ? null : Number(decimal))

const rawOf = (layers: Layers) =>
  Object.fromEntries(
    Object.entries(rawCells(layers)).map(([column, value]) => [column, typeof value === 'string' ? value : [...value]]),
  )

/** @param required bits of the profiles that a feed-ready product must pass @param axes of a parent's family */
export function toResource(
  row: ProductRow,
  weights: Weights,
  required: number,
  axes: readonly OptionAxis[] = [],
): ProductResource {
  // One that is read alone has its layers in every stage.
  const layers: Layers | null = row.stage === 'bronze' && row.layers !== null ? JSON.parse(row.layers.toString()) : null
  const refined = row.settings > 0
  const p = refined || layers === null ? row.refined : (ownValues(layers) ?? row.refined)
  const points = row.sub === null ? null : score(row.sub, weights)
  const valid = row.valid !== null && (row.valid & required) === required
  return {
    id: row.id,
    workspaceId: row.workspaceId,
    title: p.title,
    price: number(p.price),
    currency: p.currency,
    availability: p.availability,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    catalogId: row.catalogId,
    description: p.description,
    brand: p.brand,
    categoryPath: [...p.categoryPath],
    originalPrice: number(p.originalPrice),
    primaryImageUrl: p.images[0] ?? null,
    sku: p.sku,
    gtin: p.gtin,
    attributes: { ...p.attributes },
    optimizationScore: points,
    feedReady: points !== null && points >= feedReadyFrom && valid,
    createdBy: row.createdBy,
    brandId: row.brandId,
    kind: row.kind,
    familyId: row.familyId,
    stage: row.stage,
    sourceIdentifier: row.sid,
    salePrice: number(p.salePrice),
    link: p.link,
    mpn: p.mpn,
    condition: p.condition,
    quantity: p.quantity,
    images: [...p.images],
    options: { ...p.options },
    itemGroupId: p.itemGroupId,
    googleProductCategory: p.googleProductCategory,
    color: p.color,
    size: p.size,
    material: p.material,
    optionAxes: axes.map(({ name, values }) => ({ name, values: [...values] })),
    stale: refined && (layers !== null || row.settings < (row.silverNumber ?? 0)),
    raw: layers && rawOf(layers),
    source: layers && newestSource(layers),
    duplicateGroup: row.duplicateGroup,
  }
}
