/** Which elements of a product are lists of its variants, as data. */
import { nestings } from '../nested/nestings.ts'

interface VariantList {
  /** Of the element around the variants, or of each where they stand in the product itself. */
  readonly names: readonly string[]
  /** Its elements stand in the product itself, with no element around them. */
  readonly bare?: true
  readonly beside?: readonly string[]
  /** Says too little: each of its elements must have an identifier of its own, or a price and what it is told apart by. */
  readonly doubtful?: true
  /**
   * What tells its variants apart, and is each element's text or name. Some of its fields, folded, are of that size or colour
   * wherever it stands, and of no variant: two products that come in M would be one.
   */
  readonly option?: { readonly name: 'size' | 'color'; readonly own: readonly string[] }
}

/** In order: the first of these that a product has holds its variants. */
export const variantLists: readonly VariantList[] = [
  ...nestings.map(({ variants, beside }) => ({
    names: [variants],
    ...(beside ? { beside } : {}),
    // A category has children too, and they are products.
    ...(variants === 'children' ? { doubtful: true as const } : {}),
  })),
  { names: ['variant', 'variation', 'product_variant'], bare: true },
  { names: ['sizes'], doubtful: true, option: { name: 'size', own: ['id'] } },
  { names: ['colors', 'colours'], doubtful: true, option: { name: 'color', own: ['id', 'code'] } },
  { names: ['offers'], doubtful: true },
]

/** Fields of such an element, folded, that name it. */
export const identifiers: ReadonlySet<string> = new Set(
  'id|sku|code|ean|ean13|gtin|upc|barcode|mpn|article|vendorcode|itemid|productno'.split('|'),
)
export const isPriceName = (name: string) => name.includes('price') || /^(?:preis|prix|precio|prezzo|cena)/.test(name)
/** Fields, folded, by which it is what somebody asks for the same product, and no variant of it. */
export const sellers: ReadonlySet<string> = new Set('seller|merchant|shop|shopname|store|supplier|warehouse'.split('|'))
/** Fields, folded, that say what one is called. */
export const labels: readonly string[] = ['name', 'value', 'title', 'label']

/** Names as they are compared: `PRODUCT_VARIANTS` is `productVariants`. */
export const foldedName = (name: string) =>
  name
    .slice(name.indexOf(':') + 1)
    .replace(/[-_.@]/g, '')
    .toLowerCase()
