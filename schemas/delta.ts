/** Changes of a catalog as they are sent: to which targets, what each asks of who registers a webhook, and how large one delivery is. */
import { z } from 'zod'

/** What a publish tells webhooks of a catalog. */
export const deltaEvent = 'catalog.delta'

export const deltaTargets = ['vtex', 'shopify', 'social', 'google', 'woocommerce', 'custom'] as const
export type DeltaTarget = (typeof deltaTargets)[number]

/** A request of so many bytes passes servers that are set up as they come. */
export const mostPartBytes = 1_000_000
/** What Meta advises; others are below their limits with it. */
export const mostPartProducts = 3_000

/** What a field of a custom shape may be filled from. */
export const customFields = [
  'id',
  'offer_id',
  'kind',
  'version',
  'created_at',
  'updated_at',
  'published_at',
  'sku',
  'gtin',
  'mpn',
  'brand',
  'title',
  'description',
  'link',
  'price',
  'price_minor',
  'sale_price',
  'sale_price_minor',
  'sale_price_effective_date',
  'original_price',
  'asked_price',
  'currency',
  'availability',
  'availability_date',
  'quantity',
  'condition',
  'category',
  'category_path',
  'google_product_category',
  'image',
  'images',
  'item_group_id',
  'options',
  'color',
  'size',
  'material',
  'pattern',
  'gender',
  'age_group',
  'weight',
  'length',
  'width',
  'height',
  'tags',
  'attributes',
] as const
export type CustomField = (typeof customFields)[number]

const mostFields = 100
const entry = z.union([
  z.enum(customFields),
  z.strictObject({ constant: z.union([z.string().max(1_000), z.number(), z.boolean(), z.null()]) }),
])
const fields = z
  .record(z.string().min(1).max(100), entry)
  .refine((map) => Object.keys(map).length > 0, 'map at least one field')
  .refine((map) => Object.keys(map).length <= mostFields, `at most ${mostFields} fields`)
export type FieldMap = z.infer<typeof fields>

const none = z.strictObject({})

/** What only who registers the webhook can say, by the target's own names. */
export const deltaOptions = {
  vtex: z.strictObject({ seller_id: z.string().min(1).max(100) }),
  shopify: none,
  social: none,
  google: z.strictObject({
    content_language: z.string().regex(/^[a-z]{2}$/, 'a language is two small letters, as in en'),
    feed_label: z.string().regex(/^[A-Z0-9_-]{1,20}$/, 'a feed label is up to 20 of A to Z, digits, - and _'),
  }),
  woocommerce: none,
  custom: z.strictObject({ fields }),
} as const satisfies Record<DeltaTarget, z.ZodType>

export type DeltaOptions = Readonly<Record<string, unknown>>
