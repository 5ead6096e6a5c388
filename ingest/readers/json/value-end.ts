/** Finds where a JSON value ends whose text arrives in pieces, by its brackets and quotes alone. */

export interface Open {
  readonly as: 'key' | 'cut' | 'passed'
  readonly literal: boolean
  /** Where it starts. */
  readonly line: number
  depth: number
  inText: boolean
  escaped: boolean
  /** Text of former pieces; null where it is not wanted, or no longer. */
  held: string[] | null
  /** How one begins that became too long to be held. */
  begins: string
  length: number
}

interface Stop {
  readonly at: number
  readonly because: 'ended' | 'piece' | 'comment'
}

const quote = 0x22
const slash = 0x2f
const backslash = 0x5c
const literalEnd = /[\s,\]}/]/g

export function endOf(value: Open, piece: string, from: number): Stop {
  const { length } = piece
  if (value.literal) {
    literalEnd.lastIndex = from
    const found = literalEnd.exec(piece)
    return found ? { at: found.index, because: 'ended' } : { at: length, because: 'piece' }
  }
  let { depth } = value
  let at = from
  while (at < length) {
    if (value.inText) {
      at = textEnd(value, piece, at)
      if (!value.inText && depth === 0) return { at, because: 'ended' }
      continue
    }
    const code = piece.charCodeAt(at++)
    if (code === quote) value.inText = true
    else if (code === 0x7b || code === 0x5b) depth++
    else if (code === 0x7d || code === 0x5d) {
      if (--depth === 0) return { at, because: 'ended' }
    } else if (code === slash) return { at: at - 1, because: 'comment' }
  }
  value.depth = depth
  return { at, because: 'piece' }
}

/** Index after the closing quote, or the piece's length. */
function textEnd(value: Open, piece: string, from: number): number {
  let at = from
  if (value.escaped) {
    value.escaped = false
    at++
  }
  for (;;) {
    const found = piece.indexOf('"', at)
    const end = found < 0 ? piece.length : found
    let before = end
    while (before > at && piece.charCodeAt(before - 1) === backslash) before--
    const escapes = (end - before) % 2 === 1
    if (found < 0) {
      value.escaped = escapes
      return end
    }
    at = found + 1
    if (escapes) continue
    value.inText = false
    return at
  }
}
