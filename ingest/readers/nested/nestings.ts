/** Under which name a product holds its variants, as data: a key of JSON, or an element of XML. */

export interface Nesting {
  readonly variants: string
  /** Where the name could mean anything else too, only a product with one of these has variants under it. */
  readonly beside?: readonly string[]
}

export const nestings: readonly Nesting[] = [
  { variants: 'variants' },
  { variants: 'variations' },
  { variants: 'skus' },
  { variants: 'product_variants' },
  { variants: 'productVariants' },
  { variants: 'children' },
  // VTEX
  { variants: 'items', beside: ['productId', 'productName'] },
]

/** Lists whose objects may each hold variants of one product, where it has none itself: those of an offer, or of a colour. */
export const holdersOf: ReadonlySet<string> = new Set(['offers', 'colors', 'colours', 'colorways', 'styles'])

/**
 * @param has whether the product has such a key
 * @param holds whether objects can stand under it
 */
export const nestingOf = (has: (key: string) => boolean, holds: (key: string) => boolean): Nesting | undefined =>
  nestings.find(({ variants, beside }) => holds(variants) && (!beside || beside.some(has)))
