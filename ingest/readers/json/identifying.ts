/** Keys that name one product, and the key under which a variant has the same: what they say of a family, no variant of it may take. */
export const identifying: ReadonlyMap<string, string> = new Map([
  ['id', 'id'],
  ['product_id', 'id'],
  ['productId', 'id'],
  ['sku', 'sku'],
  ['gtin', 'gtin'],
  ['ean', 'ean'],
  ['upc', 'upc'],
  ['barcode', 'barcode'],
  ['mpn', 'mpn'],
])
