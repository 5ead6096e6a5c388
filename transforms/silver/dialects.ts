/** How the exports of known platforms name their columns, and by which of them a platform is known. */
import type { Field } from '../../schemas/product.ts'

export interface Dialect {
  readonly platform: string
  /** Column names that tell this platform from others, between bars. */
  readonly signs: string
  /** So many of them must be there. */
  readonly needs: number
  /** One name without which the rest says nothing. */
  readonly requires?: string
  /** Column to field, in order of preference where two columns could give one field; null stays raw. */
  readonly columns: readonly (readonly [column: string, field: Field | null])[]
  /** What its amounts are in where neither the file nor the workspace says it. */
  readonly currency?: string
  /** Columns, between bars, whose numbers have a decimal point by the specification of the format, which no setting corrects. */
  readonly point?: string
  /** What is read beyond the table: our own field names too, and the general column names too. */
  readonly beyond: 'nothing' | 'own names' | 'synonyms'
}

export const dialects: readonly Dialect[] = [
  {
    platform: 'shopify',
    signs:
      'Handle | Body (HTML) | Variant Price | Variant SKU | Image Src | Option1 Name | URL handle | ' +
      'Option1 value | Product image URL | Compare-at price | Continue selling when out of stock',
    needs: 3,
    beyond: 'own names',
    columns: [
      ['Variant SKU', 'sku'],
      ['SKU', 'sku'],
      ['Handle', 'item_group_id'],
      ['URL handle', 'item_group_id'],
      ['Title', 'title'],
      ['Body (HTML)', 'description'],
      ['Description', 'description'],
      ['Vendor', 'brand'],
      ['Type', 'category'],
      ['Custom Product Type', 'category'],
      ['Product Category', 'category'],
      ['Standardized Product Type', 'category'],
      ['Standard Product Type', 'category'],
      ['Tags', 'tags'],
      ['Variant Grams', 'weight'],
      ['Weight value (grams)', 'weight'],
      ['Variant Inventory Tracker', 'track_stock'],
      ['Inventory tracker', 'track_stock'],
      ['Variant Inventory Qty', 'quantity'],
      ['Inventory quantity', 'quantity'],
      ['Variant Inventory Policy', 'allow_backorder'],
      ['Continue selling when out of stock', 'allow_backorder'],
      ['Variant Price', 'price'],
      ['Price', 'price'],
      ['Variant Compare At Price', 'original_price'],
      ['Compare-at price', 'original_price'],
      ['Variant Barcode', 'gtin'],
      ['Barcode', 'gtin'],
      ['Variant Image', 'image'],
      ['Variant image URL', 'image'],
      ['Image Src', 'images'],
      ['Product image URL', 'images'],
      ['SEO Title', 'seo_title'],
      ['SEO Description', 'seo_description'],
      ['Google Shopping / Google Product Category', 'google_product_category'],
      ['Google Shopping / Gender', 'gender'],
      ['Google Shopping / Age Group', 'age_group'],
      ['Google Shopping / MPN', 'mpn'],
      ['Google Shopping / Manufacturer part number (MPN)', 'mpn'],
      ['Google Shopping / Condition', 'condition'],
    ],
  },
  {
    platform: 'woocommerce',
    signs:
      'In stock? | Backorders allowed? | Regular price | Is featured? | Visibility in catalog | ' +
      'Sold individually? | Attribute 1 name',
    needs: 2,
    beyond: 'own names',
    columns: [
      ['ID', 'source_id'],
      ['SKU', 'sku'],
      ['GTIN, UPC, EAN, or ISBN', 'gtin'],
      ['Name', 'title'],
      ['Description', 'description'],
      ['Short description', 'short_description'],
      ['Regular price', 'price'],
      ['Sale price', 'sale_price'],
      ['Date sale price starts', 'sale_price_start_date'],
      ['Date sale price ends', 'sale_price_end_date'],
      ['In stock?', 'availability'],
      ['Stock', 'quantity'],
      ['Backorders allowed?', 'allow_backorder'],
      ['Weight (kg)', 'weight'],
      ['Weight (g)', 'weight'],
      ['Weight (lbs)', 'weight'],
      ['Weight (oz)', 'weight'],
      ...['cm', 'mm', 'm', 'in', 'yd'].flatMap(
        (unit) =>
          [
            [`Length (${unit})`, 'length'],
            [`Width (${unit})`, 'width'],
            [`Height (${unit})`, 'height'],
          ] as const,
      ),
      ['Categories', 'category'],
      ['Tags', 'tags'],
      ['Brands', 'brand'],
      ['Images', 'images'],
    ],
  },
  {
    platform: 'magento',
    signs:
      'attribute_set_code | _attribute_set | product_websites | store_view_code | additional_attributes | ' +
      'configurable_variations | product_online | tax_class_name | base_image | url_key | ' +
      'use_config_manage_stock | _type | _store | _product_websites | _media_image',
    needs: 3,
    beyond: 'own names',
    columns: [
      ['sku', 'sku'],
      ['name', 'title'],
      ['description', 'description'],
      ['short_description', 'short_description'],
      ['price', 'price'],
      ['special_price', 'sale_price'],
      ['special_price_from_date', 'sale_price_start_date'],
      ['special_from_date', 'sale_price_start_date'],
      ['special_price_to_date', 'sale_price_end_date'],
      ['special_to_date', 'sale_price_end_date'],
      ['msrp_price', 'original_price'],
      ['msrp', 'original_price'],
      ['categories', 'category'],
      ['_category', 'category'],
      ['base_image', 'image'],
      ['image', 'image'],
      ['additional_images', 'images'],
      ['_media_image', 'images'],
      ['is_in_stock', 'availability'],
      ['qty', 'quantity'],
      ['manage_stock', 'track_stock'],
      ['allow_backorders', 'allow_backorder'],
      ['backorders', 'allow_backorder'],
      ['weight', 'weight'],
      ['manufacturer', 'brand'],
      ['ean', 'gtin'],
      ['barcode', 'gtin'],
      ['upc', 'gtin'],
      ['isbn', 'gtin'],
      ['meta_title', 'seo_title'],
      ['meta_description', 'seo_description'],
    ],
  },
  {
    platform: 'prestashop',
    signs:
      'Price tax excluded | Price tax included | Price tax excluded or Price tax included | Reference # | Active (0/1) | Name * | ' +
      'Categories (x,y,z...) | Image URLs (x,y,z...)',
    needs: 3,
    beyond: 'own names',
    columns: [
      ['Product ID', 'source_id'],
      ['ID', 'source_id'],
      ['Reference #', 'sku'],
      ['Name *', 'title'],
      ['Name', 'title'],
      ['Description', 'description'],
      ['Summary', 'short_description'],
      ['Price tax included', 'price'],
      ['Price tax excluded', 'price'],
      ['Price tax excluded or Price tax included', 'price'],
      ['EAN13', 'gtin'],
      ['UPC', 'gtin'],
      ['ISBN', 'gtin'],
      ['MPN', 'mpn'],
      ['Manufacturer', 'brand'],
      ['Brand', 'brand'],
      ['Categories (x,y,z...)', 'category'],
      ['Image URLs (x,y,z...)', 'images'],
      ['Quantity', 'quantity'],
      ['Condition', 'condition'],
      ['Weight', 'weight'],
      ['Width', 'width'],
      ['Height', 'height'],
      ['Depth', 'length'],
      ['Product available date', 'availability_date'],
      ['Discount from (yyyy-mm-dd)', 'sale_price_start_date'],
      ['Discount to (yyyy-mm-dd)', 'sale_price_end_date'],
      // Of a download's link, not of the offer.
      ['Expiration date', null],
      ['Tags (x,y,z...)', 'tags'],
      ['Meta title', 'seo_title'],
      ['Meta description', 'seo_description'],
    ],
  },
  {
    platform: 'vendure',
    signs:
      'optionGroups | optionValues | stockOnHand | variantAssets | variantFacets | facets | assets | ' +
      'trackInventory',
    needs: 3,
    beyond: 'own names',
    columns: [
      ['name', 'title'],
      ['slug', 'item_group_id'],
      ['description', 'description'],
      ['assets', 'images'],
      ['facets', 'tags'],
      ['sku', 'sku'],
      ['price', 'price'],
      ['stockOnHand', 'quantity'],
      ['trackInventory', 'track_stock'],
    ],
  },
]
