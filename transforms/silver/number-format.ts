/** Numbers as suppliers write them: the decimal mark of a column from the evidence of its cells, and one amount by that mark. */
import type { CertainPoint, NumberFormat } from '../../schemas/pipeline.ts'
import { amountParts } from './amount-parts.ts'
import { currencyOf } from './currency.ts'
import { quote } from './quote.ts'

export type Mark = '.' | ','

/** A lone mark before three digits. `zeros`: decimal where the digits are zeros, else nobody knows. Null: nobody knows. */
export type LoneMark = 'decimal' | 'group' | 'zeros' | null

/** How a cell's number is read where its own digits do not tell. */
export interface NumberRule {
  readonly point: LoneMark
  readonly comma: LoneMark
  /** Lone marks whose meaning is only that of nearly all cells of a column that contradict the others. */
  readonly guesses: '' | ',' | '.,'
  /** Whether exponents are of numbers that a program wrote; those of texts may have lost digits. */
  readonly exact: boolean
}

export interface Amount {
  /** Plain decimal text without sign, group marks and needless leading zeros; null where the cell is no amount or could be two. */
  readonly text: string | null
  readonly symbol: string | null
  /** Three letters beside the number, in capitals; not checked to be a currency. */
  readonly code: string | null
  readonly ambiguous: boolean
  readonly negative: boolean
  /** The mark that only the rule could tell the meaning of. */
  readonly lone: Mark | null
  /** That meaning is a guess, which is to be told. */
  readonly guess: boolean
  /** It has an exponent, and is not known to be exact. */
  readonly scientific: boolean
}

interface Digits {
  readonly whole: string
  readonly fraction: string
  /** The decimal mark that this number cannot be read without. */
  readonly tells: Mark | null
  /** A lone mark before exactly three digits: 1,299 is a thousand or a little over one. */
  readonly lone: Mark | null
}

const simple = /^(?:0|[1-9]\d{0,14})(?:\.\d\d?)?$/
const grouped = /^\d{1,3}([.,' ])\d{3}(?:\1\d{3})*$|^\d{1,2}(?:,\d{2})*,\d{3}$/
const groupable = /^[1-9]\d{0,2}$/
/** Nobody groups digits before an exponent: either mark is the decimal one, whatever the column does. */
const scientific = /^(-?)(\d+)(?:[.,](\d+))?[eE]([+-]?\d{1,4})$/
/** Digits of what anybody asks for anything: beyond it a number is a mistake, and writing it out would fill the memory. */
const mostDigits = 30
const nothing: Amount = {
  text: null,
  symbol: null,
  code: null,
  ambiguous: false,
  negative: false,
  lone: null,
  guess: false,
  scientific: false,
}

export const ruleOf = (decimal: Mark | null): NumberRule => ({
  point: decimal && (decimal === '.' ? 'decimal' : 'group'),
  comma: decimal && (decimal === ',' ? 'decimal' : 'group'),
  guesses: '',
  exact: false,
})

function digitsOf(body: string): Digits | null {
  const at = Math.max(body.lastIndexOf('.'), body.lastIndexOf(','))
  const mark = at < 0 ? null : (body[at] as Mark)
  const other: Mark = mark === '.' ? ',' : '.'
  let whole = body
  let fraction = ''
  let tells: Mark | null = null
  let lone: Mark | null = null
  if (mark && body.indexOf(mark) !== at) {
    if (body.includes(other)) return null
    tells = other
  } else if (mark) {
    whole = body.slice(0, at)
    fraction = body.slice(at + 1)
    if (fraction.length === 3 && groupable.test(whole)) lone = mark
    else tells = mark
  }
  if (!/^\d*$/.test(fraction)) return null
  if (!/^\d*$/.test(whole)) {
    if (!grouped.test(whole)) return null
    whole = whole.replace(/\D/g, '')
  }
  return { whole, fraction, tells, lone }
}

const plain = (whole: string, fraction: string) => {
  const start = whole.replace(/^0+(?=\d)/, '') || '0'
  return fraction === '' ? start : `${start}.${fraction}`
}

/** The currency word on one side of the number: nothing, a code, a known symbol, or prose (null). */
function wordBeside(text: string): { symbol: string | null; code: string | null } | null {
  if (text === '') return { symbol: null, code: null }
  if (/^[A-Za-z]{3}$/.test(text) && (currencyOf(text) || text === text.toUpperCase()))
    return { symbol: null, code: text.toUpperCase() }
  return currencyOf(text) ? { symbol: text, code: null } : null
}

/** Exact: the mark is moved through the digits, and no float is made of them. */
function writtenOut(raw: string, exact: boolean): Amount {
  const [, sign, whole = '', fraction = '', exponent = ''] = scientific.exec(raw) ?? []
  const digits = whole + fraction
  const mark = whole.length + Number(exponent)
  const moved =
    mark <= 0
      ? '0'.repeat(Math.min(1 - mark, mostDigits + 1)) + digits
      : digits.padEnd(Math.min(mark, mostDigits + 1), '0')
  if (moved.length > mostDigits) return nothing
  const at = Math.max(mark, 1)
  const text = plain(moved.slice(0, at), moved.slice(at).replace(/0+$/, ''))
  return { ...nothing, text, negative: sign === '-', scientific: !exact }
}

/** @param how the column's decimal mark, or a rule; a number that can be read in one way only is read so whatever they say */
export function parseAmount(raw: string, how: Mark | null | NumberRule): Amount {
  if (simple.test(raw)) return { ...nothing, text: raw }
  const rule = how === null || typeof how === 'string' ? ruleOf(how) : how
  if (scientific.test(raw)) return writtenOut(raw, rule.exact)
  const parts = amountParts(raw)
  if (!parts) return nothing
  const written = scientific.test(parts.body) ? writtenOut(parts.body, rule.exact) : null
  const digits = written ? null : digitsOf(parts.body)
  if (!digits && !written?.text) return nothing
  const before = wordBeside(parts.before)
  const after = wordBeside(parts.after)
  if (!before || !after) return nothing
  const symbol = before.symbol ?? after.symbol
  const code = before.code ?? after.code
  const meant = symbol && code ? currencyOf(symbol) : null
  if (meant && meant.code !== code && !meant.guess) return nothing
  const { negative } = parts
  if (!digits) return { ...nothing, ...written, symbol, code, negative }
  const { whole, fraction, lone } = digits
  const amount = { ...nothing, symbol, code, negative, lone }
  if (lone === null) return { ...amount, text: plain(whole, fraction) }
  const means = lone === '.' ? rule.point : rule.comma
  if (means === null || (means === 'zeros' && fraction !== '000')) return { ...amount, ambiguous: true }
  return {
    ...amount,
    guess: rule.guesses.includes(lone),
    text: means === 'group' ? plain(whole + fraction, '') : plain(whole, fraction),
  }
}

/**
 * So many cells to each that is written the other way. A mark read wrongly is a price a thousand times too high or low: slips
 * among very many cells leave little doubt of the rest, and with more of them nobody knows which kind a lone mark is of.
 */
const overwhelming = 20

/** A number as programs write it. */
const pointed = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** Of a column in which the file has numbers that have a point, and whose texts nobody looked at. */
export const formatOfNumbers = (example: string): NumberFormat & { readonly point: CertainPoint } => ({
  decimal: '.',
  reason: `the file has numbers such as ${example} there, not texts, and those are written with a point`,
  point: { by: 'numbers', texts: null, lonePoints: false, exponents: false },
})

interface NumberEvidence {
  /** @param typed whether the file has a number there, and no text */
  see(raw: string, typed?: boolean): void
  /** @param specified why the format of the file asks for a point, where it does; texts with a comma show that the file does not keep to it */
  result(specified?: string): NumberFormat
}

/** Sees every cell of a column once and keeps a few counts and examples. */
export function numberEvidence(): NumberEvidence {
  let points = 0
  let commas = 0
  let lone = 0
  let pointExample = ''
  let commaExample = ''
  let numbers = 0
  let numberExample = ''
  let lonePoints = false
  let exponents = false
  const see = (raw: string, typed = false) => {
    if (/^\d*$/.test(raw)) return
    if (typed && pointed.test(raw)) {
      if (numbers++ === 0) numberExample = raw
      return
    }
    if (simple.test(raw)) {
      if (points++ === 0) pointExample = raw
      return
    }
    const text = raw.trim()
    const parts = amountParts(text)
    if (parts && scientific.test(parts.body)) exponents = true
    const digits = parts && digitsOf(parts.body)
    if (!digits) return
    if (digits.lone) lone++
    if (digits.lone === '.') lonePoints = true
    if (digits.tells === '.') {
      if (points++ === 0) pointExample = raw
    } else if (digits.tells === ',') {
      if (commas++ === 0) commaExample = raw
    }
  }
  const ofTexts = (): NumberFormat => {
    const point = `decimal point in ${points} cells such as ${quote(pointExample)}`
    const comma = `decimal comma in ${commas} cells such as ${quote(commaExample)}`
    if (points === 0 && commas === 0)
      return {
        decimal: null,
        reason: `no cell tells the decimal mark${lone ? `, and ${lone} cannot be read without it` : ''}`,
      }
    if (commas === 0) return { decimal: '.', reason: point }
    if (points === 0) return { decimal: ',', reason: comma }
    const [many, few] = points > commas ? [points, commas] : [commas, points]
    const both = points > commas ? `${point}, against ${comma}` : `${comma}, against ${point}`
    if (many < few * overwhelming)
      return { decimal: null, mixed: true, reason: `${both}: they contradict each other, so the column does not tell` }
    const reason = `${both}; nearly all are alike, so they decide, and what they decide is told as a guess`
    return { decimal: points > commas ? '.' : ',', mixed: true, reason }
  }
  const result = (specified?: string): NumberFormat => {
    const texts = ofTexts()
    if (numbers > 0) {
      const { reason, point } = formatOfNumbers(numberExample)
      const also = commas > 0 || lone > 0 ? `; of the texts beside them: ${texts.reason}` : ''
      const found = { ...point, texts: texts.decimal, lonePoints, exponents }
      return { decimal: '.', reason: reason + also, ...(texts.mixed && { mixed: true }), point: found }
    }
    if (specified === undefined || commas > 0) return texts
    return { decimal: '.', reason: specified, point: { by: 'format', texts: '.', lonePoints, exponents } }
  }
  return { see, result }
}
