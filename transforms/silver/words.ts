/** Looks up folded words: tables are written as lists of words by meaning, and asked in the other direction. */
import { foldText } from './fold-text.ts'

/** Longer texts are sentences, and folding them costs time. */
const longest = 64

/** @param table meaning to words between bars, in any language and case */
export function wordTable<T extends string>(table: Readonly<Record<T, string>>): (text: string) => T | undefined {
  const meaning = new Map<string, T>()
  for (const [value, list] of Object.entries<string>(table))
    for (const word of [value, ...list.split('|')].map(foldText)) {
      const other = meaning.get(word)
      if (other !== undefined && other !== value) throw new Error(`"${word}" stands for ${other} and for ${value}`)
      meaning.set(word, value as T)
    }
  const folded = remembered((text) => meaning.get(foldText(text)))
  return (text) => meaning.get(text) ?? (text.length > longest ? undefined : folded(text))
}

/** @param lists of words between bars */
export function wordSet(...lists: readonly string[]): (text: string) => boolean {
  const words = new Set(lists.flatMap((list) => list.split('|').map(foldText)))
  const folded = remembered((text) => words.has(foldText(text)))
  return (text) => text.length <= longest && folded(text)
}

const mostRemembered = 1_000

/** A catalog has few brands, colours and states, and says each over and over: folding takes 0.3 to 2 µs, remembering 0.03. */
function remembered<T>(look: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>()
  return (text) => {
    let found = known.get(text)
    if (found !== undefined || known.has(text)) return found as T
    if (known.size >= mostRemembered) known.clear()
    found = look(text)
    known.set(text, found)
    return found
  }
}
