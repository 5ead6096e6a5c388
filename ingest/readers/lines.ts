/** Reads text as physical lines, in batches; LF, CR and CRLF each end one. */
import type { Place } from './batches.ts'
import { batchSize, inBatches } from './batches.ts'

export interface TextLine {
  /** From 1. */
  readonly line: number
  readonly text: string
  readonly fault?: string
}

export function readLines(text: AsyncIterable<string>): AsyncGenerator<TextLine[]> {
  return inBatches<TextLine>(text, {
    scan: scanLines,
    tooLong: (line, text) => ({ line, text, fault: `Line ${line} is too long to be read` }),
  })
}

function scanLines(text: string, from: Place, final: boolean, lines: TextLine[]): Place {
  const { length } = text
  let { at, line } = from
  let [lf = -1, cr = -1] = from.ahead ?? []
  const find = (what: string) => {
    const found = text.indexOf(what, at)
    return found < 0 ? length : found
  }
  while (at < length && lines.length < batchSize) {
    if (lf < at) lf = find('\n')
    if (cr < at) cr = find('\r')
    const end = Math.min(lf, cr)
    if (!final && (end === length || (end === cr && cr + 1 === length))) break
    lines.push({ line, text: text.slice(at, end) })
    at = Math.min(length, lf === cr + 1 ? lf + 1 : end + 1)
    line++
  }
  return { at, line, ahead: [lf, cr] }
}
