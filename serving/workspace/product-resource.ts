/** The product as the API answers it: the contract's fields, then our additions. */
import { z } from 'zod'
import type { OptionAxis } from '../../infra/catalog/family-queries.ts'
import type { ProductRow } from '../../infra/catalog/product-queries.ts'
import type { Layers } from '../../schemas/pipeline.ts'
import { productKind, stage } from '../../schemas/product.ts'
import { feedReadyFrom, score, type Weights } from '../../schemas/score.ts'
import { bronzeProduct } from './bronze-product.ts'

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
  /** It has cells that are newer than its values. */
  stale: z.boolean(),
  /** In bronze: the newest cell of each column, and who said the last of them. */
  raw: z.record(z.string(), z.union([z.string(), z.array(z.string())])).nullable(),
  source: text,
})
export type ProductResource = z.infer<typeof productResource>

/** Money is decimal text inside and a JSON number here. */
const number = (decimal: string | null) => (decimal === null ? null : Number(decimal))

const mutable = (value: string | readonly string[]) => (typeof value === 'string' ? value : [...value])

/** @param required bits of the profiles that a feed-ready product must pass @param axes of a parent's family */
export function toResource(
  row: ProductRow,
  weights: Weights,
  required: number,
  axes: readonly OptionAxis[] = [],
): ProductResource {
  const refined = row.settings > 0
  const bronze =
    row.stage === 'bronze' && row.layers ? bronzeProduct(JSON.parse(row.layers.toString()) as Layers) : null
  const p = refined ? row.refined : (bronze?.own ?? row.refined)
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
    createdBy: null,
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
    stale: bronze !== null && refined,
    raw: bronze && Object.fromEntries(Object.entries(bronze.raw).map(([column, value]) => [column, mutable(value)])),
    source: bronze?.source ?? null,
  }
}
