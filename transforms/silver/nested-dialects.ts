/** How JSON documents name what a product and its variants have, nested keys with dots between; `variants.price` is a variant's price. */
import type { Field } from '../../schemas/product.ts'
import type { Dialect } from './dialects.ts'

type Columns = Dialect['columns']

/** Of a variant, in whatever form its shop writes it. */
const ofVariants: Columns = [
  ['sku', 'sku'],
  ['id', 'source_id'],
  ['variant_id', 'source_id'],
  ['barcodes.value', 'gtin'],
  ['identifiers.value', 'gtin'],
  ['barcode', 'gtin'],
  ['gtin', 'gtin'],
  ['ean', 'gtin'],
  ['upc', 'gtin'],
  ['mpn', 'mpn'],
  ['price', 'price'],
  ['price.amount', 'price'],
  ['price.value', 'price'],
  ['regular_price', 'price'],
  ['regular_price.amount', 'price'],
  ['regular_price.value', 'price'],
  ['price.currency', 'currency'],
  ['price.currencyCode', 'currency'],
  ['currency', 'currency'],
  ['sale_price', 'sale_price'],
  ['sale_price.amount', 'sale_price'],
  ['sale_price.value', 'sale_price'],
  ['compare_at_price', 'original_price'],
  ['compareAtPrice', 'original_price'],
  ['list_price', 'original_price'],
  ['list_price.amount', 'original_price'],
  ['list_price.value', 'original_price'],
  ['availability.status', 'availability'],
  ['availability', 'availability'],
  ['availability.available', 'availability'],
  ['available', 'availability'],
  ['in_stock', 'availability'],
  ['inventory_quantity', 'quantity'],
  ['inventoryQuantity', 'quantity'],
  ['quantity', 'quantity'],
  ['stock', 'quantity'],
  ['inventory_management', 'track_stock'],
  ['inventory_policy', 'allow_backorder'],
  ['condition', 'condition'],
  ['weight', 'weight'],
  ['featured_image.src', 'image'],
  ['image', 'image'],
  ['image_url', 'image'],
]

const under = (key: string, columns: Columns): Columns => columns.map(([name, field]) => [`${key}.${name}`, field])
/** What only tells a variant apart, where its family has no such column. */
const last: readonly (readonly [string, Field])[] = [
  ['title', 'title'],
  ['name', 'title'],
]
const ofFamily: Columns = ['id', 'product_id', 'productId', 'sku', 'gtin', 'ean', 'upc', 'barcode', 'mpn'].map(
  (name) => [name, null],
)

/** One sign each, and last of all dialects: whatever else knows a platform goes first. */
const nested = (key: string, sign: string): Dialect => ({
  platform: `nested ${key}`,
  signs: `${key}.${sign}`,
  needs: 1,
  beyond: 'synonyms',
  columns: [
    ...under(key, ofVariants),
    // These name the family; a product without variants says them under the variants' key too.
    ...ofFamily,
    ['title', 'title'],
    ['name', 'title'],
    ['body_html', 'description'],
    ['description', 'description'],
    ['description.plain', 'description'],
    ['description.html', 'description'],
    ['images.src', 'images'],
    ['images.url', 'images'],
    ['media.url', 'images'],
    ['images', 'images'],
    ...under(key, last),
  ],
})

export const nestedDialects: readonly Dialect[] = [
  {
    platform: 'vtex',
    signs:
      'productId | productName | linkText | productReference | items.itemId | items.nameComplete | items.seller.sellerId | ' +
      'items.seller.commertialOffer.Price',
    needs: 4,
    beyond: 'own names',
    columns: [
      ['items.referenceId.Value', 'sku'],
      ['items.itemId', 'source_id'],
      ['items.ean', 'gtin'],
      ['productId', null],
      ['productName', 'title'],
      ['description', 'description'],
      ['brand', 'brand'],
      ['link', 'link'],
      ['categories', 'category'],
      ['items.images.imageUrl', 'images'],
      ['items.seller.commertialOffer.Price', 'price'],
      ['items.seller.commertialOffer.ListPrice', 'original_price'],
      ['items.seller.commertialOffer.AvailableQuantity', 'quantity'],
      ['titleTag', 'seo_title'],
      ['metaTagDescription', 'seo_description'],
    ],
  },
  {
    platform: 'acp',
    signs:
      'variants.variant_options | variants.barcodes.value | variants.availability.status | variants.price.amount | ' +
      'variants.price.currency | variants.seller.name | variants.media.url | description.plain',
    needs: 3,
    requires: 'variants.id',
    point: 'variants.price | variants.list_price',
    beyond: 'own names',
    columns: [
      ['variants.id', 'sku'],
      ['variants.barcodes.value', 'gtin'],
      ['id', null],
      ['title', 'title'],
      ['description.plain', 'description'],
      ['description.html', 'description'],
      ['description.markdown', 'description'],
      ['variants.description.plain', 'description'],
      ['url', 'link'],
      ['variants.url', 'link'],
      ['media.url', 'images'],
      ['variants.media.url', 'images'],
      ['variants.price', 'price'],
      ['variants.list_price', 'original_price'],
      ['variants.availability.status', 'availability'],
      ['variants.availability.available', 'availability'],
      ['variants.categories.value', 'category'],
      ['variants.condition', 'condition'],
      ['variants.seller.name', null],
    ],
  },
  {
    platform: 'shopify json',
    signs:
      'body_html | vendor | product_type | handle | published_at | variants.inventory_item_id | variants.option1 | ' +
      'variants.compare_at_price | variants.requires_shipping | variants.taxable | images.src | options',
    needs: 5,
    // Amounts are texts such as "12.345": the program's, not a person's.
    point: 'variants.price | variants.compare_at_price',
    beyond: 'own names',
    columns: [
      ['variants.sku', 'sku'],
      ['variants.id', 'source_id'],
      ['variants.barcode', 'gtin'],
      ['id', null],
      ['title', 'title'],
      ['body_html', 'description'],
      ['vendor', 'brand'],
      ['product_type', 'category'],
      ['tags', 'tags'],
      ['variants.price', 'price'],
      ['variants.compare_at_price', 'original_price'],
      ['variants.inventory_quantity', 'quantity'],
      ['variants.available', 'availability'],
      ['variants.inventory_management', 'track_stock'],
      ['variants.inventory_policy', 'allow_backorder'],
      ['variants.grams', 'weight'],
      ['variants.weight', 'weight'],
      ['variants.featured_image.src', 'image'],
      ['images.src', 'images'],
    ],
  },
  ...['variants', 'variations', 'skus', 'product_variants', 'children'].flatMap((key) =>
    ['id', 'sku', 'price', 'title', 'name'].map((sign) => nested(key, sign)),
  ),
]
