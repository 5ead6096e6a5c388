/** Cuts delimited text into records: RFC 4180, and what real files make of it. */
import type { Place } from './batches.ts'
import { batchSize } from './batches.ts'
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
}

/** Cells of a record that are kept; blank ones beyond are a spreadsheet's empty columns and mean nothing. */
const mostCells = 2000
/** Line breaks that a quoted cell may hold before its quote counts as never closed. */
const mostBreaks = 1000

const quote = 0x22
const lineFeed = 0x0a
const carriageReturn = 0x0d

/**
 * Searching is left to `indexOf`, and each place found is kept until it is passed, so that no text is searched twice. "Not found" is the
 * text's length, which is also where a record without line end ends.
 */
export function scanRecords(text: string, from: Place, final: boolean, rows: RawRow[], delimiter: Delimiter): Place {
  const { length } = text
  const separator = delimiter.charCodeAt(0)
  let { at, line } = from
  let nextSeparator = -1
  let lf = -1
  let cr = -1
  const find = (what: string) => {
    const found = text.indexOf(what, at)
    return found < 0 ? length : found
  }

  while (at < length && rows.length < batchSize) {
    const start: Place = { at, line }
    const cells: string[] = []
    let fault = ''
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
          if (cell === 'stray') {
            fault ||= `Line ${line}: the quote that opens cell ${cells.length + 1} is never closed; write a quote inside a cell twice and put the cell in quotes`
          } else {
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
    rows.push(fault === '' ? { line: start.line, cells } : { line: start.line, cells, fault })
  }
  return { at: Math.min(at, length), line }
}

interface Quoted {
  readonly value: string
  readonly end: number
  readonly breaks: number
}

/**
 * A cell that opens with a quote, the general case. `cut`: the text at hand does not hold all of it. `stray`: the quote opens nothing. It
 * is never closed, not within a thousand lines, or "closed" lines later by a quote that visibly opens another cell.
 */
function readQuoted(text: string, open: number, separator: number, final: boolean): Quoted | 'cut' | 'stray' {
  const { length } = text
  let close = open
  let doubled = false
  for (let from = open + 1; ; from = close + 2) {
    close = text.indexOf('"', from)
    if (close < 0 && final) return 'stray'
    if (close < 0 || (close + 1 === length && !final)) {
      return countBreaks(text.slice(open, length)) > mostBreaks ? 'stray' : 'cut'
    }
    if (text.charCodeAt(close + 1) !== quote) break
    doubled = true
  }
  const inside = text.slice(open + 1, close)
  const breaks = countBreaks(inside)
  if (breaks > mostBreaks) return 'stray'

  let end = close + 1
  for (; end < length; end++) {
    const code = text.charCodeAt(end)
    if (code === separator || code === lineFeed || code === carriageReturn) break
  }
  if (end === length && !final) return 'cut'
  const value = doubled ? inside.replaceAll('""', '"') : inside
  if (end === close + 1) return { value, end, breaks }
  const tail = text.slice(close + 1, end)
  if (breaks > 0 && !isBlank(tail)) return 'stray'
  return { value: value + tail, end, breaks }
}

/** CRLF is one line break. */
function countBreaks(text: string): number {
  let n = 0
  for (let i = text.indexOf('\n'); i >= 0; i = text.indexOf('\n', i + 1)) n++
  for (let i = text.indexOf('\r'); i >= 0; i = text.indexOf('\r', i + 1)) {
    if (text.charCodeAt(i + 1) !== lineFeed) n++
  }
  return n
}
