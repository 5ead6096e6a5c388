/** Currencies: which one a word means, how many digits its money has (KF-14), and which one a column of amounts is in. */
import { data } from 'currency-codes'
import { withdrawnCurrencies as gone } from '../../schemas/feeds/withdrawn-currencies.ts'
import type { ColumnCurrency } from '../../schemas/pipeline.ts'
import { amountParts } from './amount-parts.ts'
import { certainWords, newer, notMoney, sharedWords, successors } from './currency-words.ts'
import { listPrice } from './list-price.ts'
import { quote } from './quote.ts'

export interface CurrencyWord {
  readonly code: string
  /** Several currencies are written so; `code` is the most common of them. */
  readonly guess: boolean
  readonly inForce: boolean
  /** All that the word may mean, `code` first. */
  readonly candidates: readonly string[]
}

const withoutMoney = new Set(notMoney.split(' '))
const digitsOf = new Map(data.filter(({ code }) => !withoutMoney.has(code)).map(({ code, digits }) => [code, digits]))
for (const [code, digits] of Object.entries(newer)) digitsOf.set(code, digits)

const words = new Map<string, CurrencyWord>()
for (const code of [...digitsOf.keys(), ...gone])
  words.set(code.toLowerCase(), { code, guess: false, inForce: !gone.has(code), candidates: [code] })
for (const [old, code] of Object.entries(successors))
  words.set(old.toLowerCase(), { code, guess: true, inForce: true, candidates: [code] })
for (const [code, list] of Object.entries(certainWords))
  for (const word of list.split(' '))
    words.set(word, { code, guess: false, inForce: !gone.has(code), candidates: [code] })
for (const [word, list] of Object.entries(sharedWords)) {
  const candidates = list.split(' ')
  words.set(word, { code: candidates[0] as string, guess: true, inForce: true, candidates })
}

/** What an ISO code in any case, a sign or a word beside an amount means; null for a word that nobody knows. */
export function currencyOf(word: string): CurrencyWord | null {
  if (word.length > 16) return null
  const known = words.get(word.toLowerCase())
  if (known) return known
  return words.get(word.normalize('NFKC').toLowerCase().trim().replace(/\.$/, '')) ?? null
}

/** A code of ISO 4217 that is no money: a metal, a unit of account, a code for tests or for none. */
export const isNoMoney = (word: string): boolean => withoutMoney.has(word.trim().toUpperCase())

/** Decimal digits of a currency by ISO 4217; null for codes that have none or are not in its present table. */
export const exponent = (code: string): number | null => digitsOf.get(code) ?? null

/**
 * Money as text with the digits of its currency. More significant decimals than the currency has stay as given.
 * @returns `rounded`: the text has such decimals, so whoever needs the currency's digits would have to round
 */
export function moneyText(amount: string, code: string | null): { text: string; rounded: boolean } {
  const digits = code === null ? null : exponent(code)
  if (digits === null) return { text: amount, rounded: false }
  const point = amount.indexOf('.')
  const whole = point < 0 ? amount : amount.slice(0, point)
  const fraction = point < 0 ? '' : amount.slice(point + 1)
  if (fraction.length === digits) return { text: amount, rounded: false }
  if (fraction.length < digits) return { text: `${whole}.${fraction.padEnd(digits, '0')}`, rounded: false }
  const significant = fraction.replace(/0+$/, '')
  if (significant.length > digits) return { text: `${whole}.${significant}`, rounded: true }
  return { text: digits === 0 ? whole : `${whole}.${fraction.slice(0, digits)}`, rounded: false }
}

const largest = 2n ** 63n - 1n

/** Integer minor units, two digits where the currency is unknown; null where the amount has finer parts or is out of 64 bits. */
export function minorUnits(amount: string, code: string | null): bigint | null {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(amount)
  if (!match) return null
  const [, sign = '', whole = '', fraction = ''] = match
  const digits = (code === null ? null : exponent(code)) ?? 2
  const significant = fraction.replace(/0+$/, '')
  if (significant.length > digits || whole.length > 30) return null
  const units = BigInt(whole + significant.padEnd(digits, '0'))
  if (units > largest) return null
  return sign ? -units : units
}

/** Sees every cell of a price column once; the column has a currency where all cells that name one agree. */
export function currencyEvidence(): { see(raw: string): void; result(): ColumnCurrency | null } {
  const seen = new Map<string, { word: string; certain: boolean; cells: number }>()
  let unknown = false
  const see = (raw: string) => {
    if (/^[\d.,]*$/.test(raw)) return
    const parts = amountParts((listPrice(raw) ?? raw).trim())
    const word = parts && (parts.before || parts.after)
    if (!word) return
    // "$ 10 CAD" says what its dollar means.
    const both = parts.before && parts.after ? [currencyOf(parts.before), currencyOf(parts.after)] : [currencyOf(word)]
    const meant = both.find((one) => one && !one.guess) ?? both[0]
    if (!meant) {
      if (/^[A-Z]{3}$/.test(word)) unknown = true
      return
    }
    const entry = seen.get(meant.code)
    if (!entry) seen.set(meant.code, { word, certain: !meant.guess, cells: 1 })
    else {
      entry.cells++
      entry.certain ||= !meant.guess
    }
  }
  const result = (): ColumnCurrency | null => {
    const [only] = seen
    if (!only || seen.size > 1 || unknown) return null
    const [code, { word, certain, cells }] = only
    const reason = `${quote(word)} in ${cells} cells`
    if (certain) return { code, guess: false, reason }
    return {
      code,
      guess: true,
      reason: `${reason}, which other currencies share; set the workspace's currency to be sure`,
    }
  }
  return { see, result }
}
