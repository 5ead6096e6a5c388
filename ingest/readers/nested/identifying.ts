/** Keys that name one product, folded, and the key under which a variant has the same: what they say of a family, no variant of it may take. */
export const identifying: ReadonlyMap<string, string> = new Map([
  ['id', 'id'],
  ['product id', 'id'],
  ['sku', 'sku'],
  ['code', 'code'],
  ['gtin', 'gtin'],
  ['ean', 'ean'],
  ['upc', 'upc'],
  ['barcode', 'barcode'],
  ['mpn', 'mpn'],
])
