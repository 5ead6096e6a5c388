/** Values of attributes that are money: the price, and what a product costs instead for now. */
import { aboveZero } from './above-zero.ts'
import { askedPrices } from './asked-prices.ts'
import { complaintsOf } from './complaints-of.ts'
import { currencyInForce } from './currency-in-force.ts'
import type { FieldValue, Refusal } from './feed-field.ts'
import type { MakeValue } from './field-values.ts'
import { amountText, moneyText } from './money-text.ts'
import { quoteValue } from './quote-value.ts'
import { amountShape, moneyShape } from './shapes.ts'

const currencyForm = /^[A-Z]{3}$/

/** What every platform refuses of a price, in its own attribute. */
const priceRefusals = (platform: string, source: string): readonly Refusal[] => {
  const { badPrice, badCurrency } = complaintsOf(platform)
  return [
    {
      asks: 'required, above zero, no finer than its currency',
      broken: ({ product: { price, currency } }) => badPrice(price, currency),
    },
    {
      asks: 'with its currency',
      mends: 'currency',
      broken: ({ product: { price, currency } }) =>
        currency === null || currencyForm.test(currency)
          ? badCurrency(price, currency)
          : `${quoteValue(currency)} is no currency of ISO 4217; send its code, as in EUR`,
    },
    currencyInForce(source),
  ]
}

const saleRefusals = (platform: string): readonly Refusal[] => [
  {
    asks: 'above zero and below the price, in the same currency',
    broken: ({ product: { price, salePrice, currency } }) => complaintsOf(platform).badSale(salePrice, price, currency),
  },
]

/** An amount that is none is refused, and does not go out where nobody asked. */
const money = (amount: string | null, currency: string | null) =>
  amount !== null && aboveZero(amount) ? moneyText(amount, currency) : null
const alone = (amount: string | null, currency: string | null) =>
  amount !== null && currency !== null && aboveZero(amount) ? amountText(amount, currency) : null

const refusing =
  (refusals: (platform: string, source: string) => readonly Refusal[], value: FieldValue): MakeValue =>
  ({ source }, platform) => ({ ...value, refusals: refusals(platform, source) })

export const priceValues = {
  price: refusing(priceRefusals, { shape: moneyShape, of: (p) => money(askedPrices(p, false).full, p.currency) }),
  salePrice: refusing(saleRefusals, { shape: moneyShape, of: (p) => money(askedPrices(p, false).sale, p.currency) }),
  /** Of platforms that are told when a sale holds. */
  datedSalePrice: refusing(saleRefusals, {
    shape: moneyShape,
    of: (p) => money(askedPrices(p, true).sale, p.currency),
  }),
  /** Of platforms that take one price and the former beside it, without their currency. */
  presentAmount: refusing((platform, source) => [...priceRefusals(platform, source), ...saleRefusals(platform)], {
    shape: amountShape,
    of: (p) => {
      const { full, sale } = askedPrices(p, false)
      return alone(sale ?? full, p.currency)
    },
  }),
  formerAmount: refusing(() => [], {
    shape: amountShape,
    of: (p) => {
      const { full, sale } = askedPrices(p, false)
      return sale === null ? null : alone(full, p.currency)
    },
  }),
} satisfies Record<string, MakeValue>
