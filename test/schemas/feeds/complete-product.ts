/** A product that lacks nothing, for tests that take something away. */
import type { FeedProduct } from '../../../schemas/feeds/profile.ts'
import type { RefinedProduct } from '../../../schemas/product.ts'

export const complete: RefinedProduct = {
  sku: 'OS-1',
  sourceId: null,
  gtin: '9520000000080',
  mpn: null,
  brand: 'Lumo',
  title: 'Lumo oak stool for kitchen and bar',
  description: 'A sturdy stool of oiled oak that fits under any counter. '.repeat(10).trim(),
  link: 'https://shop.example.test/p/os-1',
  price: '79.00',
  salePrice: null,
  originalPrice: null,
  currency: 'EUR',
  salePriceEffectiveDate: null,
  unitPricingMeasure: null,
  unitPricingBaseMeasure: null,
  availability: 'in_stock',
  availabilityDate: null,
  quantity: 4,
  expirationDate: null,
  condition: 'new',
  categoryPath: ['Furniture', 'Stools'],
  googleProductCategory: '1463',
  images: ['a', 'b', 'c', 'd', 'e'].map((name) => `https://cdn.example.test/${name}.jpg`),
  itemGroupId: null,
  options: {},
  color: 'Oak',
  size: null,
  material: 'Wood',
  pattern: null,
  gender: null,
  ageGroup: null,
  weight: '4.5 kg',
  length: null,
  width: null,
  height: null,
  seoTitle: null,
  seoDescription: null,
  tags: [],
  attributes: { height: '70 cm' },
  defaulted: [],
}

/** When tests judge a product. */
export const judgedAt = '2026-11-28T12:00:00.000Z'

export const feedOf = (change: Partial<RefinedProduct> = {}, itemGroupId: string | null = null): FeedProduct => {
  const product = { ...complete, ...change }
  return { id: product.sku ?? 'product-id', itemGroupId, product, at: judgedAt }
}

/** Says nothing at all. */
export const bare: RefinedProduct = {
  ...complete,
  sku: null,
  gtin: null,
  brand: null,
  title: null,
  description: null,
  link: null,
  price: null,
  currency: null,
  availability: null,
  quantity: null,
  condition: null,
  categoryPath: [],
  googleProductCategory: null,
  images: [],
  color: null,
  material: null,
  weight: null,
  attributes: {},
}
