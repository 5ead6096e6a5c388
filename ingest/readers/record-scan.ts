/** Cuts delimited text into records: RFC 4180, and what real files make of it. */
import type { Place } from './batches.ts'
import { batchSize, longestCell } from './batches.ts'
import { isBlank } from './blank.ts'
import type { Delimiter } from './dialect.ts'

export interface RawRow {
  /** Physical line where the record starts, from 1. */
  readonly line: number
  /** Longer ones are views of the piece of text that they came in, and keep it in memory: fine for a batch, costly for the few kept long. */
  readonly cells: string[]
  /** A sentence: why the cells may not be what was meant. */
  readonly fault?: string
  /** How it begins, where it was not cut into cells. */
  readonly raw?: string
  /** Cells whose quote closes before their end, by place, and how they stand in the file. */
  readonly misquoted?: readonly (readonly [place: number, given: string])[]
}

/** Cells of a record that are kept; blank ones beyond are a spreadsheet's empty columns and mean nothing. */
const mostCells = 2000

/** More make it cheaper to look at each character. */
const sparseBreaks = 100
/** Of LF, CR and separator: before any text, and so to be searched for. */
const nothingAhead: readonly [number, number, number] = [-1, -1, -1]

const quote = 0x22
const lineFeed = 0x0a
const carriageReturn = 0x0d

/**
 * Searching is left to `indexOf`, and each place found is kept until it is passed, so that no text is searched twice. "Not found" is the
 * text's length, which is also where a record without line end ends. A quote that opens nothing costs no more: the search for its end
 * stops at the next quote that is not doubled, and no line before that one has a quote whose search goes as far.
 */
export function scanRecords(text: string, from: Place, final: boolean, rows: RawRow[], delimiter: Delimiter): Place {
  const { length } = text
  const separator = delimiter.charCodeAt(0)
  let { at, line } = from
  let [lf, cr, nextSeparator] = (from.ahead ?? nothingAhead) as typeof nothingAhead
  const find = (what: string) => {
    const found = text.indexOf(what, at)
    return found < 0 ? length : found
  }

  while (at < length && rows.length < batchSize) {
    const start: Place = { at, line }
    const cells: string[] = []
    let fault = ''
    const misquoted: [number, string][] = []
    for (;;) {
      if (lf < at) lf = find('\n')
      if (cr < at) cr = find('\r')
      let end = Math.min(lf, cr)
      let value: string | undefined
      if (text.charCodeAt(at) === quote) {
        const close = text.indexOf('"', at + 1)
        const next = text.charCodeAt(close + 1)
        if (close > 0 && close < end && (next === separator || next === lineFeed || next === carriageReturn)) {
          value = text.slice(at + 1, close)
          end = close + 1
        } else {
          const cell = readQuoted(text, at, separator, final)
          if (cell === 'cut') return start
          if (cell === 'stray' || cell === 'endless') {
            const isNot = cell === 'stray' ? 'is never closed' : `is not closed within ${longestCell} characters`
            fault ||= `Line ${line}: the quote that opens cell ${cells.length + 1} ${isNot}; write a quote inside a cell twice and put the cell in quotes`
          } else {
            if (cell.given !== undefined) misquoted.push([cells.length, cell.given])
            value = cell.value
            end = cell.end
            line += cell.breaks
          }
        }
      }
      if (value === undefined) {
        if (nextSeparator < at) nextSeparator = find(delimiter)
        if (nextSeparator < end) end = nextSeparator
        if (end === length && !final) return start
        value = text.slice(at, end)
      }
      if (cells.length < mostCells) cells.push(value)
      else if (!isBlank(value)) fault ||= `Line ${start.line}: the record has more than ${mostCells} cells`

      at = end + 1
      const next = text.charCodeAt(end)
      if (next === separator) continue
      if (next === carriageReturn) {
        if (at === length && !final) return start
        if (text.charCodeAt(at) === lineFeed) at++
      }
      break
    }
    line++
    const row = { line: start.line, cells }
    rows.push(fault !== '' ? { ...row, fault } : misquoted.length > 0 ? { ...row, misquoted } : row)
  }
  return { at: Math.min(at, length), line, ahead: [lf, cr, nextSeparator] }
}

interface Quoted {
  readonly value: string
  readonly end: number
  readonly breaks: number
  /** Where the quote closes before the cell ends. */
  readonly given?: string
}

/**
 * A cell that opens with a quote, the general case. `cut`: the text at hand does not hold all of it. `stray`: the quote opens nothing. It
 * is never closed, or "closed" lines later by a quote that visibly opens another cell. `endless`: not closed within the longest cell.
 */
function readQuoted(
  text: string,
  open: number,
  separator: number,
  final: boolean,
): Quoted | 'cut' | 'stray' | 'endless' {
  const { length } = text
  let close = open
  let doubled = false
  for (let from = open + 1; ; from = close + 2) {
    close = text.indexOf('"', from)
    // The same wherever the text at hand ends: what is not found in it stands behind it.
    if ((close < 0 ? length : close) - open - 1 > longestCell) return 'endless'
    if (close < 0 && final) return 'stray'
    if (close < 0 || (close + 1 === length && !final)) return 'cut'
    if (text.charCodeAt(close + 1) !== quote) break
    doubled = true
  }
  const inside = text.slice(open + 1, close)
  const breaks = countBreaks(inside)

  let end = close + 1
  for (; end < length; end++) {
    const code = text.charCodeAt(end)
    if (code === separator || code === lineFeed || code === carriageReturn) break
  }
  if (end === length && !final) return 'cut'
  const value = doubled ? inside.replaceAll('""', '"') : inside
  if (end === close + 1) return { value, end, breaks }
  const tail = text.slice(close + 1, end)
  if (isBlank(tail)) return { value: value + tail, end, breaks }
  return breaks > 0 ? 'stray' : { value: value + tail, end, breaks, given: text.slice(open, end) }
}

/** CRLF is one line break. Searched for, and looked at one by one where they are many: a cell may have millions. */
function countBreaks(text: string): number {
  let n = 0
  let lf = text.indexOf('\n')
  let cr = text.indexOf('\r')
  for (; n < sparseBreaks && (lf >= 0 || cr >= 0); n++) {
    const at = lf < 0 || (cr >= 0 && cr < lf) ? cr : lf
    const next = at === cr && lf === cr + 1 ? lf + 1 : at + 1
    if (lf >= 0 && lf < next) lf = text.indexOf('\n', next)
    if (cr >= 0 && cr < next) cr = text.indexOf('\r', next)
  }
  if (lf < 0 && cr < 0) return n
  for (let i = Math.min(lf < 0 ? cr : lf, cr < 0 ? lf : cr); i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === lineFeed || (code === carriageReturn && text.charCodeAt(i + 1) !== lineFeed)) n++
  }
  return n
}
