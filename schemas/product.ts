/** A product as the rest of Assay speaks of it: the fields a cell can be mapped to, and what silver makes of them. */
import { z } from 'zod'
import type { ImageFinding } from './image-check.ts'

export const availability = z.enum(['in_stock', 'out_of_stock', 'preorder', 'backorder'])
export type Availability = z.infer<typeof availability>

export const condition = z.enum(['new', 'refurbished', 'used'])
export type Condition = z.infer<typeof condition>

/** `parent` stands for a family and is refined, never graded and in no feed; "products" counts single + parent, "variants" single + variant. */
export const productKind = z.enum(['single', 'variant', 'parent'])
export type ProductKind = z.infer<typeof productKind>

export const stage = z.enum(['bronze', 'silver', 'gold'])
export type Stage = z.infer<typeof stage>

/**
 * Every target that a column can be mapped to. `list` takes all mapped columns of one layer in order; a `scalar` takes one
 * column, and two columns mapped to one scalar are refused (KF-05). `levels` takes the columns that somebody chose for it in
 * order, each a level of a path, and else one: a header that has several names for it means several things.
 */
export const fields = {
  sku: 'scalar',
  source_id: 'scalar',
  gtin: 'scalar',
  mpn: 'scalar',
  brand: 'scalar',
  title: 'scalar',
  description: 'scalar',
  short_description: 'scalar',
  link: 'scalar',
  price: 'scalar',
  sale_price: 'scalar',
  original_price: 'scalar',
  currency: 'scalar',
  sale_price_effective_date: 'scalar',
  sale_price_start_date: 'scalar',
  sale_price_end_date: 'scalar',
  unit_pricing_measure: 'scalar',
  unit_pricing_base_measure: 'scalar',
  availability: 'scalar',
  availability_date: 'scalar',
  quantity: 'scalar',
  track_stock: 'scalar',
  allow_backorder: 'scalar',
  expiration_date: 'scalar',
  condition: 'scalar',
  category: 'levels',
  google_product_category: 'scalar',
  image: 'scalar',
  images: 'list',
  item_group_id: 'scalar',
  options: 'scalar',
  color: 'scalar',
  size: 'scalar',
  material: 'scalar',
  pattern: 'scalar',
  gender: 'scalar',
  age_group: 'scalar',
  weight: 'scalar',
  weight_unit: 'scalar',
  dimensions: 'scalar',
  dimensions_unit: 'scalar',
  length: 'scalar',
  width: 'scalar',
  height: 'scalar',
  seo_title: 'scalar',
  seo_description: 'scalar',
  tags: 'scalar',
  attributes: 'scalar',
  deleted: 'scalar',
} as const satisfies Record<string, 'scalar' | 'list' | 'levels'>

export type Field = keyof typeof fields
export const fieldNames = Object.keys(fields) as readonly Field[]
export const isField = (name: string): name is Field => Object.hasOwn(fields, name)

/**
 * What silver makes of a product's cells. Money is decimal text with the digits of its currency; identifiers are text as
 * given (GTIN: only where valid); dates are ISO 8601; measures are a number and a unit, such as `1.5 kg`, or as given where they
 * could not be read so; null is "nothing known", never a default.
 */
export interface RefinedProduct {
  readonly sku: string | null
  readonly sourceId: string | null
  readonly gtin: string | null
  readonly mpn: string | null
  readonly brand: string | null
  readonly title: string | null
  readonly description: string | null
  readonly link: string | null
  /** What stands where a link should and is no address; absent where there is none such. */
  readonly refusedLink?: string
  /** The price asked without a sale. */
  readonly price: string | null
  /** Below `price`, in the same currency; what a buyer pays now. */
  readonly salePrice: string | null
  /** What stands where a sale price should and is none, above the price or in another currency, as `39.90 USD`; absent where there is none such. */
  readonly refusedSale?: string
  /** A former or list price that the source shows beside its price. */
  readonly originalPrice: string | null
  readonly currency: string | null
  /** When the sale price holds: two dates with a slash between, `..` where one is not known. A day that is the end is part of it. */
  readonly salePriceEffectiveDate: string | null
  readonly unitPricingMeasure: string | null
  readonly unitPricingBaseMeasure: string | null
  readonly availability: Availability | null
  /** From when a product on preorder or backorder ships. */
  readonly availabilityDate: string | null
  readonly quantity: number | null
  /** When the offer ends. */
  readonly expirationDate: string | null
  readonly condition: Condition | null
  readonly categoryPath: readonly string[]
  readonly googleProductCategory: string | null
  /** Repaired absolute addresses in order, each once; the first is the primary image. */
  readonly images: readonly string[]
  /** The first that stands where images should and is no address, where not one of them is; absent where there is none such. */
  readonly refusedImage?: string
  /** What checks found of those that a platform may refuse; absent where that is none, as of every product that no check has seen. */
  readonly imageFindings?: readonly ImageFinding[]
  readonly itemGroupId: string | null
  readonly options: Readonly<Record<string, string>>
  readonly color: string | null
  readonly size: string | null
  readonly material: string | null
  readonly pattern: string | null
  readonly gender: string | null
  readonly ageGroup: string | null
  readonly weight: string | null
  readonly length: string | null
  readonly width: string | null
  readonly height: string | null
  readonly seoTitle: string | null
  readonly seoDescription: string | null
  readonly tags: readonly string[]
  readonly attributes: Readonly<Record<string, unknown>>
  /** Fields whose value is a workspace default and not the product's own. */
  readonly defaulted: readonly Field[]
}

/** Of a product that no silver step has seen. */
export const unrefined: RefinedProduct = {
  sku: null,
  sourceId: null,
  gtin: null,
  mpn: null,
  brand: null,
  title: null,
  description: null,
  link: null,
  price: null,
  salePrice: null,
  originalPrice: null,
  currency: null,
  salePriceEffectiveDate: null,
  unitPricingMeasure: null,
  unitPricingBaseMeasure: null,
  availability: null,
  availabilityDate: null,
  quantity: null,
  expirationDate: null,
  condition: null,
  categoryPath: [],
  googleProductCategory: null,
  images: [],
  itemGroupId: null,
  options: {},
  color: null,
  size: null,
  material: null,
  pattern: null,
  gender: null,
  ageGroup: null,
  weight: null,
  length: null,
  width: null,
  height: null,
  seoTitle: null,
  seoDescription: null,
  tags: [],
  attributes: {},
  defaulted: [],
}
