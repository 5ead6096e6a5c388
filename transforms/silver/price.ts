/** Reads what a product costs: price, sale price and former price, and whether they go together. */
import { decimalsIn, mostDecimals } from '../../schemas/feeds/decimals.ts'
import type { CellWarning, ImportContext, MergedFields, SilverSettings } from '../../schemas/pipeline.ts'
import { compareAmounts } from './compare-amounts.ts'
import { exponent, moneyText } from './currency.ts'
import { codeIn } from './currency-for.ts'
import { type PriceDesk, refuseSale, warn } from './price-desk.ts'
import { quote } from './quote.ts'
import { type Money, readMoney } from './read-money.ts'
import { textOf } from './reading.ts'
import { severalValues } from './several-values.ts'

interface Prices {
  readonly price: string | null
  readonly salePrice: string | null
  /** See `RefinedProduct`. */
  readonly refusedSale: string | null
  readonly originalPrice: string | null
  readonly currency: string | null
  readonly warnings: readonly CellWarning[]
}

export function readPrices(
  fields: MergedFields,
  contexts: (id: number) => ImportContext | undefined,
  settings: SilverSettings,
): Prices {
  const desk: PriceDesk = { fields, contexts, settings, warnings: [], refusedSale: null }
  const price = readMoney(desk, 'price')
  const sale = readMoney(desk, 'sale_price')
  const original = readMoney(desk, 'original_price')
  if (!price) {
    if (sale)
      warn(desk, sale.cell, 'sale_without_price', `${shown(sale)} is a sale price without a price; give the price too`)
    if (original && !/^[0.]+$/.test(original.amount)) {
      const says = `${shown(original)} is a former price without a price; give the price too`
      warn(desk, original.cell, 'original_without_price', says)
    }
    const { currency } = statedCurrency(desk)
    const none = { price: null, salePrice: null, refusedSale: null, originalPrice: null }
    return { ...none, currency, warnings: desk.warnings }
  }
  const currency = price.currency ?? alike(price, sale) ?? alike(price, original)
  tellFineness(desk, price, currency)
  const holds = sale !== null && saleHolds(desk, price, sale, currency)
  if (holds) tellFineness(desk, sale, currency)
  const former = original !== null && formerHolds(desk, price, original, currency) ? original : null
  if (former) tellFineness(desk, former, currency)
  return {
    price: moneyText(price.amount, currency).text,
    salePrice: holds ? moneyText(sale.amount, currency).text : null,
    refusedSale: desk.refusedSale,
    originalPrice: former ? moneyText(former.amount, currency).text : null,
    currency,
    warnings: desk.warnings,
  }
}

/** More decimals than the currency has, or than any has where nobody says which it is: 0.30000000000000004 is what programs make of 0.3. */
function tellFineness(desk: PriceDesk, money: Money, currency: string | null) {
  const most = currency === null ? mostDecimals : exponent(currency)
  if (most === null || decimalsIn(money.amount) <= most) return
  const has = currency === null ? `any currency (${most})` : `${currency} (${most})`
  warn(desk, money.cell, 'too_many_decimals', `${shown(money)} has more decimals than ${has}; platforms will round it`)
}

const shown = (money: Money) => quote(textOf(money.cell))

/** A currency that only its neighbour in the same source names. */
const alike = (price: Money, other: Money | null) => (other?.cell.source === price.cell.source ? other.currency : null)

/** An amount without a currency is in its neighbour's where one source says both; between sources nobody knows. */
function sameCurrency(price: Money, other: Money, currency: string | null): boolean {
  if (other.currency !== null) return other.currency === currency
  return currency === null || other.cell.source === price.cell.source
}

/** Programs write the price itself, or zero, where there was none before. */
function formerHolds(desk: PriceDesk, price: Money, original: Money, currency: string | null): boolean {
  if (/^[0.]+$/.test(original.amount)) return false
  if (!sameCurrency(price, original, currency)) {
    const says = `${shown(original)} is in ${original.currency ?? 'an unknown currency'} and the price in ${currency}; give both in one currency`
    warn(desk, original.cell, 'original_other_currency', says)
    return false
  }
  const difference = compareAmounts(original.amount, price.amount)
  if (difference < 0) {
    const says = `${shown(original)} is below the price ${quote(textOf(price.cell))}; a former price is what a buyer paid before`
    warn(desk, original.cell, 'original_below_price', says)
  }
  return difference > 0
}

function saleHolds(desk: PriceDesk, price: Money, sale: Money, currency: string | null): boolean {
  if (!sameCurrency(price, sale, currency)) {
    const says = `${shown(sale)} is in ${sale.currency ?? 'an unknown currency'} and the price in ${currency}; give both in one currency`
    warn(desk, sale.cell, 'sale_other_currency', says)
    // Written anew without one it would be taken for the price's.
    if (sale.currency !== null) refuseSale(desk, sale.amount, sale.currency)
    return false
  }
  if (/^[0.]+$/.test(sale.amount)) {
    if (!/^[0.]+$/.test(price.amount))
      warn(
        desk,
        sale.cell,
        'sale_price_zero',
        `${shown(sale)} would give the product away; leave the cell blank for no sale`,
      )
    return false
  }
  const difference = compareAmounts(sale.amount, price.amount)
  if (difference < 0) return true
  // Programs write the price itself where there is no sale.
  if (difference > 0) refuseSale(desk, sale.amount, currency)
  const says = `${shown(sale)} is not below the price ${quote(textOf(price.cell))}; a sale price is what a buyer pays instead`
  warn(desk, sale.cell, 'sale_not_below_price', says)
  return false
}

/** A product may say its currency before it has a price. */
function statedCurrency(desk: PriceDesk): { currency: string | null } {
  const cell = desk.fields.get('currency')
  return { currency: cell && !severalValues(cell) ? codeIn(desk, cell, textOf(cell), undefined) : null }
}
