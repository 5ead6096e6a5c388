/** Reads an amount of a page as plain decimal text, with the currency that stands beside it. */
import { currencyOf, exponent } from '../../transforms/silver/currency.ts'
import { type NumberRule, parseAmount } from '../../transforms/silver/number-format.ts'
import { quote } from '../../transforms/silver/quote.ts'
import type { Money, PageNote } from './claims.ts'

/** Of money without minor units, such as yen. */
const grouping: NumberRule = { point: 'group', comma: 'group', guesses: '', exact: false }

/**
 * A text may be written in any country's way: `48,00` is forty-eight; `1,299` can be two things, so it is neither.
 * @param raw a number of JSON has a point whatever the country does
 */
export function readMoney(raw: string | number | null, currency: string | null, notes: PageNote[]): Money | null {
  if (raw === null || raw === '') return null
  const text = String(raw).trim()
  const written = parseAmount(text, typeof raw === 'number' ? '.' : null)
  const said = currency ?? written.code ?? written.symbol
  const code = (said && currencyOf(said)?.code) ?? null
  const amount = written.ambiguous && code !== null && exponent(code) === 0 ? parseAmount(text, grouping) : written
  if (amount.text === null || amount.negative) {
    const why = amount.ambiguous ? 'can be thousands or a fraction' : 'is not one amount'
    notes.push({ code: 'unreadable_price', says: `${quote(String(raw))} ${why}, so it is no price` })
    return null
  }
  if (/^[0.]+$/.test(amount.text)) {
    notes.push({ code: 'zero_price', says: 'A price of zero is none' })
    return null
  }
  return { amount: amount.text, currency: code }
}
