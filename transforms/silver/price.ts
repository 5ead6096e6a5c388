/** Reads what a product costs: price, sale price and former price, each by the number format and currency of its own source. */
import type { CellWarning, FieldCell, ImportContext, MergedFields, SilverSettings } from '../../schemas/pipeline.ts'
import { compareAmounts } from './compare-amounts.ts'
import { type CurrencyWord, currencyOf, exponent, moneyText } from './currency.ts'
import { currencyInName } from './currency-in-name.ts'
import { guessedNumber } from './guessed-number.ts'
import { listPrice } from './list-price.ts'
import { noAmount } from './no-amount.ts'
import { type Amount, parseAmount } from './number-format.ts'
import { numberRule } from './number-rule.ts'
import { isBlank, isSpreadsheetError } from './placeholders.ts'
import { quote } from './quote.ts'
import { textOf, warningAt } from './reading.ts'
import { severalValues } from './several-values.ts'
import { unknownCurrency } from './unknown-currency.ts'

interface Prices {
  readonly price: string | null
  readonly salePrice: string | null
  /** See `RefinedProduct`. */
  readonly refusedSale: string | null
  readonly originalPrice: string | null
  readonly currency: string | null
  readonly warnings: readonly CellWarning[]
}

type AmountField = 'price' | 'sale_price' | 'original_price'

interface Money {
  readonly cell: FieldCell
  readonly amount: string
  readonly currency: string | null
}

interface Desk {
  readonly fields: MergedFields
  readonly contexts: (id: number) => ImportContext | undefined
  readonly settings: SilverSettings
  readonly warnings: CellWarning[]
  refusedSale: string | null
}

export function readPrices(
  fields: MergedFields,
  contexts: (id: number) => ImportContext | undefined,
  settings: SilverSettings,
): Prices {
  const desk: Desk = { fields, contexts, settings, warnings: [], refusedSale: null }
  const price = readMoney(desk, 'price')
  const sale = readMoney(desk, 'sale_price')
  const original = readMoney(desk, 'original_price')
  if (!price) {
    if (sale)
      warn(desk, sale.cell, 'sale_without_price', `${shown(sale)} is a sale price without a price; give the price too`)
    const { currency } = statedCurrency(desk)
    const none = { price: null, salePrice: null, refusedSale: null, originalPrice: null }
    return { ...none, currency, warnings: desk.warnings }
  }
  const currency = price.currency ?? alike(price, sale) ?? alike(price, original)
  const money = moneyText(price.amount, currency)
  if (money.rounded && currency !== null) {
    const says = `${shown(price)} has more decimals than ${currency} (${exponent(currency)}); platforms will round it`
    warn(desk, price.cell, 'too_many_decimals', says)
  }
  const holds = sale !== null && saleHolds(desk, price, sale, currency)
  return {
    price: money.text,
    salePrice: holds ? moneyText(sale.amount, currency).text : null,
    refusedSale: desk.refusedSale,
    originalPrice:
      original && sameCurrency(price, original, currency) && compareAmounts(original.amount, price.amount) > 0
        ? moneyText(original.amount, currency).text
        : null,
    currency,
    warnings: desk.warnings,
  }
}

const shown = (money: Money) => quote(textOf(money.cell))

function warn(desk: Desk, cell: FieldCell, code: string, says: string) {
  const warning = warningAt(cell, { code, says })
  // One currency cell stands beside several amounts.
  if (!desk.warnings.some((told) => told.code === code && told.column === cell.column)) desk.warnings.push(warning)
}

/** A currency that only its neighbour in the same source names. */
const alike = (price: Money, other: Money | null) => (other?.cell.source === price.cell.source ? other.currency : null)

/** An amount without a currency is in its neighbour's where one source says both; between sources nobody knows. */
function sameCurrency(price: Money, other: Money, currency: string | null): boolean {
  if (other.currency !== null) return other.currency === currency
  return currency === null || other.cell.source === price.cell.source
}

function saleHolds(desk: Desk, price: Money, sale: Money, currency: string | null): boolean {
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

function refuseSale(desk: Desk, amount: string, currency: string | null) {
  desk.refusedSale = [moneyText(amount, currency).text, ...(currency === null ? [] : [currency])].join(' ')
}

function readMoney(desk: Desk, field: AmountField): Money | null {
  const cell = desk.fields.get(field)
  const raw = cell ? textOf(cell) : ''
  // The product's own warnings say why.
  if (!cell || isBlank(raw) || isOneOfSeveral(desk, cell)) return null
  const context = desk.contexts(cell.origin.context)
  const listed = listPrice(raw)
  if (listed !== null && field !== 'original_price') {
    const says = `${quote(raw)} is by its word what the maker recommends, and not what a buyer pays; give the price by itself, and this one as original_price`
    warn(desk, cell, 'list_price', says)
    return null
  }
  const amount = amountOf(desk, cell, (listed ?? raw).trim(), context)
  if (amount.ambiguous) {
    const says = `${quote(raw)} can be thousands or a fraction, and its column does not tell; set the decimal mark of the workspace, or write 1299.00`
    warn(desk, cell, 'ambiguous_number', says)
    return null
  }
  if (amount.text === null) {
    if (isSpreadsheetError(raw))
      warn(desk, cell, 'spreadsheet_error', `${quote(raw)} is a failed formula; correct it and export again`)
    else warn(desk, cell, 'unreadable_price', `${quote(raw)} ${noAmount(raw)}`)
    return null
  }
  if (amount.negative && !/^[0.]+$/.test(amount.text)) {
    warn(desk, cell, 'negative_price', `${quote(raw)} is below zero; a price is zero or more`)
    return null
  }
  if (contradicts(desk, cell, field, amount)) return null
  if (amount.scientific) {
    const says = `${quote(raw)} is read as ${amount.text}; a spreadsheet that writes a number so may have cut its digits, so format the column as a number and export again`
    warn(desk, cell, 'scientific_number', says)
  }
  if (amount.guess) warn(desk, cell, 'number_guess', guessedNumber(raw, amount.text, '1299.00'))
  return { cell, amount: amount.text, currency: currencyFor(desk, cell, amount, context) }
}

/** Its currency can tell what its digits alone do not: where money has no minor units, a mark before three digits groups them. */
function amountOf(desk: Desk, cell: FieldCell, raw: string, context: ImportContext | undefined): Amount {
  const amount = parseAmount(raw, numberRule(cell, context, desk.settings))
  if (amount.lone === null) return amount
  // What is to be said of the currency is said once, where the price is known.
  const currency = currencyFor({ ...desk, warnings: [] }, cell, amount, context)
  return parseAmount(raw, numberRule(cell, context, desk.settings, currency))
}

/** Of several amounts, and of one beside several currencies, nobody knows which is meant. */
function isOneOfSeveral(desk: Desk, cell: FieldCell): boolean {
  const beside = desk.fields.beside(cell, 'currency')
  return severalValues(cell) !== null || (beside !== null && severalValues(beside) !== null)
}

/** An amount that names one currency beside a cell that names another is in neither: relabelling it would be a wrong price. */
function contradicts(desk: Desk, cell: FieldCell, field: AmountField, amount: Amount): boolean {
  const word = amount.code ?? amount.symbol
  const beside = desk.fields.beside(cell, 'currency')
  const own = word === null ? null : currencyOf(word)
  const other = beside ? currencyOf(textOf(beside)) : null
  if (!own || !other || own.candidates.some((code) => other.candidates.includes(code))) return false
  const says = `${quote(textOf(cell))} names another currency than the column beside it, ${quote(beside ? textOf(beside) : '')}; give one of them`
  warn(desk, cell, 'currency_conflict', says)
  if (field === 'sale_price' && amount.text !== null) refuseSale(desk, amount.text, own.code)
  return true
}

/** What the source says of this amount, from the nearest to the farthest; the workspace's setting only fills what is left. */
function currencyFor(desk: Desk, cell: FieldCell, amount: Amount, context: ImportContext | undefined): string | null {
  const beside = desk.fields.beside(cell, 'currency')
  const column = context?.currencies[cell.column]
  const word = amount.code ?? amount.symbol
  if (beside) {
    const code = codeIn(desk, beside, textOf(beside), column?.code)
    // Its own word is looked at too: one that nobody knows may say that this is another amount.
    if (code !== null && word !== null && !currencyOf(word)) codeIn(desk, cell, word, column?.code)
    if (code !== null) return code
    // A word that nobody knows is no gap: the amount is in something else than what others are in.
    if (word === null && !isBlank(textOf(beside))) return null
  }
  if (word !== null) {
    const code = codeIn(desk, cell, word, column?.code)
    if (code !== null) return code
  }
  const named = currencyInName(cell.column)
  // What only the name says is read anew: the workspace may have said since what its dollar is.
  const byName = named !== null && column?.guess === true && column.code === named.means.code
  if (column && !column.byPlatform && !byName) return column.code
  const code = named && codeIn(desk, cell, named.word, column?.code)
  return code ?? desk.settings.currency ?? column?.code ?? null
}

function codeIn(desk: Desk, cell: FieldCell, word: string, columnCode: string | undefined): string | null {
  if (isBlank(word)) return null
  const known = currencyOf(word)
  if (!known) {
    warn(desk, cell, 'unknown_currency', unknownCurrency(word))
    return null
  }
  if (!known.inForce) {
    const says = `${known.code} is no longer in force; give the amount in the currency that is`
    warn(desk, cell, 'withdrawn_currency', says)
  }
  return known.guess ? guessed(desk, cell, known, word, columnCode) : known.code
}

/** A shared sign means the workspace's currency where that is written so; what the import already reported is not said again. */
function guessed(
  desk: Desk,
  cell: FieldCell,
  known: CurrencyWord,
  word: string,
  columnCode: string | undefined,
): string {
  const { currency } = desk.settings
  if (currency !== null && known.candidates.includes(currency)) return currency
  if (columnCode !== known.code) {
    const says = `${quote(word)} may mean several currencies and is read as ${known.code}; write the three letters`
    warn(desk, cell, 'currency_guess', says)
  }
  return known.code
}

/** A product may say its currency before it has a price. */
function statedCurrency(desk: Desk): { currency: string | null } {
  const cell = desk.fields.get('currency')
  return { currency: cell && !severalValues(cell) ? codeIn(desk, cell, textOf(cell), undefined) : null }
}
