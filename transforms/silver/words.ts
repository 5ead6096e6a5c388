/** Looks up folded words: tables are written as lists of words by meaning, and asked in the other direction. */
import { foldText } from './fold-text.ts'

/** @param table meaning to words between bars, in any language and case */
export function wordTable<T extends string>(table: Readonly<Record<T, string>>): (text: string) => T | undefined {
  const meaning = new Map<string, T>()
  for (const [value, list] of Object.entries<string>(table))
    for (const word of [value, ...list.split('|')]) meaning.set(foldText(word), value as T)
  // Longer texts are sentences, and folding them costs time.
  return (text) => meaning.get(text) ?? (text.length > 64 ? undefined : meaning.get(foldText(text)))
}
