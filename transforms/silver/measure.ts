/** Reads a measure as text with its unit, such as `1.5 kg`: the unit of the cell, else the one that its column or a neighbour says. */
import { amountParts } from './amount-parts.ts'
import { guessedNumber } from './guessed-number.ts'
import { type Amount, type Mark, type NumberRule, parseAmount } from './number-format.ts'
import { quote } from './quote.ts'
import { doubts, type Reading, reads } from './reading.ts'
import { readTitle } from './text.ts'
import { type Quantity, unitOf } from './units.ts'

/** A number that stands alone, with an exponent or without. */
const bare = /^[\d.,' ]+(?:[eE][+-]?\d+)?$/

const power = /(?<=[\d\s])(?:[mм]\^?[²2³3]|ft\^?[²2])$/iu
const spelledPower = (unit: string) => (/[³3]$/.test(unit) ? 'cbm' : /^f/i.test(unit) ? 'sqft' : 'sqm')

interface Parts {
  readonly amount: Amount
  readonly word: string
}

function partsOf(text: string, how: Mark | null | NumberRule): Parts | null {
  if (bare.test(text)) return { amount: parseAmount(text, how), word: '' }
  // The digit of a unit is none of the amount's.
  const parts = amountParts(text.replace(power, spelledPower), false)
  if (parts === null || parts.before !== '') return null
  const amount = parseAmount(parts.body, how)
  return { amount: parts.negative ? { ...amount, negative: true } : amount, word: parts.after }
}

const example: Readonly<Record<Quantity, string>> = {
  weight: '1.5 kg',
  length: '30 cm',
  volume: '750 ml',
  area: '2 sqm',
  count: '6 ct',
}

/**
 * What is no number, or has a unit that nobody knows, is kept as it stands, with a doubt. Zero is what systems write for a measure
 * that nobody entered.
 * @param unit word for that of a number which has none; null where nobody says it, and then the number stays alone
 */
export function readMeasure(
  raw: string,
  wanted: readonly Quantity[],
  how: Mark | null | NumberRule,
  unit: string | null,
): Reading<string> {
  const text = readTitle(raw)
  if (text === null) return reads<string>(null)
  const such = example[wanted[0] ?? 'weight']
  const parts = partsOf(text, how)
  const { amount, word } = parts ?? { amount: null, word: '' }
  if (amount?.ambiguous)
    return doubts('ambiguous_number', `${quote(raw)} can be thousands or a fraction, and nothing tells; write ${such}`)
  if (!amount || amount.text === null) {
    const says = `${quote(raw)} is no number with a unit; write it as ${such}`
    return { value: text, findings: [{ code: 'unreadable_measure', says }] }
  }
  if (/^[0.]+$/.test(amount.text)) return reads<string>(null)
  if (amount.negative) return doubts('negative_measure', `${quote(raw)} is below zero; write it as ${such}`)
  const named = word === '' ? unit : word
  const own = named === null ? null : unitOf(named, wanted)
  if (named !== null && own === null) {
    const says = `${quote(named)} is no unit that we know here; write it as ${such}`
    return { value: word === '' ? `${text} ${named}` : text, findings: [{ code: 'unknown_unit', says }] }
  }
  const number = amount.text.includes('.') ? amount.text.replace(/\.?0+$/, '') : amount.text
  const value = own === null ? number : `${number} ${own}`
  if (!amount.guess) return reads(value)
  return { value, findings: [{ code: 'number_guess', says: guessedNumber(raw, value, such) }] }
}
