/** Adds to the words of a query what means the same: of one word further ways to find it, of several words one that stands for them. */
import { lexemesOf } from './lexemes.ts'
import type { QueryWord, ReadQuery, Way } from './read-query.ts'
import { isStemLanguage, stem } from './stem.ts'

/** Words of a term at most. */
export const mostTermWords = 4
const synonymWeight = 0.8

/** How a term is kept and looked up: as the analyser writes it, so that accents, case and marks tell no two apart. */
export const synonymKey = (text: string): string =>
  lexemesOf(text)
    .map(({ term }) => term)
    .join(' ')

interface Run {
  readonly from: number
  readonly to: number
  readonly key: string
}

function runsOf(words: readonly QueryWord[]): Run[] {
  const runs: Run[] = []
  for (let from = 0; from < words.length; from++)
    for (let to = from + 1; to <= Math.min(words.length, from + mostTermWords); to++)
      runs.push({
        from,
        to,
        key: words
          .slice(from, to)
          .map(({ text }) => text)
          .join(' '),
      })
  return runs
}

/** What is to be looked up for a query. */
export const synonymKeys = ({ words }: ReadQuery): string[] => [...new Set(runsOf(words).map(({ key }) => key))]

/** @param meant of each key, the words that mean the same @param languages of the texts that are searched */
export function applySynonyms(
  query: ReadQuery,
  meant: ReadonlyMap<string, readonly string[]>,
  languages: readonly string[],
): ReadQuery {
  if (meant.size === 0) return query
  const runs = runsOf(query.words).filter(({ key }) => meant.has(key))
  // The longest first: `running shoes` is not what `shoes` means.
  runs.sort((a, b) => b.to - b.from - (a.to - a.from) || a.from - b.from)
  const taken = new Set<number>()
  const at = new Map<number, { to: number; word: QueryWord }>()
  for (const { from, to, key } of runs) {
    const places = Array.from({ length: to - from }, (_, i) => from + i)
    if (places.some((place) => taken.has(place))) continue
    for (const place of places) taken.add(place)
    const ways = (meant.get(key) ?? []).flatMap((words) => waysOf(words, languages))
    at.set(from, { to, word: together(query.words.slice(from, to), ways) })
  }
  const words: QueryWord[] = []
  for (let i = 0; i < query.words.length; ) {
    const found = at.get(i)
    words.push(found?.word ?? (query.words[i] as QueryWord))
    i = found?.to ?? i + 1
  }
  return { ...query, words }
}

function together(words: readonly QueryWord[], ways: readonly Way[]): QueryWord {
  const [first, last] = [words[0] as QueryWord, words.at(-1) as QueryWord]
  const own: Way[] =
    words.length === 1
      ? [...first.ways]
      : [0, 1].map((nth) => ({
          terms: words.flatMap(({ ways }) => (ways[nth] ?? ways[0])?.terms ?? []),
          weight: nth === 0 ? 1 : 0.9,
        }))
  return {
    ...first,
    text: words.map(({ text }) => text).join(' '),
    end: last.end,
    ways: [...own, ...ways],
    optional: false,
  }
}

function waysOf(text: string, languages: readonly string[]): Way[] {
  const lexemes = lexemesOf(text)
  if (lexemes.length === 0) return []
  const exact = lexemes.map(({ term }) => term)
  const ways = new Map<string, Way>([[exact.join(' '), { terms: exact, weight: synonymWeight }]])
  for (const language of languages.filter(isStemLanguage)) {
    const made = lexemes.map(({ kind, term, parts }) =>
      kind === 'word' ? stem(parts[0]?.raw ?? term, language) : term,
    )
    const key = made.join(' ')
    // Several languages make the same of it.
    if (!ways.has(key)) ways.set(key, { terms: made, weight: synonymWeight * 0.9 })
  }
  return [...ways.values()]
}
