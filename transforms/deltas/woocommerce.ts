/** The product of WooCommerce's REST API v3, as product.created, product.updated and product.deleted send it. */
import { askedPrices } from '../../schemas/feeds/asked-prices.ts'
import { amountText } from '../../schemas/feeds/money-text.ts'
import { properties } from '../../schemas/feeds/told-apart.ts'
import { tradableGtin } from '../../schemas/feeds/tradable-gtin.ts'
import type { RefinedProduct } from '../../schemas/product.ts'
import { centimetres, weightIn } from './measure-in.ts'
import type { DeltaProduct, DeltaShape } from './shape.ts'
import { wholeNumber } from './whole-number.ts'
import { htmlOf, known, slugOf, withoutOffset } from './written.ts'

/** An empty text is WooCommerce's word for nothing. */
const text = (amount: string | null, currency: string | null) =>
  amount === null ? '' : currency === null ? amount : amountText(amount, currency)

const day = /^\d{4}-\d\d-\d\d$/

/** A day that ends a sale is part of it. */
function moment(given: string | undefined, ends: boolean): string | null {
  if (given === undefined || given === '..' || Number.isNaN(Date.parse(given))) return null
  return withoutOffset(day.test(given) && ends ? `${given}T23:59:59Z` : given)
}

function pricesOf(p: RefinedProduct) {
  const { full, sale } = askedPrices(p, true)
  const dated = sale !== null && sale === p.salePrice ? p.salePriceEffectiveDate : null
  const [from, to] = dated?.split('/') ?? []
  const [begins, ends] = [moment(from, false), moment(to, true)]
  return {
    // What is asked today depends on the day where a sale has one.
    price: text(dated === null ? (sale ?? full) : full, p.currency),
    regular_price: text(full, p.currency),
    sale_price: text(sale, p.currency),
    ...{ date_on_sale_from: begins, date_on_sale_from_gmt: begins, date_on_sale_to: ends, date_on_sale_to_gmt: ends },
    ...(dated === null && { on_sale: sale !== null }),
  }
}

const stock = { in_stock: 'instock', out_of_stock: 'outofstock', preorder: 'onbackorder', backorder: 'onbackorder' }

function stockOf({ availability, quantity }: RefinedProduct) {
  const waits = availability === 'preorder' || availability === 'backorder'
  return {
    manage_stock: quantity !== null,
    stock_quantity: quantity,
    ...(availability !== null && { stock_status: stock[availability] }),
    backorders: waits ? 'yes' : 'no',
    backorders_allowed: waits,
    backordered: waits,
    purchasable: availability !== 'out_of_stock',
  }
}

function imageOf({ id, createdAt, updatedAt, product }: DeltaProduct, src: string) {
  const [made, changed] = [withoutOffset(createdAt), withoutOffset(updatedAt)]
  const dates = { date_created: made, date_created_gmt: made, date_modified: changed, date_modified_gmt: changed }
  return { id: wholeNumber(`${id} ${src}`), ...dates, src, name: product.title ?? '', alt: product.title ?? '' }
}

/** Levels of a path are categories of their own there. */
const named = (kind: string) => (name: string) => ({ id: wholeNumber(`${kind} ${name}`), name, slug: slugOf(name) })

export const woocommerce: DeltaShape = {
  nameOf: ({ id }) => id,
  removal: ({ id }) => ({ id: wholeNumber(id) }),
  product(p) {
    const { product, createdAt, updatedAt } = p
    const [made, changed] = [withoutOffset(createdAt), withoutOffset(updatedAt)]
    const gtin = tradableGtin(product.gtin)
    const meta = known({ _assay_currency: product.currency, _assay_item_group: product.itemGroupId })
    return {
      id: wholeNumber(p.id),
      name: product.title ?? '',
      slug: [slugOf(product.title), p.id.slice(0, 8)].filter(Boolean).join('-'),
      permalink: product.link ?? '',
      ...{ date_created: made, date_created_gmt: made, date_modified: changed, date_modified_gmt: changed },
      ...{ type: 'simple', status: 'publish', featured: false, catalog_visibility: 'visible' },
      description: htmlOf(product.description) ?? '',
      short_description: '',
      sku: product.sku ?? '',
      ...(gtin !== null && { global_unique_id: gtin }),
      ...pricesOf(product),
      ...{ virtual: false, downloadable: false, downloads: [], download_limit: -1, download_expiry: -1 },
      ...{ external_url: '', button_text: '', tax_status: 'taxable', tax_class: '' },
      ...stockOf(product),
      sold_individually: false,
      weight: weightIn(product.weight, 'kg') ?? '',
      dimensions: {
        length: centimetres(product.length) ?? '',
        width: centimetres(product.width) ?? '',
        height: centimetres(product.height) ?? '',
      },
      ...{ shipping_required: true, shipping_taxable: true, shipping_class: '', shipping_class_id: 0 },
      ...{ reviews_allowed: true, related_ids: [], upsell_ids: [], cross_sell_ids: [], parent_id: 0 },
      purchase_note: '',
      categories: product.categoryPath.map(named('category')),
      tags: product.tags.map(named('tag')),
      images: product.images.map((src) => imageOf(p, src)),
      attributes: properties(product).map(([name, value], position) => ({
        ...{ id: 0, name, position, visible: true, variation: false, options: [value] },
      })),
      ...{ default_attributes: [], variations: [], grouped_products: [], menu_order: 0 },
      meta_data: Object.entries(meta).map(([key, value]) => ({ id: wholeNumber(`meta ${key}`), key, value })),
    }
  },
  says: 'Ids are whole numbers made from ours, the same each time. A variant is a simple product; its family stands in `meta_data` as `_assay_item_group`, and the currency, for which a product has no place, as `_assay_currency`. Weights are in kg and dimensions in cm, WooCommerce’s own units: a shop with others converts. Times are UTC. `on_sale` is left out where a sale has dates, and `price` is then the regular price. Ratings, sales, `price_html` and `_links` are the shop’s own and left out.',
}
