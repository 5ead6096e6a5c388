/** A published product as search answers it: the product resource, without what only the working catalog has. */
import { z } from 'zod'
import type { PublishedProduct } from '../../infra/catalog/published-products.ts'
import { productKind } from '../../schemas/product.ts'
import { feedReadyFrom, score, type Weights } from '../../schemas/score.ts'
import { rubricVersion } from '../../transforms/gold/rubric.ts'
import { exampleIds } from '../workspace/examples.ts'

const text = z.string().nullable()
const amount = z.number().nullable()

export const publishedResource = z.object({
  id: z.uuid(),
  catalogId: z.uuid(),
  brandId: z.uuid(),
  kind: productKind,
  familyId: z.uuid().nullable(),
  title: text,
  description: text,
  brand: text,
  price: amount,
  salePrice: amount,
  originalPrice: amount,
  currency: text,
  salePriceEffectiveDate: text,
  availability: text,
  availabilityDate: text,
  condition: text,
  quantity: z.number().nullable(),
  link: text,
  primaryImageUrl: text,
  images: z.array(z.string()),
  categoryPath: z.array(z.string()),
  googleProductCategory: text,
  sku: text,
  gtin: text,
  mpn: text,
  itemGroupId: text,
  options: z.record(z.string(), z.string()),
  color: text,
  size: text,
  material: text,
  pattern: text,
  gender: text,
  ageGroup: text,
  weight: text,
  tags: z.array(z.string()),
  attributes: z.record(z.string(), z.unknown()),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  /** Only for who has a key or a token. */
  optimizationScore: z.int().min(0).max(100).nullable(),
  feedReady: z.boolean(),
})
export type PublishedResource = z.infer<typeof publishedResource>

export const publishedFields = Object.keys(publishedResource.shape) as readonly (keyof PublishedResource)[]
export type PublishedField = keyof PublishedResource
/** What says how good a product is said to be is the brand's own affair. */
export const ownFields: ReadonlySet<PublishedField> = new Set(['optimizationScore', 'feedReady'])

export const examplePublished: PublishedResource = {
  ...{
    id: exampleIds.productId,
    catalogId: exampleIds.catalogId,
    brandId: exampleIds.brandId,
    kind: 'single',
    familyId: null,
  },
  ...{
    title: 'Enamel mug',
    description: 'A mug of enamelled steel.',
    brand: 'Lumo',
    price: 12.5,
    salePrice: null,
    originalPrice: null,
  },
  ...{
    currency: 'EUR',
    salePriceEffectiveDate: null,
    availability: 'in_stock',
    availabilityDate: null,
    condition: 'new',
    quantity: 7,
  },
  ...{
    link: 'https://shop.example/mug',
    primaryImageUrl: 'https://cdn.example/mug.jpg',
    images: ['https://cdn.example/mug.jpg'],
  },
  ...{
    categoryPath: ['Kitchen', 'Mugs'],
    googleProductCategory: '2169',
    sku: 'MUG-1',
    gtin: '4006381333931',
    mpn: null,
    itemGroupId: null,
  },
  ...{
    options: {},
    color: 'white',
    size: null,
    material: 'steel',
    pattern: null,
    gender: null,
    ageGroup: null,
    weight: '0.3 kg',
  },
  ...{ tags: [], attributes: {}, createdAt: '2026-11-27T10:00:00.000Z', updatedAt: '2026-11-28T09:30:00.000Z' },
  ...{ optimizationScore: 78, feedReady: true },
}

/** Money is decimal text inside and a JSON number here. */
const number = (decimal: string | null) => (decimal === null ? null : Number(decimal))
const instant = (text: string) => new Date(text).toISOString()

/** @param required bits of the platforms that a feed-ready product must be valid for */
export function publishedProduct(row: PublishedProduct, weights: Weights, required: number): PublishedResource {
  const p = row.product
  const points = row.sub === null ? null : score(row.sub, weights)
  const valid = row.rubric === rubricVersion && points !== null && points >= feedReadyFrom ? (row.valid ?? 0) : 0
  return {
    ...{ id: row.id, catalogId: row.catalog, brandId: row.brand, kind: row.kind, familyId: row.family },
    ...{ title: p.title, description: p.description, brand: p.brand },
    ...{ price: number(p.price), salePrice: number(p.salePrice), originalPrice: number(p.originalPrice) },
    ...{ currency: p.currency, salePriceEffectiveDate: p.salePriceEffectiveDate ?? null },
    ...{ availability: p.availability, availabilityDate: p.availabilityDate ?? null },
    ...{ condition: p.condition, quantity: p.quantity, link: p.link },
    ...{ primaryImageUrl: p.images[0] ?? null, images: [...p.images] },
    ...{ categoryPath: [...p.categoryPath], googleProductCategory: p.googleProductCategory },
    ...{ sku: p.sku, gtin: p.gtin, mpn: p.mpn, itemGroupId: p.itemGroupId, options: { ...p.options } },
    ...{ color: p.color, size: p.size, material: p.material, pattern: p.pattern ?? null },
    ...{ gender: p.gender ?? null, ageGroup: p.ageGroup ?? null, weight: p.weight },
    ...{ tags: [...p.tags], attributes: { ...p.attributes } },
    ...{ createdAt: instant(row.createdAt), updatedAt: instant(row.updatedAt) },
    optimizationScore: points,
    feedReady: required !== 0 && (valid & required) === required,
  }
}
