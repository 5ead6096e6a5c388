/** The product as the API answers it: the contract's fields, then our additions. */
import { z } from 'zod'
import type { OptionAxis } from '../../infra/catalog/family-queries.ts'
import type { ProductRow } from '../../infra/catalog/product-queries.ts'
import { type Platform, platformNames } from '../../schemas/feeds/profile.ts'
import { platforms } from '../../schemas/feeds/registry.ts'
import type { Layers } from '../../schemas/pipeline.ts'
import { productKind, stage } from '../../schemas/product.ts'
import { feedReadyFrom, score } from '../../schemas/score.ts'
import { positionsOf } from '../../transforms/bronze/positions-of.ts'
import { newestSource, rawCells } from '../../transforms/bronze/raw-cells.ts'
import { rubricVersion } from '../../transforms/gold/rubric.ts'
import { ownValues } from '../../transforms/own-values.ts'
import type { WeightsInForce } from './product-ports.ts'

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
  pattern: text,
  gender: text,
  ageGroup: text,
  /** ISO 8601: a day, or a moment with its offset where the workspace has a time zone. */
  availabilityDate: text,
  /** When the sale price holds, as `start/end`; `..` for what is not known. */
  salePriceEffectiveDate: text,
  expirationDate: text,
  /** Measures are a number and a unit, such as `1.5 kg`. */
  unitPricingMeasure: text,
  unitPricingBaseMeasure: text,
  weight: text,
  length: text,
  width: text,
  height: text,
  seoTitle: text,
  seoDescription: text,
  tags: z.array(z.string()),
  /** As `feedReady`, for each platform by itself, whether or not the brand is configured for it. */
  feedReadyFor: z.object(
    Object.fromEntries(platformNames.map((name) => [name, z.boolean()])) as Record<Platform, z.ZodBoolean>,
  ),
  /** What anyone needs to make the score again; null where there is none. */
  scoredWith: z
    .object({
      rubricVersion: z.int(),
      weightsNumber: z.int(),
      settingsNumber: z.int(),
      /** Records that said the product's cells; only of one that is read alone. */
      /** Half of an odd number: a redriven message of a tenant's topic, which counts between two records. */
      positions: z.array(z.object({ epoch: z.int(), partition: z.int(), offset: z.number() })).nullable(),
    })
    .nullable(),
  /** Of a parent: what tells its variants apart. */
  optionAxes: z.array(z.object({ name: z.string(), values: z.array(z.string()) })),
  /** Refined before its newest cells, or before the settings or the rubric of now. */
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

/** With gold off a product keeps the score that it had, and is in silver. */
const gradedBefore = ({ stage, rubric }: ProductRow) => stage === 'gold' && rubric !== null && rubric < rubricVersion

const rawOf = (layers: Layers) =>
  Object.fromEntries(
    Object.entries(rawCells(layers)).map(([column, value]) => [column, typeof value === 'string' ? value : [...value]]),
  )

function scoredWith({ id, rubric, settings, layers }: ProductRow, number: number, place: PartitionOf | null) {
  if (rubric === null) return null
  const positions = layers && place ? positionsOf(JSON.parse(layers.toString())) : null
  return {
    ...{ rubricVersion: rubric, weightsNumber: number, settingsNumber: settings },
    positions: positions?.map(({ epoch, offset }) => ({ epoch, partition: place?.(id, epoch) ?? 0, offset })) ?? null,
  }
}

type PartitionOf = (product: string, epoch: number) => number

/** @param required bits of the platforms that a feed-ready product must be valid for @param axes of a parent's family @param place of one that is read alone */
export function toResource(
  row: ProductRow,
  { weights, number: weightsNumber }: WeightsInForce,
  required: number,
  axes: readonly OptionAxis[] = [],
  place: PartitionOf | null = null,
): ProductResource {
  // One that is read alone has its layers in every stage.
  const layers: Layers | null = row.stage === 'bronze' && row.layers !== null ? JSON.parse(row.layers.toString()) : null
  const refined = row.settings > 0
  const p = refined || layers === null ? row.refined : (ownValues(layers) ?? row.refined)
  const points = row.sub === null ? null : score(row.sub, weights)
  // What an older rubric said of platforms may be wrong by now.
  const valid = row.rubric === rubricVersion && points !== null && points >= feedReadyFrom ? (row.valid ?? 0) : 0
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
    feedReady: required !== 0 && (valid & required) === required,
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
    pattern: p.pattern ?? null,
    gender: p.gender ?? null,
    ageGroup: p.ageGroup ?? null,
    // Products that were refined before these were known have none.
    availabilityDate: p.availabilityDate ?? null,
    salePriceEffectiveDate: p.salePriceEffectiveDate ?? null,
    expirationDate: p.expirationDate ?? null,
    unitPricingMeasure: p.unitPricingMeasure ?? null,
    unitPricingBaseMeasure: p.unitPricingBaseMeasure ?? null,
    weight: p.weight,
    length: p.length ?? null,
    width: p.width ?? null,
    height: p.height ?? null,
    seoTitle: p.seoTitle,
    seoDescription: p.seoDescription,
    tags: [...p.tags],
    feedReadyFor: Object.fromEntries(platforms.map(({ platform, bit }) => [platform, (valid & bit) !== 0])) as Record<
      Platform,
      boolean
    >,
    scoredWith: scoredWith(row, weightsNumber, place),
    optionAxes: axes.map(({ name, values }) => ({ name, values: [...values] })),
    stale: refined && (layers !== null || row.settings < (row.silverNumber ?? 0) || gradedBefore(row)),
    raw: layers && rawOf(layers),
    source: layers && newestSource(layers),
    duplicateGroup: row.duplicateGroup,
  }
}
