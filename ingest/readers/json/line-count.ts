/** Counts physical lines over text that arrives in pieces; LF, CR and CRLF each end one. */

export interface LineCount {
  /** The line that the last counted character stands before, from 1. */
  readonly line: number
  next(piece: string): void
  /** Goes on to `to` in the present piece, whose earlier characters are counted. */
  pass(to: number): void
}

export function countLines(): LineCount {
  let piece = ''
  let line = 1
  let at = 0
  let lf = -1
  let cr = -1
  let afterReturn = false
  const find = (mark: string) => {
    const found = piece.indexOf(mark, at)
    return found < 0 ? piece.length : found
  }
  return {
    get line() {
      return line
    },
    next(text) {
      afterReturn = piece === '' ? afterReturn : piece.endsWith('\r')
      piece = text
      at = 0
      lf = -1
      cr = -1
    },
    pass(to) {
      for (;;) {
        if (lf < at) lf = find('\n')
        if (cr < at) cr = find('\r')
        const next = Math.min(lf, cr)
        if (next >= to) break
        const ofReturn = next === lf && (next === 0 ? afterReturn : piece[next - 1] === '\r')
        if (!ofReturn) line++
        at = next + 1
      }
      at = Math.max(at, to)
    },
  }
}
