/** Reads one cell of an amount by the number format and currency of its own source. */
import type { FieldCell, ImportContext } from '../../schemas/pipeline.ts'
import { compareAmounts } from './compare-amounts.ts'
import { currencyOf } from './currency.ts'
import { currencyFor } from './currency-for.ts'
import { guessedNumber } from './guessed-number.ts'
import { listPrice } from './list-price.ts'
import { noAmount } from './no-amount.ts'
import { type Amount, parseAmount } from './number-format.ts'
import { numberRule } from './number-rule.ts'
import { isBlank, isSpreadsheetError } from './placeholders.ts'
import { type PriceDesk, refuseSale, warn } from './price-desk.ts'
import { quote } from './quote.ts'
import { textOf } from './reading.ts'
import { severalValues } from './several-values.ts'

/** As the product endpoints have it: with it minor units fit into 64 bits in every currency that has up to three digits of them. */
const mostAsked = '1000000000000000'

type AmountField = 'price' | 'sale_price' | 'original_price'

export interface Money {
  readonly cell: FieldCell
  readonly amount: string
  readonly currency: string | null
}

export function readMoney(desk: PriceDesk, field: AmountField): Money | null {
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
  if (isTooMuch(amount.text)) {
    const says = `${quote(raw)} is more than a price can be, which is ${mostAsked} at most; correct it`
    warn(desk, cell, 'price_too_large', says)
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

const isTooMuch = (amount: string) => amount.length > 15 && compareAmounts(amount, mostAsked) > 0

/** Its currency can tell what its digits alone do not: where money has no minor units, a mark before three digits groups them. */
function amountOf(desk: PriceDesk, cell: FieldCell, raw: string, context: ImportContext | undefined): Amount {
  const amount = parseAmount(raw, numberRule(cell, context, desk.settings))
  if (amount.lone === null) return amount
  // What is to be said of the currency is said once, where the price is known.
  const currency = currencyFor({ ...desk, warnings: [] }, cell, amount, context)
  return parseAmount(raw, numberRule(cell, context, desk.settings, currency))
}

/** Of several amounts, and of one beside several currencies, nobody knows which is meant. */
function isOneOfSeveral(desk: PriceDesk, cell: FieldCell): boolean {
  const beside = desk.fields.beside(cell, 'currency')
  return severalValues(cell) !== null || (beside !== null && severalValues(beside) !== null)
}

/** An amount that names one currency beside a cell that names another is in neither: relabelling it would be a wrong price. */
function contradicts(desk: PriceDesk, cell: FieldCell, field: AmountField, amount: Amount): boolean {
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
