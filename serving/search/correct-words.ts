/** Finds what a mistyped word means: a word of the catalog, a letter or two away, that some product of the version has. */
import type { PoolClient } from 'pg'
import { readSpellings, type WordRow } from '../../infra/catalog/search-queries.ts'
import type { OpenSegment } from '../../transforms/search/open-segment.ts'
import type { QueryWord, ReadQuery } from '../../transforms/search/read-query.ts'
import { errorsBetween, isCorrectable, spellingKeys } from '../../transforms/search/spelling.ts'
import { countLive } from '../../transforms/search/word-hits.ts'

/** Of a word, those that are asked for at a time; the nearest and most frequent first. */
const atATime = 8
/** Words of products that have gone stay a while, so the first ones may find nothing. */
const mostRounds = 8

/** Words that nothing has, and that may be errors. */
export const unknownWords = (segments: readonly OpenSegment[], { words }: ReadQuery): QueryWord[] =>
  words.filter(
    ({ kind, text, ways, optional }) =>
      kind === 'word' &&
      !optional &&
      isCorrectable(text) &&
      !ways.some((way) => segments.some((segment) => countLive(segment, way, 1) > 0)),
  )

/** @param open reads the postings of terms @returns the query with its words corrected; null where nothing is meant */
export async function correctWords(
  tx: PoolClient,
  brand: string,
  catalogs: readonly string[],
  q: string,
  unknown: readonly QueryWord[],
  open: (terms: readonly string[]) => Promise<readonly OpenSegment[]>,
): Promise<string | null> {
  const candidates = await Promise.all(
    unknown.map(async ({ text }) => {
      const keys = catalogs.flatMap((catalog) => spellingKeys(catalog, text))
      const near = (await readSpellings(tx, brand, catalogs, keys)).flatMap(({ word, shown, n }) => {
        const errors = word === text ? null : errorsBetween(text, word)
        return errors === null ? [] : [{ word, shown, n, errors, same: word[0] === text[0] ? 0 : 1 }]
      })
      return near
        .sort((a, b) => a.errors - b.errors || a.same - b.same || b.n - a.n || (a.word < b.word ? -1 : 1))
        .slice(0, atATime * mostRounds)
    }),
  )
  const meant = candidates.map((): WordRow | null => null)
  for (let from = 0; from < atATime * mostRounds; from += atATime) {
    const looked = candidates.map((words, i) => (meant[i] ? [] : words.slice(from, from + atATime)))
    const terms = looked.flat().map(({ word }) => word)
    if (terms.length === 0) break
    const segments = await open(terms)
    const isThere = ({ word }: WordRow) => segments.some((one) => countLive(one, { terms: [word], weight: 1 }, 1) > 0)
    looked.forEach((words, i) => {
      meant[i] ??= words.find(isThere) ?? null
    })
  }
  let corrected = q
  // From behind, so that the places of those before stay.
  for (let i = unknown.length - 1; i >= 0; i--) {
    const best = meant[i]
    const { start, end } = unknown[i] as QueryWord
    if (best) corrected = corrected.slice(0, start) + best.shown + corrected.slice(end)
  }
  return corrected === q ? null : corrected
}
