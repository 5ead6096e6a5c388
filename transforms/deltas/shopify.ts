/** The product of Shopify's topics products/create, products/update and products/delete, API 2024-10. */
import { askedPrices } from '../../schemas/feeds/asked-prices.ts'
import { amountText } from '../../schemas/feeds/money-text.ts'
import { toldApart } from '../../schemas/feeds/told-apart.ts'
import type { RefinedProduct } from '../../schemas/product.ts'
import type { DeltaProduct, DeltaShape } from './shape.ts'
import { wholeNumber } from './whole-number.ts'
import { htmlOf, slugOf, withOffset } from './written.ts'

const gid = (kind: string, id: number) => `gid://shopify/${kind}/${id}`
const mostOptions = 3

const text = (amount: string | null, currency: string | null) =>
  amount === null ? null : currency === null ? amount : amountText(amount, currency)

/** What is asked now, and what is struck out beside it. */
function pricesOf(p: RefinedProduct) {
  const { full, sale } = askedPrices(p, false)
  return { price: text(sale ?? full, p.currency), compare_at_price: sale === null ? null : text(full, p.currency) }
}

/** Sold on while there is none: on order, or in stock uncounted. */
const goesOn = ({ availability, quantity }: RefinedProduct) =>
  availability === 'preorder' || availability === 'backorder' || (availability === 'in_stock' && quantity === null)

function imageOf(p: DeltaProduct, src: string, i: number) {
  const [id, product] = [wholeNumber(`${p.id} ${src}`), wholeNumber(p.id)]
  return {
    id,
    product_id: product,
    position: i + 1,
    created_at: withOffset(p.createdAt),
    updated_at: withOffset(p.updatedAt),
    alt: p.product.title,
    width: null,
    height: null,
    src,
    variant_ids: [],
    admin_graphql_api_id: gid('ProductImage', id),
  }
}

/** `Default Title` is Shopify's own word for a product without options. */
function optionsOf(p: DeltaProduct) {
  const own = toldApart(p.product).slice(0, mostOptions)
  return own.length > 0 && p.kind === 'variant' ? own : ([['Title', 'Default Title']] as const)
}

function variantOf(p: DeltaProduct, id: number) {
  const { sku, gtin, quantity } = p.product
  const [one, two, three] = optionsOf(p).map(([, value]) => value)
  return {
    admin_graphql_api_id: gid('ProductVariant', id),
    barcode: gtin,
    ...pricesOf(p.product),
    created_at: withOffset(p.createdAt),
    id,
    inventory_policy: goesOn(p.product) ? 'continue' : 'deny',
    position: 1,
    product_id: id,
    sku,
    taxable: true,
    title: [one, two, three].filter((value) => value !== undefined).join(' / '),
    updated_at: withOffset(p.updatedAt),
    option1: one ?? null,
    option2: two ?? null,
    option3: three ?? null,
    image_id: null,
    inventory_item_id: id,
    inventory_quantity: quantity,
    old_inventory_quantity: quantity,
  }
}

export const shopify: DeltaShape = {
  nameOf: ({ id }) => id,
  removal: ({ id }) => ({ id: wholeNumber(id) }),
  product(p) {
    const { product } = p
    const id = wholeNumber(p.id)
    const images = product.images.map((src, i) => imageOf(p, src, i))
    const variant = variantOf(p, id)
    return {
      admin_graphql_api_id: gid('Product', id),
      body_html: htmlOf(product.description),
      created_at: withOffset(p.createdAt),
      handle: [slugOf(product.title), p.id.slice(0, 8)].filter(Boolean).join('-'),
      id,
      product_type: product.categoryPath.join(' > '),
      published_at: withOffset(p.publishedAt),
      template_suffix: null,
      title: product.title,
      updated_at: withOffset(p.updatedAt),
      vendor: product.brand,
      status: 'active',
      published_scope: 'global',
      // In one text: a comma in a tag would begin another.
      tags: product.tags.map((tag) => tag.replaceAll(',', ' ')).join(', '),
      variants: [variant],
      options: optionsOf(p).map(([name, value], i) => {
        const option = wholeNumber(`${p.id} option ${name}`)
        return { id: option, product_id: id, name, position: i + 1, values: [value] }
      }),
      images,
      image: images[0] ?? null,
      media: [],
      variant_gids: [{ admin_graphql_api_id: variant.admin_graphql_api_id, updated_at: variant.updated_at }],
      has_variants_that_requires_components: false,
      category: null,
    }
  },
  says: 'Ids are whole numbers made from ours, the same each time. A variant is a product of its own with itself as its one variant and at most three options; that variants belong together is not said. Shopify has no place for a currency, and none for when a sale holds, so a sale for a time is left out. A quantity that is not known is null. `media` is empty: pictures are in `images`.',
}
