/** Cuts a text to a limit of code points, at the end of a word where there is one not far before it. */
import { codePoints } from '../../schemas/feeds/code-points.ts'
import { cutText } from '../../schemas/feeds/cut-text.ts'

/** A word that is cut away may take so much of the limit with it. */
const share = 0.8

export function cutAtWord(text: string, limit: number): string {
  if (codePoints(text) <= limit) return text
  const cut = cutText(text, limit)
  const at = cut.search(/\s+\S*$/u)
  return (at >= cut.length * share ? cut.slice(0, at) : cut).replace(/[\s,;:–—-]+$/u, '')
}
