/** Finds the currency that an amount is in: its own word, the cell beside it, its column's name or evidence, the workspace's setting. */
import type { FieldCell, ImportContext } from '../../schemas/pipeline.ts'
import { type CurrencyWord, currencyOf } from './currency.ts'
import { currencyInName } from './currency-in-name.ts'
import type { Amount } from './number-format.ts'
import { isBlank } from './placeholders.ts'
import { type PriceDesk, warn } from './price-desk.ts'
import { quote } from './quote.ts'
import { textOf } from './reading.ts'
import { unknownCurrency } from './unknown-currency.ts'

/** What the source says of this amount, from the nearest to the farthest; the workspace's setting only fills what is left. */
export function currencyFor(
  desk: PriceDesk,
  cell: FieldCell,
  amount: Amount,
  context: ImportContext | undefined,
): string | null {
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

export function codeIn(desk: PriceDesk, cell: FieldCell, word: string, columnCode: string | undefined): string | null {
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
  desk: PriceDesk,
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
