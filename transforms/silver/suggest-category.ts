/** Suggests places in Google's taxonomy for a shop's category path: for people to choose from, never applied unasked. */
import { foldText } from './fold-text.ts'
import type { Taxonomy, TaxonomyEntry } from './taxonomy.ts'

export interface CategorySuggestion {
  readonly id: string
  readonly path: readonly string[]
  /** 0 to 1: the share of what either path says that both say, rare words counting for more. 1 where they are the same. */
  readonly confidence: number
}

/** A shop's last level says what the product is; those above it only where it stands. */
const above = 0.4
/** Below this the two share a common word and nothing else. */
const least = 0.25
const shortWord = 3

export type SuggestCategory = (path: readonly string[], atMost: number) => readonly CategorySuggestion[]

/** Words without the endings of plurals in our languages: `mugs` and `mug`, `Taschen` and `Tasche` are one. */
function stem(word: string): string {
  if (word.length <= shortWord + 1) return word
  return word.replace(/(?:ies|es|en|er|s|e|n|i|y|a|o)$/u, '')
}

/** What a path says, each word once, by how much it counts before its rarity does. */
function wordsOf(path: readonly string[]): Map<string, number> {
  const words = new Map<string, number>()
  for (const [level, name] of path.entries()) {
    const weight = level === path.length - 1 ? 1 : above
    for (const word of foldText(name).match(/[\p{L}\p{N}]+/gu) ?? []) {
      if (word.length < shortWord && /^[a-z]+$/.test(word)) continue
      const key = stem(word)
      words.set(key, Math.max(words.get(key) ?? 0, weight))
    }
  }
  return words
}

interface Place {
  readonly entry: TaxonomyEntry
  readonly words: ReadonlyMap<string, number>
  readonly sum: number
}

/** Made once a taxonomy; a suggestion then takes less than a millisecond. */
export function suggester(taxonomy: Taxonomy): SuggestCategory {
  const told = taxonomy.entries.flatMap((entry) =>
    taxonomy.pathsOf(entry.id).map((path) => ({ entry, words: wordsOf(path) })),
  )
  const counts = new Map<string, number>()
  for (const { words } of told) for (const word of words.keys()) counts.set(word, (counts.get(word) ?? 0) + 1)
  const rarity = (word: string) => Math.log(1 + told.length / (counts.get(word) ?? 1))
  const sumOf = (words: ReadonlyMap<string, number>) => {
    let sum = 0
    for (const [word, weight] of words) sum += (weight * rarity(word)) ** 2
    return sum
  }
  const places = told.map((one): Place => ({ ...one, sum: sumOf(one.words) }))
  const byWord = new Map<string, Place[]>()
  for (const place of places)
    for (const word of place.words.keys()) {
      const list = byWord.get(word)
      if (list) list.push(place)
      else byWord.set(word, [place])
    }

  return (path, atMost) => {
    const exact = taxonomy.find(path.join(' > '))
    if (exact) return [{ ...exact, confidence: 1 }]
    const asked = wordsOf(path)
    const sum = sumOf(asked)
    const shared = new Map<Place, number>()
    for (const [word, weight] of asked)
      for (const place of byWord.get(word) ?? [])
        shared.set(place, (shared.get(place) ?? 0) + weight * (place.words.get(word) ?? 0) * rarity(word) ** 2)
    const best = new Map<string, CategorySuggestion>()
    for (const [{ entry, sum: theirs }, both] of shared) {
      // Below 1: that is for the same path alone.
      const confidence = Math.min(0.99, Math.round((100 * both) / Math.sqrt(sum * theirs)) / 100)
      if (confidence >= least && confidence > (best.get(entry.id)?.confidence ?? 0))
        best.set(entry.id, { ...entry, confidence })
    }
    return [...best.values()]
      .sort((a, b) => b.confidence - a.confidence || a.path.length - b.path.length || Number(a.id) - Number(b.id))
      .slice(0, atMost)
  }
}
