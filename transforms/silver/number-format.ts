/** Numbers as suppliers write them: the decimal mark of a column from the evidence of its cells, and one amount by that mark. */
import type { NumberFormat } from '../../schemas/pipeline.ts'
import { amountParts } from './amount-parts.ts'
import { currencyOf } from './currency.ts'
import { quote } from './quote.ts'

type Mark = '.' | ','

export interface Amount {
  /** Plain decimal text without sign, group marks and needless leading zeros; null where the cell is no amount or could be two. */
  readonly text: string | null
  readonly symbol: string | null
  /** Three letters beside the number, in capitals; not checked to be a currency. */
  readonly code: string | null
  readonly ambiguous: boolean
  readonly negative: boolean
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
/** A number of JSON with an exponent; its decimal mark is a point whatever the column does. */
const scientific = /^(-?)(\d+)(?:\.(\d+))?[eE]([+-]?\d{1,4})$/
/** Digits of what anybody asks for anything: beyond it a number is a mistake, and writing it out would fill the memory. */
const mostDigits = 30
const nothing: Amount = { text: null, symbol: null, code: null, ambiguous: false, negative: false }

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
function writtenOut(raw: string): Amount {
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
  return { text, symbol: null, code: null, ambiguous: false, negative: sign === '-' }
}

/** @param decimal the column's decimal mark; a number that can be read in one way only is read so whatever the column does */
export function parseAmount(raw: string, decimal: Mark | null): Amount {
  if (simple.test(raw)) return { text: raw, symbol: null, code: null, ambiguous: false, negative: false }
  if (scientific.test(raw)) return writtenOut(raw)
  const parts = amountParts(raw)
  const digits = parts && digitsOf(parts.body)
  if (!digits) return nothing
  const before = wordBeside(parts.before)
  const after = wordBeside(parts.after)
  if (!before || !after) return nothing
  const symbol = before.symbol ?? after.symbol
  const code = before.code ?? after.code
  const meant = symbol && code ? currencyOf(symbol) : null
  if (meant && meant.code !== code && !meant.guess) return nothing
  const { negative } = parts
  if (!digits.lone) return { text: plain(digits.whole, digits.fraction), symbol, code, ambiguous: false, negative }
  if (decimal === null) return { text: null, symbol, code, ambiguous: true, negative }
  const text =
    digits.lone === decimal ? plain(digits.whole, digits.fraction) : plain(digits.whole + digits.fraction, '')
  return { text, symbol, code, ambiguous: false, negative }
}

/** Sees every cell of a column once and keeps two counts and two examples. */
export function numberEvidence(): { see(raw: string): void; result(): NumberFormat } {
  let points = 0
  let commas = 0
  let lone = 0
  let pointExample = ''
  let commaExample = ''
  const see = (raw: string) => {
    if (/^\d*$/.test(raw)) return
    if (simple.test(raw)) {
      if (points++ === 0) pointExample = raw
      return
    }
    const parts = amountParts(raw.trim())
    const digits = parts && digitsOf(parts.body)
    if (!digits) return
    if (digits.lone) lone++
    if (digits.tells === '.') {
      if (points++ === 0) pointExample = raw
    } else if (digits.tells === ',') {
      if (commas++ === 0) commaExample = raw
    }
  }
  const result = (): NumberFormat => {
    const point = `decimal point in ${points} cells such as ${quote(pointExample)}`
    const comma = `decimal comma in ${commas} cells such as ${quote(commaExample)}`
    if (points === 0 && commas === 0)
      return {
        decimal: null,
        reason: `no cell tells the decimal mark${lone ? `, and ${lone} cannot be read without it` : ''}`,
      }
    if (commas === 0) return { decimal: '.', reason: point }
    if (points === 0) return { decimal: ',', reason: comma }
    if (points === commas) return { decimal: null, reason: `${point} and ${comma}: the evidence is even` }
    const majority = points > commas
    const reason = majority ? `${point}, against ${comma}` : `${comma}, against ${point}`
    return { decimal: majority ? '.' : ',', reason: `${reason}; the majority decides` }
  }
  return { see, result }
}
