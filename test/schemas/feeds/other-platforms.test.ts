import { describe, expect, test } from 'vitest'
import { acpProfile } from '../../../schemas/feeds/acp.ts'
import { amazonProfile } from '../../../schemas/feeds/amazon.ts'
import { heurekaProfile } from '../../../schemas/feeds/heureka.ts'
import { microsoftProfile } from '../../../schemas/feeds/microsoft.ts'
import { pinterestProfile } from '../../../schemas/feeds/pinterest.ts'
import { problemsOf } from '../../../schemas/feeds/problems-of.ts'
import type { FeedProfile } from '../../../schemas/feeds/profile.ts'
import { tiktokProfile } from '../../../schemas/feeds/tiktok.ts'
import { yandexProfile } from '../../../schemas/feeds/yandex.ts'
import type { RefinedProduct } from '../../../schemas/product.ts'
import { feedOf } from './complete-product.ts'

const of = (profile: FeedProfile) => ({
  line: (change: Partial<RefinedProduct> = {}, group: string | null = null) => profile.line(feedOf(change, group)),
  problems: (change: Partial<RefinedProduct>, group: string | null = null) =>
    problemsOf(profile, feedOf(change, group)).map(({ field, reason }) => `${field}: ${reason}`),
})

describe('the agentic protocol', () => {
  const { line, problems } = of(acpProfile)
  const variantOf = (change: Partial<RefinedProduct>, group: string | null = null) =>
    (line(change, group).variants as Record<string, unknown>[])[0]

  test.each([
    ['79.00', 'EUR', 7900],
    ['1500', 'JPY', 1500],
    ['12.345', 'KWD', 12345],
    ['0.5', 'USD', 50],
  ])('KF-14: %s %s are %i of its smallest units', (price, currency, amount) => {
    expect(variantOf({ price, currency })?.price).toEqual({ amount, currency })
  })

  test('the price is what is paid now, the list price the full one', () => {
    expect(variantOf({ salePrice: '59.00' })).toMatchObject({ price: { amount: 5900 }, list_price: { amount: 7900 } })
    expect(variantOf({})).not.toHaveProperty('list_price')
  })

  test('each variant is a product of its own id with itself as its one variant', () => {
    const product = line({ sku: 'T-1-S', options: { Size: 'S' } }, 'T-1')
    expect(product).toMatchObject({
      id: 'T-1-S',
      variants: [{ id: 'T-1-S', variant_options: [{ name: 'Size', value: 'S' }] }],
    })
    expect(product.variants).toHaveLength(1)
  })

  test('a product without a price is taken, one with a wrong price is not', () => {
    expect(problems({ price: null, currency: null })).toEqual([])
    expect(problems({ price: '0.001' })).toEqual([expect.stringMatching(/^variants\.price: .*would be rounded/)])
    expect(problems({ price: '100000000000000000.5' })).toEqual([expect.stringMatching(/whole number/)])
  })
})

describe('Pinterest, TikTok and Microsoft', () => {
  test.each([
    [pinterestProfile, 'preorder'],
    [tiktokProfile, 'available for order'],
    [microsoftProfile, 'preorder'],
  ] as const)('$platform has a word for backorder: %s', (profile, word) => {
    expect(of(profile).line({ availability: 'backorder' }).availability).toBe(word)
  })

  test('TikTok and Microsoft have names of their own', () => {
    expect(of(tiktokProfile).line()).toMatchObject({ sku_id: 'OS-1' })
    expect(of(microsoftProfile).line()).toMatchObject({ product_category: '1463' })
  })

  test.each<[FeedProfile, Partial<RefinedProduct>, string]>([
    [pinterestProfile, { sku: 'x'.repeat(128) }, 'id: The id has 128 characters; Pinterest takes at most 127'],
    [pinterestProfile, { link: `https://shop.example.test/${'p'.repeat(511)}` }, 'Pinterest takes at most 511'],
    [pinterestProfile, { availability: null }, 'send in_stock, out_of_stock, preorder or backorder'],
    [tiktokProfile, { brand: 'n/a' }, 'brand: The brand is missing; send one'],
    [tiktokProfile, { condition: null }, 'condition: The condition is not known; send new, refurbished or used'],
    [microsoftProfile, { sku: 'x'.repeat(51) }, 'Microsoft takes at most 50'],
    [microsoftProfile, { currency: 'n/a' }, '"n/a" is no currency of ISO 4217; send its code'],
    [microsoftProfile, { images: ['htp:/broken'] }, 'image_link: "htp:/broken" is no web address'],
    [microsoftProfile, { expirationDate: '2020-01-01' }, 'The offer ended on 2020-01-01'],
  ])('$platform refuses %o', (profile, change, reason) => {
    expect(of(profile).problems(change)).toEqual([expect.stringContaining(reason)])
  })

  test('an id that is also that of its group is refused (KF-23)', () => {
    expect(of(tiktokProfile).problems({ sku: 'T-1' }, 'T-1')).toEqual([
      expect.stringContaining('also that of the group'),
    ])
  })
})

describe('Amazon', () => {
  const { line, problems } = of(amazonProfile)

  test('a line is a listing: SKU, type and attributes, each a list', () => {
    expect(line({ quantity: 4 })).toMatchObject({
      ...{ sku: 'OS-1', operationType: 'UPDATE', productType: 'PRODUCT', requirements: 'LISTING' },
      attributes: {
        item_name: [{ value: 'Lumo oak stool for kitchen and bar' }],
        externally_assigned_product_identifier: [{ type: 'ean', value: '9520000000080' }],
        purchasable_offer: [{ currency: 'EUR', our_price: [{ schedule: [{ value_with_tax: 79 }] }] }],
        fulfillment_availability: [{ quantity: 4 }],
        other_product_image_locator_4: [{ media_location: 'https://cdn.example.test/e.jpg' }],
      },
    })
  })

  test('names marketplace, language and type where the feed is set up so', () => {
    const settings = { marketplaceId: 'M1', languageTag: 'de_DE', productType: 'STOOL_SEATING' }
    expect(amazonProfile.line({ ...feedOf(), settings })).toMatchObject({
      productType: 'STOOL_SEATING',
      attributes: { brand: [{ value: 'Lumo', language_tag: 'de_DE', marketplace_id: 'M1' }] },
    })
  })

  test('what was used is refused, since nobody knows how worn it is', () => {
    expect(problems({ condition: 'used' })).toEqual([expect.stringContaining('attributes.condition_type: Amazon asks')])
  })
})

describe('Heureka', () => {
  const { line, problems } = of(heurekaProfile)
  const crowns = { currency: 'CZK' }

  test.each<[string, Partial<RefinedProduct>, unknown]>([
    ['CATEGORYTEXT', crowns, 'Heureka.cz | Furniture | Stools'],
    ['CATEGORYTEXT', { currency: 'EUR' }, 'Furniture | Stools'],
    ['CATEGORYTEXT', { ...crowns, categoryPath: ['Heureka.cz', 'Stools'] }, 'Heureka.cz | Stools'],
    ['PRICE_VAT', { ...crowns, salePrice: '59.00' }, '59.00'],
    ['DELIVERY_DATE', crowns, '0'],
    ['DELIVERY_DATE', { availability: 'preorder', availabilityDate: '2026-12-01T08:00:00+01:00' }, '2026-12-01'],
    ['EAN', { gtin: '012345678905' }, '0012345678905'],
    ['EAN', { gtin: '09506000134352' }, '9506000134352'],
    ['EAN', { gtin: '10614141000415' }, undefined],
    [
      'PARAM',
      { color: 'Oak', options: { Color: 'Light oak' }, material: null },
      [{ PARAM_NAME: 'Color', VAL: 'Light oak' }],
    ],
  ])('%s of %o is %j', (name, change, value) => {
    expect(line(change)[name]).toEqual(value)
  })

  test.each<[Partial<RefinedProduct>, string]>([
    [{ currency: 'USD' }, 'Heureka takes prices in CZK or EUR'],
    [{ ...crowns, sku: 'Ä 1' }, 'has other characters than Heureka takes'],
    [{ ...crowns, availability: 'out_of_stock' }, 'Heureka takes what is in stock'],
    [{ ...crowns, categoryPath: [] }, 'The category is missing'],
    [{ ...crowns, images: [`https://cdn.example.test/${'i'.repeat(255)}`] }, 'Heureka takes at most 255'],
  ])('%o is refused', (change, reason) => {
    expect(problems(change)).toEqual([expect.stringContaining(reason)])
  })
})

describe('Yandex', () => {
  const { line, problems } = of(yandexProfile)
  const roubles = { currency: 'RUB' }

  test('the rouble goes by its former code, and a sale by two prices', () => {
    expect(line({ ...roubles, salePrice: '59.00' })).toMatchObject({
      price: '59.00',
      oldprice: '79.00',
      currencyId: 'RUR',
    })
    expect(line(roubles)).not.toHaveProperty('oldprice')
  })

  test('the same path has the same number, and another another', () => {
    const number = (categoryPath: string[]) => line({ ...roubles, categoryPath }).categoryId
    expect(number(['A', 'B'])).toBe(number(['A', ' B']))
    expect(new Set([['A', 'B'], ['B', 'A'], ['A'], ['AB']].map(number)).size).toBe(4)
    expect(number(['A', 'B'])).toMatch(/^\d{1,18}$/)
  })

  test('a group goes out where it is a number, and is not made one', () => {
    expect(line({ ...roubles, options: { Size: 'M' } }, '77').group_id).toBe('77')
    expect(line({ ...roubles, options: { Size: 'M' } }, 'T-1')).not.toHaveProperty('group_id')
  })

  test.each<[Partial<RefinedProduct>, string]>([
    [{ currency: 'CHF' }, 'Yandex takes no prices in CHF'],
    [{ ...roubles, categoryPath: [' '] }, 'The category is missing'],
  ])('%o is refused', (change, reason) => {
    expect(problems(change)).toEqual([expect.stringContaining(reason)])
  })
})
