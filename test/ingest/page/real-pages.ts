/** What the real product pages must give (EXPECTED.md), field by field, and through whatever way they are read. */

export interface RealPage {
  readonly file: string
  readonly fields?: Readonly<Record<string, string>>
  readonly sources?: Readonly<Record<string, string>>
  readonly absent?: readonly string[]
  readonly conflicts?: readonly (readonly [field: string, kept: string, other: string])[]
  readonly notes?: readonly string[]
  readonly failed?: string
}

export const realPages: readonly RealPage[] = [
  {
    file: 'html/costco.html',
    fields: { price: '329.99', currency: 'USD', sku: '1275464', brand: 'AFA', availability: 'instock' },
    sources: { price: 'opengraph', sku: 'microdata', brand: 'microdata', availability: 'opengraph' },
  },
  {
    file: 'html/etsy-es.html',
    fields: { price: '43.90', currency: 'EUR', brand: 'OliveCreativeCompany', availability: 'InStock' },
    sources: { price: 'json-ld' },
    conflicts: [['price', '43.90 EUR', '48.00 USD']],
  },
  { file: 'html/extruct-jsonld-js-comment.html', failed: 'no_product', notes: ['json_ld_skipped'] },
  {
    file: 'html/extruct-product-microdata.html',
    fields: {
      title: 'Executive Anvil',
      price: '119.99',
      currency: 'USD',
      brand: 'ACME',
      mpn: '925872',
      condition: 'UsedCondition',
      availability: 'InStock',
    },
    absent: ['original_price', 'sku'],
  },
  {
    file: 'html/jossandmain.html',
    fields: { price: '98.99', currency: 'USD', availability: 'InStock', sku: 'J001109161' },
    absent: ['brand', 'gtin', 'original_price'],
    notes: ['bad_gtin'],
  },
  { file: 'html/potterybarn.html', failed: 'missing_price', absent: ['price'] },
  {
    file: 'html/rejuvenation.html',
    fields: { price: '120.00', original_price: '150.00', currency: 'USD', sku: 'A1686', brand: 'Rejuvenation' },
    conflicts: [['price', '120.00 USD', '150.00 USD']],
  },
]
