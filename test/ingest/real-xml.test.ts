import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ProductResource } from '../../serving/workspace/product-resource.ts'
import type { Ledger, Running } from '../running.ts'
import { sharedAssay } from '../shared-assay.ts'
import { expectedPrices, metric, numbersIn, overShared, priceFigures, sharedIsThere } from './expected-figures.ts'
import { expectValidFeeds } from './feeds-of.ts'
import { forSale, topLevel } from './real-cases.ts'
import { realImports } from './real-imports.ts'
import { gradeCatalog } from './real-scores.ts'
import { areWorthWhatWasReviewed } from './real-worth.ts'
import { arabic, atom, cases, countBy, countsIn, czech, feeds, heureka, oneGroup, sentences } from './real-xml-cases.ts'

let assay: Running
beforeAll(async () => {
  if (sharedIsThere) assay = await sharedAssay()
})
afterAll(() => assay?.close())

const imported = realImports(() => assay)
const real = test.skipIf(!sharedIsThere)
const total = (l: Ledger) => l.created + l.updated + l.unchanged + l.duplicate + l.rejected

describe.each(cases)('$file', ({ file, counts, note }) => {
  real(overShared('is read whole, every item with exactly one result, and a second time changes nothing'), async () => {
    const { first, again } = await imported(file)
    const { second, written } = await again()
    const read = metric(file, counts)
    const [surplus = 0] = file === heureka ? [] : numbersIn(file, /id: .* \((\d+) surplus rows\)/)
    expect(first).toMatchObject({ read, created: read - surplus, duplicate: surplus, rejected: 0 })
    expect(total(first)).toBe(read)
    expect(second).toMatchObject({ read, created: 0, updated: 0, unchanged: read - surplus, duplicate: surplus })
    expect(written[1]).toBe(written[0])
  })

  real(overShared('is known for what it is'), async () => {
    expect((await imported(file)).first.notes).toContainEqual(expect.stringMatching(`^${note}: products are /`))
  })
})

describe.each(cases)('feeds of $file', ({ file }) => {
  real(overShared('are valid, as readers of others read them'), async () => {
    await expectValidFeeds(assay, (await imported(file)).catalog)
  })
})

/** A duplicate item costs what the one that it repeats costs. */
function byItem(
  { products, rows }: { products: readonly ProductResource[]; rows: readonly Record<string, string>[] },
  of: (product: ProductResource) => number | null,
) {
  const bySku = new Map(products.flatMap((product) => (product.sku === null ? [] : [[product.sku, product] as const])))
  return rows.map(({ id = '' }) => {
    const product = bySku.get(id)
    return product ? of(product) : null
  })
}

describe.each(feeds)('the feed $file', ({ file, counts }) => {
  real(overShared('keeps every price to the last digit, in the currency of each item'), async () => {
    const found = await imported(file)
    const prices =
      counts === 'items' ? byItem(found, ({ price }) => price) : forSale(found.products).map(({ price }) => price)
    expect(priceFigures(prices)).toEqual(expectedPrices(file, 'price'))
    const [surplus = 0] = numbersIn(file, /id: .* \((\d+) surplus rows\)/)
    const expected = countsIn(file, /^price: .*?currency (\{.*?\})/, await sentences(file))
    const currencies = countBy(forSale(found.products), ({ currency }) => currency)
    const [only] = Object.keys(expected)
    if (surplus > 0 && only) expected[only] = (expected[only] ?? 0) - surplus
    expect(currencies).toEqual(expected)
  })
})

const withGtins = cases.filter(({ file }) => !file.startsWith('yandex'))
real.each(withGtins)(overShared('$file has exactly the valid GTINs'), async ({ file }) => {
  const { products, rows } = await imported(file)
  const [valid, of, distinct] = numbersIn(file, /GTIN: (\d+) of (\d+) rows valid \((\d+) distinct/)
  const gtins = forSale(products).flatMap(({ gtin }) => gtin ?? [])
  expect(new Set(gtins).size).toBe(distinct)
  expect(rows).toHaveLength(of ?? 0)
  const repeated = rows.length - forSale(products).length
  expect(gtins).toHaveLength((valid ?? 0) - repeated)
})

real.each(feeds.filter(({ counts }) => counts === 'items'))(
  overShared('$file has the availability and condition of each item'),
  async ({ file }) => {
    const { first, products } = await imported(file)
    const said = await sentences(file)
    const condition = countsIn(file, /condition (\{.*?\})/, said)
    const repeated = first.duplicate
    expect(countBy(forSale(products), (p) => p.condition)).toEqual(
      Object.fromEntries(Object.entries(condition).map(([word, n]) => [word, n - repeated])),
    )
    const availability = countsIn(file, /availability (\{.*?\})/, said)
    if (file === atom) {
      // No platform has the word, and no default is safe.
      expect(countBy(forSale(products), (p) => p.availability)).toEqual({ null: availability.true })
      expect(first.warnings.unknown_availability).toBe(availability.true)
      return
    }
    const [[word = '', n = 0] = [], [other = '', m = 0] = []] = Object.entries(availability)
    const expected = { [word.replace(' ', '_')]: n - repeated, ...(m > 0 ? { [other]: m } : {}) }
    expect(countBy(forSale(products), (p) => p.availability)).toEqual(expected)
  },
)

real(overShared('sale prices in a currency of three decimals are kept as the feed means them'), async () => {
  const { products } = await imported(arabic)
  expect(priceFigures(products.map(({ salePrice }) => salePrice))).toEqual(expectedPrices(arabic, 'sale_price'))
  const { rows } = await assay.system.catalog.pipeline.query(
    `select refined ->> 'price' as price from products where catalog_id = $1 and refined ->> 'price' !~ '^\\d+\\.\\d{3}$'`,
    [(await imported(arabic)).catalog],
  )
  expect(rows).toEqual([])
})

real(overShared('the price of a nested shipping is no price of a product, and is kept'), async () => {
  const { context, rows } = await imported(czech)
  expect(context.mapping['shipping.price']).toBeUndefined()
  expect(rows.filter((row) => row['shipping.price'] === '79 CZK').length).toBeGreaterThan(1_000)
})

real(overShared('all images of an item are one list, in order'), async () => {
  const { products, rows } = await imported(czech)
  const [most = 0] = numbersIn(czech, /most additional images (\d+)/)
  expect(Math.max(...products.map(({ images }) => images.length))).toBe(most + 1)
  const first = rows[0]
  expect(products.find(({ sku }) => sku === first?.id)?.images.join()).toBe(
    `${first?.image_link},${first?.additional_image_link}`,
  )
})

real(overShared('one item group is one product with its variants'), async () => {
  const { products } = await imported(oneGroup)
  expect({ products: topLevel(products).length, variants: forSale(products).length }).toEqual({
    products: 1,
    variants: 4,
  })
  expect(new Set(forSale(products).map(({ itemGroupId }) => itemGroupId))).toEqual(new Set(['22820640300']))
})

real(overShared('seven with one title and one GTIN stay seven'), async () => {
  const { products } = await imported(atom)
  expect(products.map(({ sku }) => sku).sort()).toEqual(['TV_1', 'TV_2', 'TV_3', 'TV_4', 'TV_5', 'TV_6', 'TV_7'])
})

describe("Heureka's sample", () => {
  real(
    overShared('costs what it costs with VAT, in crowns by the platform, which is reported as a guess'),
    async () => {
      const { first, products, context } = await imported(heureka)
      const [numeric, min, max, sum] = numbersIn(
        heureka,
        /PRICE_VAT on all, integers .*'numeric': (\d+).*'min': ([\d.]+), 'max': ([\d.]+), 'sum': ([\d.]+)/,
      )
      const prices = products.map(({ price }) => price ?? Number.NaN)
      expect([prices.length, Math.min(...prices), Math.max(...prices), prices.reduce((a, b) => a + b, 0)]).toEqual([
        numeric,
        min,
        max,
        sum,
      ])
      expect(new Set(products.map(({ currency }) => currency))).toEqual(new Set(['CZK']))
      expect(context.currencies.PRICE_VAT).toMatchObject({ code: 'CZK', guess: true })
      expect(first.notes).toContainEqual(expect.stringMatching(/"PRICE_VAT" are read as CZK, which is a guess/))
      expect(first.warnings.gtin_bad_check_digit).toBe(numbersIn(heureka, /bad-check-digit (\d+)/)[0])
    },
  )

  real(overShared('keeps the price before VAT, every ISBN and every parameter'), async () => {
    const { products, rows } = await imported(heureka)
    expect(rows.flatMap(({ PRICE }) => PRICE || []).sort()).toEqual(['5 000,50', '5 000,50', '5000'])
    const [params, isbns] = numbersIn(heureka, /(\d+) PARAM; (\d+) ISBN/)
    expect(rows.filter(({ ISBN }) => ISBN)).toHaveLength(isbns ?? 0)
    expect(products.flatMap(({ attributes }) => Object.keys(attributes))).toHaveLength(params ?? 0)
    const bike = products.find(({ title }) => title === 'Author Context 2010')
    expect(bike?.attributes).toMatchObject({ Hmotnost: '12kg', Velikost: ['16,5"', '17,5"', '19"', '20"', '21"'] })
    expect(products.filter(({ condition }) => condition === 'used').length).toBe(1)
  })
})

describe('of the Yandex feeds', () => {
  real(
    overShared('eighty-eight offers with one address stay apart, and nobody knows whether they are there'),
    async () => {
      const { first, products } = await imported('yandex-yml/aliexpress.xml')
      expect(new Set(products.map(({ link }) => link)).size).toBe(1)
      expect(new Set(products.map(({ availability }) => availability))).toEqual(new Set([null]))
      const [above = 0] = numbersIn('yandex-yml/aliexpress.xml', /oldprice not above price on (\d+)/)
      expect(products.filter(({ originalPrice }) => originalPrice !== null)).toHaveLength(88 - above)
      expect(first.notes).toContainEqual(expect.stringMatching(/^88 offers are in categories/))
    },
  )

  real(overShared('what is not available is out of stock, and has its whole category'), async () => {
    const { products } = await imported('yandex-yml/all-not-available.xml')
    expect(countBy(products, ({ availability }) => availability)).toEqual({ out_of_stock: 6 })
    expect(products[0]?.categoryPath).toEqual(['Бытовая техника', 'Мелкая техника для кухни'])
    const available = (await imported('yandex-yml/products.xml')).products
    expect(countBy(available, ({ availability }) => availability)).toEqual({ in_stock: 6 })
  })

  real(overShared('a model with its vendor is a title; an offer with neither has none'), async () => {
    const models = (await imported('yandex-yml/cis-currencies.xml')).products
    expect(new Set(models.map(({ title }) => title))).toEqual(new Set(['Eset Антивирус ESET NOD32 Platinum Edition']))
    const { products } = await imported('yandex-yml/no-name-model.xml')
    expect(products.map(({ title, stage }) => [title, stage])).toEqual([
      [null, 'gold'],
      [null, 'gold'],
    ])
    const emoji = (await imported('yandex-yml/emoji.xml')).products
    expect(emoji[0]).toMatchObject({ brand: '🐈‍⬛ 🐈‍⬛ 🌒', categoryPath: [] })
    expect(emoji[0]?.title).toContain('🐈‍⬛ 🐈‍⬛ 🌒')
  })
})

areWorthWhatWasReviewed(
  'real-xml.scores.txt',
  cases.map(({ file }) => file),
  async (file) => gradeCatalog(assay, file, (await imported(file)).catalog),
)
