/** Where a title goes on to say what the thing is for: `Cover for chair` is no chair. */
import type { Lexeme } from './lexemes.ts'

/** In each language; behind them stands what it is for. */
const before = new Set('for für pour para per na dla pro voor для'.split(' '))
/** In Japanese and Chinese it stands before this letter. */
const behind = '用'

/** @returns of each lexeme whether it is what the thing is for */
export function purposeOf(title: string, lexemes: readonly Lexeme[]): readonly boolean[] {
  const at = lexemes.findIndex(
    ({ kind, term }, i) => i > 0 && kind === 'word' && before.has(term === 'fur' ? 'für' : term),
  )
  const sign = title.indexOf(behind)
  return lexemes.map(({ kind, term, end }, i) => {
    if (at > 0 && i > at) return true
    return kind === 'gram' && sign > 0 && sign < end - 1 && !term.includes(behind) && title.indexOf(term) < sign
  })
}
