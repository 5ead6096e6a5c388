import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { DeltaTarget } from '../../../schemas/delta.ts'
import { decimalsOf } from '../../../schemas/feeds/decimals.ts'
import type { RefinedProduct } from '../../../schemas/product.ts'
import type { DeltaProduct } from '../../../transforms/deltas/shape.ts'
import { deltaShapes } from '../../../transforms/deltas/shapes.ts'
import { complete } from '../../schemas/feeds/complete-product.ts'

const optionsOf: Readonly<Record<DeltaTarget, Record<string, unknown>>> = {
  vtex: { seller_id: 'seller' },
  shopify: {},
  social: {},
  google: { content_language: 'en', feed_label: 'DE' },
  woocommerce: {},
  custom: { fields: { ref: 'sku', cost: 'price', cents: 'price_minor', shop: { constant: 'main' } } },
}
const targets = Object.keys(deltaShapes) as DeltaTarget[]

const at = (product: Partial<RefinedProduct>, more: Partial<DeltaProduct> = {}): DeltaProduct => ({
  id: '0f8fad5b-d9cb-869f-a165-70867728950e',
  kind: 'single',
  feedId: 'S-1',
  createdAt: '2026-11-01T10:00:00.5+00:00',
  updatedAt: '2026-11-02T10:00:00+00:00',
  publishedAt: '2026-11-29T10:00:00.000Z',
  version: 7,
  product: { ...complete, sku: 'S-1', ...product },
  ...more,
})
// biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of a shape
const shaped = (target: DeltaTarget, p: DeltaProduct, change: 'added' | 'modified' = 'added'): any =>
  JSON.parse(JSON.stringify(deltaShapes[target].product(p, change, optionsOf[target])))
const removed = (target: DeltaTarget, p: DeltaProduct) => deltaShapes[target].removal(p, optionsOf[target])

const plain = { price: null, salePrice: null, originalPrice: null, salePriceEffectiveDate: null }

describe('KF-14: an amount has the digits of its currency in every target', () => {
  test.each([
    ['1500', 'JPY', '1500', 1500, '1500000000'],
    ['12.345', 'KWD', '12.345', 12345, '12345000'],
    ['250.00', 'TWD', '250.00', 25000, '250000000'],
    ['9.50', 'EUR', '9.50', 950, '9500000'],
  ])('%s %s', (price, currency, text, units, micros) => {
    const p = at({ ...plain, price, currency })
    expect(shaped('shopify', p).variants[0].price).toBe(text)
    expect(shaped('woocommerce', p).regular_price).toBe(text)
    expect(shaped('vtex', p).Pricing).toMatchObject({ Currency: currency, SalePrice: units })
    expect(shaped('google', p).productAttributes.price).toEqual({ amountMicros: micros, currencyCode: currency })
    expect(shaped('social', p).data.price).toBe(`${text} ${currency}`)
    expect(shaped('custom', p)).toMatchObject({ cost: text, cents: units })
  })

  test('whatever the amount', () => {
    const money = fc
      .tuple(fc.integer({ min: 1, max: 10 ** 9 }), fc.constantFrom('JPY', 'EUR', 'KWD', 'CLF'))
      .map(([units, currency]) => {
        const digits = String(units).padStart(decimalsOf(currency) + 1, '0')
        const point = digits.length - decimalsOf(currency)
        return {
          units,
          currency,
          price: decimalsOf(currency) ? `${digits.slice(0, point)}.${digits.slice(point)}` : digits,
        }
      })
    fc.assert(
      fc.property(money, ({ units, currency, price }) => {
        const p = at({ ...plain, price, currency })
        expect(shaped('vtex', p).Pricing.SalePrice).toBe(units)
        expect(shaped('shopify', p).variants[0].price).toBe(price)
        expect(shaped('google', p).productAttributes.price.amountMicros).toBe(
          (BigInt(units) * 10n ** BigInt(6 - decimalsOf(currency))).toString(),
        )
      }),
    )
  })
})

test('shopify: a product of the topic products/update, every field of it, with itself as its variant', () => {
  const p = at({ ...plain, price: '19.99', salePrice: '14.50', currency: 'EUR', quantity: 3, availability: 'in_stock' })
  const product = shaped('shopify', p)
  expect(Object.keys(product)).toEqual([
    ...['admin_graphql_api_id', 'body_html', 'created_at', 'handle', 'id', 'product_type', 'published_at'],
    ...['template_suffix', 'title', 'updated_at', 'vendor', 'status', 'published_scope', 'tags', 'variants', 'options'],
    ...['images', 'image', 'media', 'variant_gids', 'has_variants_that_requires_components', 'category'],
  ])
  expect(Object.keys(product.variants[0]).sort()).toEqual(
    [
      ...['admin_graphql_api_id', 'barcode', 'compare_at_price', 'created_at', 'id', 'inventory_policy', 'position'],
      ...['price', 'product_id', 'sku', 'taxable', 'title', 'updated_at', 'option1', 'option2', 'option3', 'image_id'],
      ...['inventory_item_id', 'inventory_quantity', 'old_inventory_quantity'],
    ].sort(),
  )
  expect(product.variants[0]).toMatchObject({
    price: '14.50',
    compare_at_price: '19.99',
    sku: 'S-1',
    inventory_policy: 'deny',
  })
  expect(product.created_at).toBe('2026-11-01T10:00:00+00:00')
  expect(Number.isSafeInteger(product.id)).toBe(true)
  expect(product.admin_graphql_api_id).toBe(`gid://shopify/Product/${product.id}`)
  expect(typeof product.tags).toBe('string')
  expect(removed('shopify', p)).toEqual({ id: product.id })
})

test('shopify: a quantity that is not known is null, and a sale for a time is left out', () => {
  const sale = {
    price: '19.99',
    salePrice: '14.50',
    salePriceEffectiveDate: '2026-11-01/2026-11-30',
    originalPrice: null,
  }
  const [variant] = shaped('shopify', at({ ...sale, quantity: null, availability: 'in_stock' })).variants
  expect(variant).toMatchObject({
    price: '19.99',
    compare_at_price: null,
    inventory_quantity: null,
    inventory_policy: 'continue',
  })
})

test('woocommerce: a product of the REST API v3, prices as text, with its sale and when it holds', () => {
  const sale = {
    price: '19.99',
    salePrice: '14.50',
    salePriceEffectiveDate: '2026-11-01/2026-11-30',
    originalPrice: null,
  }
  const p = at({
    ...sale,
    currency: 'EUR',
    quantity: null,
    availability: 'backorder',
    weight: '1500 g',
    length: '10 in',
  })
  const product = shaped('woocommerce', p)
  expect(product).toMatchObject({
    ...{ type: 'simple', status: 'publish', sku: 'S-1', regular_price: '19.99', sale_price: '14.50', price: '19.99' },
    ...{ date_on_sale_from: '2026-11-01T00:00:00', date_on_sale_to_gmt: '2026-11-30T23:59:59' },
    ...{ manage_stock: false, stock_quantity: null, stock_status: 'onbackorder', backorders: 'yes', backordered: true },
    ...{ weight: '1.5', dimensions: expect.objectContaining({ length: '25.4' }), date_created: '2026-11-01T10:00:00' },
  })
  expect(product.meta_data).toContainEqual({ id: expect.any(Number), key: '_assay_currency', value: 'EUR' })
  expect(product).not.toHaveProperty('on_sale')
  expect(removed('woocommerce', p)).toEqual({ id: product.id })
})

test("vtex: a seller's suggestion of a SKU; one that goes is the notification of it", () => {
  const p = at({ ...plain, price: '10.00', currency: 'BRL', weight: '1 lb', quantity: 4, gtin: '4006381333931' })
  expect(shaped('vtex', p)).toMatchObject({
    ...{ ProductId: 'S-1', SellerId: 'seller', SellerStockKeepingUnitId: 'S-1', RefId: 'S-1', EAN: '4006381333931' },
    ...{ Weight: 453.59237, MeasurementUnit: 'un', UnitMultiplier: 1, AvailableQuantity: 4 },
    Pricing: { Currency: 'BRL', SalePrice: 1000, CurrencySymbol: 'R$' },
  })
  expect(shaped('vtex', at({ quantity: null, availability: 'in_stock' }))).not.toHaveProperty('AvailableQuantity')
  expect(removed('vtex', p)).toMatchObject({
    IdSku: 'S-1',
    An: 'seller',
    HasStockKeepingUnitRemovedFromAffiliate: true,
  })
})

test('social: a request of items_batch with its method', () => {
  expect(shaped('social', at({}))).toMatchObject({ method: 'CREATE', data: { id: 'S-1', title: complete.title } })
  expect(shaped('social', at({}), 'modified').method).toBe('UPDATE')
  expect(removed('social', at({}, { feedId: null }))).toEqual({ method: 'DELETE', data: { id: at({}).id } })
})

test('google: a product input of the Merchant API, with the version as its number', () => {
  const p = at({
    ...{
      price: '20.00',
      salePrice: '15.00',
      currency: 'EUR',
      salePriceEffectiveDate: '2026-11-01/2026-11-30T18:00+01:00',
    },
    ...{
      gtin: '4006381333931',
      availability: 'preorder',
      availabilityDate: '2026-12-24',
      weight: '1.5 kg',
      originalPrice: null,
    },
  })
  const { productAttributes: a, ...key } = shaped('google', p)
  expect(key).toEqual({ offerId: 'S-1', contentLanguage: 'en', feedLabel: 'DE', versionNumber: '7' })
  expect(a).toMatchObject({
    ...{
      salePrice: { amountMicros: '15000000', currencyCode: 'EUR' },
      gtins: ['4006381333931'],
      availability: 'PREORDER',
    },
    salePriceEffectiveDate: { startTime: '2026-11-01T00:00:00Z', endTime: '2026-11-30T18:00:00+01:00' },
    ...{ availabilityDate: '2026-12-24T00:00:00Z', productWeight: { value: 1.5, unit: 'kg' }, condition: 'NEW' },
  })
  expect(a).not.toHaveProperty('id')
  expect(removed('google', p)).toEqual(key)
})

test('custom: the names of the receiver, fields and constants, null where there is nothing', () => {
  expect(shaped('custom', at({ ...plain, sku: 'S-1', currency: 'EUR' }))).toEqual({
    ref: 'S-1',
    cost: null,
    cents: null,
    shop: 'main',
  })
  expect(removed('custom', at({}))).toEqual({ id: at({}).id, ref: 'S-1' })
})

test('the same product gives the same bytes, and one that goes has a name that it had', () => {
  for (const target of targets) {
    const p = at({})
    expect(JSON.stringify(shaped(target, p))).toBe(JSON.stringify(shaped(target, at({}))))
    expect(JSON.stringify(removed(target, p)).length).toBeLessThan(400)
  }
})
