/** Finds where each event of a body begins and ends, byte by byte and without making anything of it. */

/** In bytes, `to` not included. */
export interface Piece {
  readonly from: number
  readonly to: number
}

/** `going on`: nothing was found for a while, and others may have their turn; `broken`: what follows can be no JSON. */
export type Cut = Piece | 'going on' | 'broken'

const [tab, newline, carriageReturn, space] = [0x09, 0x0a, 0x0d, 0x20]
const [quote, comma, backslash] = [0x22, 0x2c, 0x5c]
const [openList, closeList, open, close] = [0x5b, 0x5d, 0x7b, 0x7d]
const isBlank = (byte: number | undefined) =>
  byte === space || byte === newline || byte === carriageReturn || byte === tab
/** A few tenths of a millisecond. */
const stretch = 0x4_0000

/** One a line; lines of blanks are none. */
export function* piecesOfLines(text: Buffer): Generator<Cut> {
  let told = 0
  for (let at = 0; at < text.length; at++) {
    if (at - told > stretch) {
      told = at
      yield 'going on'
    }
    if (isBlank(text[at])) continue
    const end = text.indexOf(newline, at)
    const to = end === -1 ? text.length : end
    yield { from: at, to }
    at = told = to
  }
}

/** The items of an array; of what is none, the whole. Whether each is JSON is for who parses it. */
export function* piecesOfArray(text: Buffer): Generator<Cut> {
  const start = yield* afterBlanks(text, 0)
  if (text[start] !== openList) return yield { from: start, to: text.length }
  let from = start + 1
  const scan: Scan = { at: from, depth: 0, inText: false, isEmpty: true }
  for (;;) {
    const found = toNext(text, scan)
    if (found === 'going on') yield found
    else if (found === 'comma') {
      yield { from, to: scan.at }
      from = ++scan.at
      scan.isEmpty = false
    } else break
  }
  if (text[scan.at] !== closeList) return yield 'broken'
  if (!scan.isEmpty) yield { from, to: scan.at }
  if ((yield* afterBlanks(text, scan.at + 1)) < text.length) yield 'broken'
}

/** How far an array was looked through. */
interface Scan {
  at: number
  depth: number
  inText: boolean
  /** Nothing but blanks since it was opened. */
  isEmpty: boolean
}

/** A loop of its own: within the generator each byte took twice as long. @returns what it stands at: a comma between items, or the end of the array or of the text */
function toNext(text: Buffer, scan: Scan): 'comma' | 'end' | 'going on' {
  const until = Math.min(text.length, scan.at + stretch)
  let { at, depth, inText } = scan
  let found: 'comma' | 'end' | null = null
  for (; at < until; at++) {
    const byte = text[at] as number
    if (inText) {
      if (byte === backslash) at++
      else if (byte === quote) inText = false
      continue
    }
    if (byte === quote) inText = true
    else if (byte === comma) {
      if (depth === 0) {
        found = 'comma'
        break
      }
    } else if (byte === open || byte === openList) depth++
    else if (byte === close || byte === closeList) {
      if (depth === 0) {
        found = 'end'
        break
      }
      depth--
    }
    if (scan.isEmpty && !isBlank(byte)) scan.isEmpty = false
  }
  scan.at = at
  scan.depth = depth
  scan.inText = inText
  return found ?? (at < text.length ? 'going on' : 'end')
}

function* afterBlanks(text: Buffer, from: number): Generator<Cut, number> {
  let at = from
  for (; at < text.length && isBlank(text[at]); at++) if (at % stretch === 0) yield 'going on'
  return at
}
