/** English column names. */
import type { ColumnNames } from './column-names.ts'

export const en: ColumnNames = {
  sku: 'sku | product sku | variant sku | article number | item number | item no | item code | product code | product number | stock code | merchant sku | seller sku | sku code | article code',
  source_id: 'id | product id | item id | source id | uniq id | unique id | uid | pid | offer id | listing id',
  gtin: 'gtin | ean | ean13 | ean 13 | gtin13 | gtin14 | upc | barcode | bar code | ean code | isbn | jan | gtin ean | ean upc | ean gtin | upc code | gtin code | isbn 13 | isbn13 | isbn 10 | jan code | global trade item number | universal product code | upc ean | ean 8 | ean8 | gtin 8 | gtin 12 | gtin 13 | gtin 14 | gtin upc | upc gtin | isbn ean | ean isbn | gtin isbn | isbn gtin | upc a | upc ean isbn | ean upc isbn | ean upc gtin | gtin ean upc | ean gtin 13 | gtin 13 ean | gtin ean 13 | variant barcode',
  mpn: 'mpn | manufacturer part number | part number | model number | manufacturer number | vendor code | mfr part number | manufacturer sku | manufacturer code | mfg part number | part no',
  brand: 'brand | brand name | brands | manufacturer | vendor | maker | manufacturer name',
  title:
    'title | product name | product title | item name | item title | name | product | article name | listing title',
  description:
    'description | long description | product description | full description | body html | body | details | item description | html description',
  short_description: 'short description | summary | excerpt | teaser | brief description | product summary',
  link: 'link | url | product url | product link | page url | deeplink | deep link | permalink | uri | web link | landing page | product page | item url',
  price:
    'price | selling price | sales price | regular price | unit price | retail price | price incl vat | price gross | our price | gross price | price incl tax | consumer price | price info price | price value | price amount | variant price',
  sale_price:
    'sale price | special price | discounted price | discount price | promo price | promotional price | offer price | reduced price | price after discount | sale price value | sale price amount',
  original_price:
    'original price | regular price | compare at price | list price | old price | was price | rrp | msrp | recommended retail price | price info original price | suggested retail price | price before discount | original price value | original price amount | compare at price value | compare at price amount | list price value | list price amount | variant compare at price',
  currency: 'currency | currency code | price currency | currency id | price info currency code | price currency code',
  availability:
    'availability | stock status | stock availability | in stock | instock | is in stock | available | availability status | stock state | inventory status',
  quantity:
    'quantity | qty | stock quantity | quantity in stock | stock qty | stock on hand | inventory quantity | inventory | stock level | stock | units in stock | available quantity | qty available | on hand | qty on hand | quantity on hand | on hand qty | on hand quantity | on hand stock | in stock qty | in stock quantity | qty in stock | soh | qoh | variant inventory qty',
  track_stock: 'track stock | track inventory | manage stock | inventory tracker | stock tracking | inventory tracking',
  allow_backorder:
    'allow backorder | allow backorders | backorders allowed | backorder | backorders | inventory policy | sell when out of stock',
  condition: 'condition | item condition | product condition',
  category:
    'category | category path | categories | product category | product type | category tree | product category tree | category name | main category | department | product group | category full path',
  google_product_category:
    'google product category | google category | google taxonomy | product category google | google category id | google shopping category | google taxonomy id',
  image: 'main image | primary image | base image | main image url | featured image | default image | cover image',
  images:
    'images | image | image url | image urls | image link | image links | image src | product image | product images | product image url | additional images | additional image link | additional image links | picture | pictures | picture url | photo | photos | photo url | img | img url | imgurl | gallery | gallery images | other images | image gallery',
  item_group_id:
    'item group id | group id | parent sku | parent id | variant group | product group id | style number | style id | model id | group code | variation group | parent product id',
  color: 'color | colour | color name | colour name | product color | product colour',
  size: 'size | size name | product size | clothing size | shoe size',
  material: 'material | materials | fabric | material composition | material type',
  pattern: 'pattern | pattern name',
  gender: 'gender | sex | target gender | gender target',
  age_group: 'age group | target age group',
  weight:
    'weight | product weight | item weight | shipping weight | net weight | gross weight | package weight | variant grams | grams',
  seo_title: 'seo title | meta title | page title | title tag | seo page title',
  seo_description: 'seo description | meta description | seo meta description',
  tags: 'tags | tag | keywords | labels | product tags | search terms | meta keywords | search keywords',
  attributes: 'attributes | additional attributes json | attributes json | custom attributes | extra attributes',
  sale_price_effective_date:
    'sale price effective date | sale price dates | sale dates | sale period | promotion period',
  sale_price_start_date:
    'sale price start date | sale start date | sale start | sale from | special price from date | special price from | promotion start | date sale price starts | discount from',
  sale_price_end_date:
    'sale price end date | sale end date | sale end | sale to | special price to date | special price to | promotion end | date sale price ends | discount to',
  unit_pricing_measure: 'unit pricing measure | unit price measure | net content',
  unit_pricing_base_measure: 'unit pricing base measure | unit price base measure | unit price base',
  availability_date:
    'availability date | available from | available date | available on | product available date | preorder date | restock date | ships from date',
  expiration_date: 'expiration date | offer expiration date | offer valid until | listing end date',
  weight_unit: 'weight unit | unit of weight | item weight unit | product weight unit | variant weight unit',
  dimensions: 'dimensions | product dimensions | item dimensions | measurements | size l x w x h',
  dimensions_unit: 'dimensions unit | dimension unit | size unit | length unit',
  length: 'length | product length | item length | depth | product depth | dimensions length | dimensions depth',
  width: 'width | product width | item width | dimensions width',
  height: 'height | product height | item height | dimensions height',
}
