import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { googleProfile } from '../../../schemas/feeds/google.ts'
import { problemsOf } from '../../../schemas/feeds/problems-of.ts'
import { platforms, profileFor } from '../../../schemas/feeds/registry.ts'
import type { RefinedProduct } from '../../../schemas/product.ts'
import { anyProduct } from './arbitrary-product.ts'
import { bare, feedOf, judgedAt } from './complete-product.ts'

const line = (change: Partial<RefinedProduct> = {}, group: string | null = null) =>
  googleProfile.line(feedOf(change, group))
const problems = (change: Partial<RefinedProduct>, group: string | null = null) =>
  problemsOf(googleProfile, feedOf(change, group))

describe('what Google refuses', () => {
  test('a complete product is taken', () => {
    expect(problems({})).toEqual([])
  })

  test('a product that says nothing is told every required attribute, in sentences', () => {
    const found = problemsOf(googleProfile, { id: '', itemGroupId: null, product: bare, at: judgedAt })
    expect(found.map(({ field }) => field)).toEqual([
      'id',
      'title',
      'description',
      'link',
      'image_link',
      'availability',
      'price',
      'price',
    ])
    for (const { reason } of found) expect(reason).toMatch(/^The .+; (send|give) .+/)
  })

  test.each<[string, Partial<RefinedProduct>, string]>([
    ['id', { sku: 'x'.repeat(51) }, 'The id has 51 characters; Google takes at most 50'],
    ['link', { link: 'shop.example.test/p' }, '"shop.example.test/p" is no web address; the link must start with'],
    ['link', { link: `https://shop.example.test/${'p'.repeat(2000)}` }, 'Google takes at most 2000'],
    ['image_link', { images: ['htp:/broken'] }, '"htp:/broken" is no web address'],
    ['image_link', { images: [`https://cdn.example.test/${','.repeat(700)}`] }, 'Google takes at most 2000'],
    ['price', { currency: null }, 'The price "79.00" has no currency'],
    ['price', { price: '0.00' }, 'The price "0.00" is not above zero'],
    ['sale_price', { salePrice: '79.00' }, 'The sale price "79.00" is not between zero and the price "79.00"'],
    ['sale_price', { salePrice: '100.00' }, 'lower it or leave it out'],
    ['sale_price', { salePrice: '0.00' }, 'lower it or leave it out'],
    ['brand', { brand: 'é'.repeat(71) }, 'The brand has 71 characters; Google takes at most 70'],
    ['mpn', { mpn: '🚀'.repeat(71) }, "The maker's part number has 71 characters"],
    ['price', { currency: 'DEM' }, 'ISO 4217 has withdrawn it'],
    ['price', { price: '0.004', currency: 'KWD' }, 'makes nothing of the price "0.004"'],
    ['sale_price', { salePrice: '0.004', currency: 'KWD' }, 'makes nothing of the sale price "0.004"'],
    ['sale_price', { price: '12.3456', salePrice: '12.3455', currency: 'CLF' }, 'no lower than "12.3456"'],
    ['sale_price', { originalPrice: '79.004', price: '79.001', currency: 'KWD' }, 'no lower than "79.004"'],
    ['availability_date', { availability: 'preorder' }, 'needs the date from which it ships'],
    ['availability_date', { availability: 'backorder' }, 'send in_stock or out_of_stock'],
    ['availability_date', { availability: 'preorder', availabilityDate: 'soon' }, 'needs the date'],
  ])('%s: %o', (field, change, reason) => {
    expect(problems(change)).toMatchObject([{ field, reason: expect.stringContaining(reason) }])
  })

  test.each<[string, Partial<RefinedProduct>, string]>([
    ['price', { price: '0.004' }, 'The price "0.004" would be rounded, since EUR has 2 decimals;'],
    ['price', { price: '0.30000000000000004' }, 'EUR has 2 decimals'],
    ['price', { price: '1500.5', currency: 'JPY' }, 'JPY has no decimals'],
    ['price', { price: '12.3456', currency: 'KWD' }, 'KWD has 3 decimals'],
    ['price', { originalPrice: '99.005' }, 'The former price "99.005" would be rounded'],
    ['sale_price', { salePrice: '9.999' }, 'The sale price "9.999" would be rounded'],
  ])('%s: %o, which Google would round (KF-14)', (field, change, reason) => {
    expect(problems(change)).toMatchObject([{ field, reason: expect.stringContaining(reason) }])
  })

  test.each<Partial<RefinedProduct>>([
    { price: '1500', currency: 'JPY' },
    { price: '12.345', currency: 'KWD' },
    { price: '0.005', currency: 'KWD' },
    { price: '12.345', salePrice: '12.334', currency: 'KWD' },
    { price: '250.00', currency: 'TWD' },
    { price: '9.5' },
    { price: '1500.00', currency: 'JPY' },
    { originalPrice: '9.999' },
    { originalPrice: '99.999', salePrice: '9.99' },
  ])(
    '%o is sent as it is: zeros at the end are nothing that is lost, nor is a former price that is not sent',
    (change) => {
      expect(problems(change)).toEqual([])
    },
  )

  test('a product on preorder or backorder is taken with the date from which it ships', () => {
    for (const availability of ['preorder', 'backorder'] as const)
      expect(problems({ availability, availabilityDate: '2026-12-01' })).toEqual([])
  })

  describe.each(['166', '1604', '187', '178', 'Apparel & Accessories > Shoes'])('something to wear, %s', (category) => {
    const worn = { googleProductCategory: category, color: 'Black', gender: 'female', ageGroup: 'adult', size: 'M' }

    test('is taken with colour, gender, age group and size', () => expect(problems(worn)).toEqual([]))

    test.each<[string, Partial<RefinedProduct>]>([
      ['color', { color: null }],
      ['color', { color: '#000000' }],
      ['gender', { gender: null }],
      ['gender', { gender: 'herren' }],
      ['age_group', { ageGroup: null }],
      ['age_group', { ageGroup: 'teen' }],
    ])('is refused for its %s: %o', (field, change) => {
      expect(problems({ ...worn, ...change })).toEqual([
        { field, reason: expect.stringContaining('Google takes nothing to wear') },
      ])
    })

    test.each(['#FF0000', '5', '12-B'])('is refused for the colour %s, which is named', (color) => {
      const reason = `Google takes nothing to wear with a code or a number for its colour: "${color}"; send its name, as in Black`
      expect(problems({ ...worn, color })).toEqual([{ field: 'color', reason }])
    })

    test('is refused for a colour that is too long, which is named', () => {
      expect(problems({ ...worn, color: 'Blue'.repeat(30) })).toEqual([
        { field: 'color', reason: expect.stringMatching(/more than 40 characters.*: "(Blue)+…"/) },
      ])
    })

    test('has to have a size where it comes in sizes', () => {
      const comesInSizes = !['166', '178'].includes(category)
      expect(problems({ ...worn, size: null }).map(({ field }) => field)).toEqual(comesInSizes ? ['size'] : [])
    })
  })

  test('nobody is asked for these of what is not worn, or of what has no category of Google', () => {
    const plain = { color: null, gender: null, ageGroup: null, size: null }
    for (const googleProductCategory of [null, '1463', '784'])
      expect(problems({ ...plain, googleProductCategory })).toEqual([])
  })

  test.each<[string, Partial<RefinedProduct>, string]>([
    ['availability_date', { availability: 'preorder', availabilityDate: '2029-01-01' }, 'more than a year ahead'],
    ['availability_date', { availability: 'backorder', availabilityDate: '2027-11-29' }, 'more than a year ahead'],
    ['expiration_date', { expirationDate: '2030-01-01' }, 'more than a year ahead'],
    ['expiration_date', { expirationDate: '2027-11-28T13:00:00Z' }, 'more than a year ahead'],
    ['expiration_date', { expirationDate: '2020-01-01' }, 'The offer ended on 2020-01-01; send a later date'],
    ['expiration_date', { expirationDate: '2026-11-27' }, 'The offer ended'],
    ['expiration_date', { expirationDate: '2026-11-28T13:00:00+02:00' }, 'The offer ended'],
  ])('%s: %o, as of the time of judging', (field, change, reason) => {
    expect(problems(change)).toEqual([{ field, reason: expect.stringContaining(reason) }])
  })

  test.each<Partial<RefinedProduct>>([
    { expirationDate: '2026-11-28' },
    { expirationDate: '2026-11-28T13:00:00Z' },
    { expirationDate: '2027-11-28' },
    { expirationDate: 'soon' },
    { availability: 'preorder', availabilityDate: '2027-11-28T13:00:00+01:00' },
    { availability: 'in_stock', availabilityDate: '2029-01-01' },
    // The rules that we have of Google name no date that is too early.
    { availability: 'preorder', availabilityDate: '2020-01-01' },
  ])('%o is within the year, still holds, or is no date of the line', (change) => expect(problems(change)).toEqual([]))

  test('an item group id beyond 50 characters', () => {
    expect(problems({}, 'g'.repeat(51))).toMatchObject([{ field: 'item_group_id' }])
  })

  test('limits count characters and not code units', () => {
    expect(problems({ sku: '🚀'.repeat(50), brand: '🚀'.repeat(70) })).toEqual([])
  })

  test('a long title or description is cut, a missing identifier is said, an odd extra is left out: no problem', () => {
    const long = { title: 'Oak '.repeat(100), description: 'Oak '.repeat(2000) }
    expect(problems({ ...long, gtin: null, brand: null, gender: 'herren', condition: null })).toEqual([])
  })

  test('one bad product says nothing about its neighbours (KF-26)', () => {
    const rows = [feedOf({ sku: 'P-1' }), feedOf({ sku: 'P-2', images: ['htp:/broken'] }), feedOf({ sku: 'P-3' })]
    expect(rows.filter((row) => problemsOf(googleProfile, row).length === 0).map(({ id }) => id)).toEqual([
      'P-1',
      'P-3',
    ])
  })
})

describe('a line of the feed', () => {
  test('has the attributes that are known, in a fixed order', () => {
    const dated = { availability: 'preorder', availabilityDate: '2026-12-01', expirationDate: '2027-03-31' } as const
    const sale = { salePrice: '59.00', salePriceEffectiveDate: '2026-11-28/2026-12-24' }
    const measured = { length: '40 cm', width: '40 cm', height: '75 cm' }
    const sold = { unitPricingMeasure: '2 ct', unitPricingBaseMeasure: '1 ct' }
    const all = { ...dated, ...sale, ...measured, ...sold, size: 'Tall', mpn: 'OS' }
    expect(Object.keys(line(all, 'T-1')).join()).toBe(
      'id,title,description,link,image_link,additional_image_link,availability,availability_date,expiration_date,price,sale_price,' +
        'sale_price_effective_date,unit_pricing_measure,unit_pricing_base_measure,brand,gtin,mpn,condition,' +
        'google_product_category,product_type,item_group_id,color,size,material,product_length,product_width,product_height,' +
        'product_weight',
    )
  })

  test.each([
    ['1500', 'JPY', '1500 JPY'],
    ['12.345', 'KWD', '12.345 KWD'],
    ['250.00', 'TWD', '250.00 TWD'],
    ['9.50', 'EUR', '9.50 EUR'],
  ])("%s %s keeps its currency's digits (KF-14)", (price, currency, text) => {
    expect(line({ price, currency }).price).toBe(text)
  })

  test('a former price is the full price and the present one the sale', () => {
    expect(line({ originalPrice: '99.00' })).toMatchObject({ price: '99.00 EUR', sale_price: '79.00 EUR' })
  })

  test('a real sale price wins over a former price', () => {
    const sale = line({ originalPrice: '99.00', salePrice: '59.00' })
    expect(sale).toMatchObject({ price: '79.00 EUR', sale_price: '59.00 EUR' })
  })

  test('a former price that is not above the price says nothing', () => {
    expect(line({ originalPrice: '79.0' })).toMatchObject({ price: '79.00 EUR' })
    expect(line({ originalPrice: '79.0' })).not.toHaveProperty('sale_price')
  })

  test('a sale for a time goes out with the whole of that time, or not at all', () => {
    const sale = { salePrice: '59.00', salePriceEffectiveDate: '2026-11-28/2026-12-24' }
    expect(line(sale)).toMatchObject({
      sale_price: '59.00 EUR',
      sale_price_effective_date: '2026-11-28T00:00Z/2026-12-24T23:59Z',
    })
    const open = line({ ...sale, salePriceEffectiveDate: '2026-11-28/..' })
    expect(open).toMatchObject({ price: '79.00 EUR' })
    for (const name of ['sale_price', 'sale_price_effective_date']) expect(open).not.toHaveProperty(name)
    expect(line({ salePriceEffectiveDate: '2026-11-28/2026-12-24' })).not.toHaveProperty('sale_price_effective_date')
  })

  test('a date from which it ships stands beside preorder and backorder alone', () => {
    expect(line({ availability: 'backorder', availabilityDate: '2026-12-01T08:00:00+01:00' })).toMatchObject({
      availability_date: '2026-12-01T08:00+0100',
    })
    expect(line({ availabilityDate: '2026-12-01' })).not.toHaveProperty('availability_date')
  })

  test('variants carry their group and singles none (KF-23)', () => {
    expect(line({ sku: 'T-1-S' }, 'T-1')).toMatchObject({ id: 'T-1-S', item_group_id: 'T-1' })
    expect(line({ sku: 'S-9' })).not.toHaveProperty('item_group_id')
  })

  test('title and description end at their limits, between whole characters', () => {
    const cut = line({ title: `${'a'.repeat(149)}🇩🇪`, description: 'd'.repeat(6000) })
    expect(cut.title).toBe('a'.repeat(149))
    expect(cut.description).toHaveLength(5000)
  })

  test('at most ten further images, broken ones left out, commas encoded', () => {
    const images = Array.from({ length: 14 }, (_, n) => `https://cdn.example.test/i,${n}.jpg`)
    const { image_link, additional_image_link } = line({ images: images.toSpliced(2, 0, 'htp:/broken') })
    expect(image_link).toBe('https://cdn.example.test/i%2C0.jpg')
    expect(additional_image_link).toEqual(images.slice(1, 11).map((text) => text.replace(',', '%2C')))
  })

  test.each<[string, Partial<RefinedProduct>, string | undefined]>([
    ['a GTIN', { brand: null }, undefined],
    ['brand and part number', { gtin: null, mpn: 'OS' }, undefined],
    ['a brand alone', { gtin: null }, 'no'],
    ['a part number beside a placeholder', { gtin: null, mpn: 'OS', brand: 'N/A' }, 'no'],
    ['a restricted GTIN', { gtin: '2012345678903' }, 'no'],
    ['a brand on apparel', { gtin: null, googleProductCategory: '1604' }, undefined],
    ['nothing on apparel', { gtin: null, brand: null, googleProductCategory: '1604' }, 'no'],
    ['brand and part number of a book', { gtin: null, mpn: 'OS', googleProductCategory: '784' }, 'no'],
  ])('%s: identifier_exists', (_what, change, value) => {
    expect(line(change).identifier_exists).toBe(value)
  })

  test('a placeholder, a restricted GTIN and an unknown condition are left out', () => {
    const sparse = line({ brand: 'n/a', gtin: '2012345678903', condition: null })
    for (const name of ['brand', 'gtin', 'condition']) expect(sparse).not.toHaveProperty(name)
  })

  test.each<[string, Partial<RefinedProduct>, unknown]>([
    ['color', { color: 'Black, White ; Red/Blue' }, 'Black/White/Red'],
    ['color', { color: '#ff0000' }, undefined],
    ['gender', { gender: 'Female' }, 'female'],
    ['gender', { gender: 'herren' }, undefined],
    ['age_group', { ageGroup: 'kids' }, 'kids'],
    ['product_weight', { weight: '1.5KG' }, '1.5 kg'],
    ['product_weight', { weight: '2001 g' }, undefined],
    ['product_weight', { weight: '3 stone' }, undefined],
    ['size', { size: 'x'.repeat(101) }, undefined],
    ['product_type', { categoryPath: ['Home', 'Stools'] }, 'Home > Stools'],
    ['product_type', { categoryPath: ['Home', 'x'.repeat(745)] }, 'Home'],
  ])('%s of %o is %j', (name, change, value) => {
    expect(line(change)[name]).toBe(value)
  })

  test('nothing empty is ever sent and nothing throws, whatever the product says', () => {
    fc.assert(
      fc.property(anyProduct, fc.option(fc.string()), (product, itemGroupId) => {
        const feed = { id: product.sku ?? 'id', itemGroupId, product, at: judgedAt }
        for (const value of Object.values(googleProfile.line(feed))) {
          expect(Array.isArray(value) || typeof value === 'string').toBe(true)
          expect(String(value).trim()).not.toBe('')
        }
        problemsOf(googleProfile, feed)
      }),
    )
  })

  test('a product without problems has every required attribute', () => {
    fc.assert(
      fc.property(anyProduct, (change) => {
        const product = { ...feedOf().product, color: change.color, brand: change.brand, images: change.images }
        const feed = { id: change.sku ?? 'id', itemGroupId: change.itemGroupId, product, at: judgedAt }
        if (problemsOf(googleProfile, feed).length > 0) return
        const required = ['id', 'title', 'description', 'link', 'image_link', 'availability', 'price']
        expect(Object.keys(googleProfile.line(feed))).toEqual(expect.arrayContaining(required))
      }),
    )
  })
})

describe('a platform', () => {
  test.each(['google', 'search-shopping'])('is found as %s', (name) => {
    expect(profileFor(name)).toBe(googleProfile)
  })

  test.each(['', 'Google', 'toString', '__proto__', 'bing'])('is not found as %j', (name) => {
    expect(profileFor(name)).toBeUndefined()
  })

  test('has a bit of its own', () => {
    const bits = platforms.map(({ bit }) => bit)
    expect(new Set(bits).size).toBe(bits.length)
    for (const bit of bits) expect(Math.log2(bit) % 1).toBe(0)
  })

  test('that grades ask is one that is written', () => {
    for (const { platform, version } of platforms) expect(profileFor(platform)).toMatchObject({ platform, version })
  })

  test.each(platforms)('$platform says of each rule what it asks and which page says so', ({ rules }) => {
    for (const { asks, source } of rules) {
      expect(asks.length).toBeGreaterThan(5)
      expect(source).toMatch(/^https:\/\//)
    }
  })
})
