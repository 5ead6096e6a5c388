/** Reads an amount of a page as plain decimal text, with the currency that stands beside it. */
import { currencyOf } from '../../transforms/silver/currency.ts'
import { parseAmount } from '../../transforms/silver/number-format.ts'
import { quote } from '../../transforms/silver/quote.ts'
import type { Money, PageNote } from './claims.ts'

/**
 * A text may be written in any country's way: `48,00` is forty-eight; `1,299` can be two things, so it is neither.
 * @param raw a number of JSON has a point whatever the country does
 */
export function readMoney(raw: string | number | null, currency: string | null, notes: PageNote[]): Money | null {
  if (raw === null || raw === '') return null
  const amount = parseAmount(String(raw).trim(), typeof raw === 'number' ? '.' : null)
  if (amount.text === null || amount.negative) {
    const why = amount.ambiguous ? 'can be thousands or a fraction' : 'is not one amount'
    notes.push({ code: 'unreadable_price', says: `${quote(String(raw))} ${why}, so it is no price` })
    return null
  }
  if (/^[0.]+$/.test(amount.text)) {
    notes.push({ code: 'zero_price', says: 'A price of zero is none' })
    return null
  }
  const word = currency ?? amount.code ?? amount.symbol
  return { amount: amount.text, currency: (word && currencyOf(word)?.code) ?? null }
}
