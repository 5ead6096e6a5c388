/** Says which list was taken for the variants of products, and how many there are. */

export interface VariantCount {
  products: number
  variants: number
}

export const variantsNote = (list: string, { products, variants }: VariantCount): string =>
  `${JSON.stringify(list)} holds the variants of a product: ${variants} in ${products} of the products, each a row of its own`
