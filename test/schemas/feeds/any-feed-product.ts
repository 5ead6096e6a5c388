/** Products as feeds see them: complete but for a few fields that hold anything at all, so that many of them are valid. */
import fc from 'fast-check'
import type { FeedProduct } from '../../../schemas/feeds/profile.ts'
import { anyProduct } from './arbitrary-product.ts'
import { complete, judgedAt } from './complete-product.ts'

const amounts = ['9.5', '1500', '12.345', '0.01', '79.00', '250', '1299.00', '0', '100000000000000000.5']
const dates = '2026-11-28/2026-12-01'

/** What silver's own laws leave of them: an amount is decimal text, a currency a code. */
const money = fc.record({
  price: fc.constantFrom(...amounts),
  salePrice: fc.option(fc.constantFrom(...amounts)),
  originalPrice: fc.option(fc.constantFrom(...amounts)),
  salePriceEffectiveDate: fc.option(fc.constantFrom(dates, '2026-11-28/..')),
  currency: fc.constantFrom('EUR', 'CZK', 'RUB', 'USD', 'JPY', 'KWD'),
})

/** Texts in which everything that means something to a reader of files is frequent. */
const awkward = fc.string({
  unit: fc.constantFrom(
    '"',
    '""',
    ',',
    ';',
    '\t',
    '\r',
    '\n',
    '\r\n',
    ' ',
    '&',
    '<',
    '>',
    ']]>',
    'é',
    '🚀',
    'a',
    "'",
    '\\',
  ),
  minLength: 1,
  maxLength: 30,
})
const texts = fc.record({ title: awkward, description: awkward, color: awkward, brand: awkward }, { requiredKeys: [] })

const replaced = Object.keys(complete).filter(
  (name) => !['price', 'salePrice', 'originalPrice', 'salePriceEffectiveDate', 'currency'].includes(name),
)

export const anyFeedProduct: fc.Arbitrary<FeedProduct> = fc
  .record({
    any: anyProduct,
    names: fc.subarray(replaced, { maxLength: 6 }),
    texts,
    money: fc.option(money, { nil: {} }),
    itemGroupId: fc.option(fc.oneof(fc.constantFrom('T-1', '7'), fc.string())),
    settings: fc.constantFrom(
      { sellerName: 'Lumo' },
      {
        sellerName: 'Lumo & Söhne',
        foldsWaiting: true,
        listsInOneColumn: true,
        marketplaceId: 'M1',
        languageTag: 'en_US',
      },
    ),
  })
  .map(({ any, names, texts, money, itemGroupId, settings }) => {
    const taken = Object.fromEntries(Object.entries(any).filter(([name]) => names.includes(name)))
    const product = { ...complete, ...taken, ...texts, ...money }
    return { id: product.sku ?? 'product-id', itemGroupId, product, at: judgedAt, settings }
  })
