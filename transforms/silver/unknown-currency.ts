/** Says of a word that it is no currency: nobody knows it, or ISO 4217 lists it for what is no money. */
import { isNoMoney } from './currency.ts'
import { quote } from './quote.ts'

export function unknownCurrency(word: string): string {
  const why = isNoMoney(word)
    ? `ISO 4217 lists ${quote(word)}, but it is no money that anything is priced in; write the currency of the price`
    : `${quote(word)} is no currency we know; write the three letters of ISO 4217`
  return `${why}, such as EUR`
}
