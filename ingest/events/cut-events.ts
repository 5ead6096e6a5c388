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
  let at = yield* afterBlanks(text, 0)
  if (text[at] !== openList) return yield { from: at, to: text.length }
  let from = at + 1
  let [depth, inText, isEmpty] = [0, false, true]
  for (at++; at < text.length; at++) {
    const byte = text[at]
    if (at % stretch === 0) yield 'going on'
    if (inText) {
      if (byte === backslash) at++
      else if (byte === quote) inText = false
      continue
    }
    if (byte === comma && depth === 0) {
      yield { from, to: at }
      from = at + 1
    } else if (byte === quote) inText = true
    else if (byte === openList || byte === open) depth++
    else if (byte === closeList || byte === close) {
      if (depth === 0) break
      depth--
    }
    isEmpty &&= isBlank(byte)
  }
  if (text[at] !== closeList) return yield 'broken'
  if (!isEmpty) yield { from, to: at }
  if ((yield* afterBlanks(text, at + 1)) < text.length) yield 'broken'
}

function* afterBlanks(text: Buffer, from: number): Generator<Cut, number> {
  let at = from
  for (; at < text.length && isBlank(text[at]); at++) if (at % stretch === 0) yield 'going on'
  return at
}
