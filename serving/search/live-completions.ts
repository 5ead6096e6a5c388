/** Words that go on as somebody typed and that products still have: the index also knows words of products that have gone. */
import type { PoolClient } from 'pg'
import { readCompletions, type WordRow } from '../../infra/catalog/search-queries.ts'
import type { OpenSegment } from '../../transforms/search/open-segment.ts'
import { countLive } from '../../transforms/search/word-hits.ts'

export interface CompletionsAsked {
  readonly brand: string
  readonly catalogs: readonly string[]
  readonly prefix: string
  readonly most: number
}

/** A catalog that has changed much knows many words that nothing has; so many times as many are looked at. */
const looks = 20

/** @param open reads the postings of words @returns those that most products have, or had */
export async function liveCompletions(
  tx: PoolClient,
  { brand, catalogs, prefix, most }: CompletionsAsked,
  open: (words: readonly string[]) => Promise<readonly OpenSegment[]>,
): Promise<WordRow[]> {
  const known = await readCompletions(tx, brand, catalogs, prefix, most * looks)
  const live: WordRow[] = []
  for (let from = 0; from < known.length && live.length < most; from += most) {
    const looked = known.slice(from, from + most)
    const segments = await open(looked.map(({ word }) => word))
    const isThere = ({ word }: WordRow) =>
      segments.some((segment) => countLive(segment, { terms: [word], weight: 1 }, 1) > 0)
    live.push(...looked.filter(isThere))
  }
  return live.slice(0, most)
}
