/** Words of a catalog's products, for typing errors and for what somebody begins to type: each is there while a segment of the index has it. */
import type { PoolClient } from 'pg'
import type { BuiltSegment } from '../../transforms/search/build-segment.ts'
import { copyRows } from './copy.ts'
import { lockIndex } from './lock-index.ts'

const wordColumns = [
  { name: 'word', type: 'text' },
  { name: 'shown', type: 'text' },
  { name: 'n', type: 'int4' },
] as const

const partColumns = [
  { name: 'segment_id', type: 'int4' },
  { name: 'part', type: 'int4' },
  { name: 'words', type: 'text[]' },
  { name: 'counts', type: 'int4[]' },
] as const

/** Words that are counted and forgotten in one step. */
const partWords = 5_000

/**
 * Most are known already, and only those that are not need keys.
 * @param keysOf hashes by which a word is found when it is mistyped
 */
export async function addWords(
  tx: PoolClient,
  { catalog, segment }: { readonly catalog: string; readonly segment: number },
  words: BuiltSegment['words'],
  keysOf: (catalog: string, word: string) => number[],
): Promise<void> {
  const seen = [...words].map(([word, { shown, n }]) => [word, shown, n] as const).sort(([a], [b]) => (a < b ? -1 : 1))
  await copyRows(tx, 'search_segment_word', partColumns, partsOf(segment, seen))
  await tx.query(
    'create temp table if not exists search_word_seen (word text collate "C", shown text, n int) on commit delete rows',
  )
  await tx.query('delete from search_word_seen')
  await copyRows(tx, 'search_word_seen', wordColumns, seen)
  await tx.query(
    'update search_word w set n = w.n + s.n from search_word_seen s where w.catalog_id = $1 and w.word = s.word',
    [catalog],
  )
  const { rows } = await tx.query<{ word: string; shown: string; n: number }>(
    `select word, shown, n from search_word_seen s
      where not exists (select from search_word w where w.catalog_id = $1 and w.word = s.word) order by word`,
    [catalog],
  )
  await copyRows(
    tx,
    'search_word',
    [{ name: 'catalog_id', type: 'uuid' }, ...wordColumns, { name: 'keys', type: 'int4[]' }],
    rows.map(({ word, shown, n }) => [catalog, word, shown, n, keysOf(catalog, word)]),
  )
}

function* partsOf(segment: number, seen: readonly (readonly [word: string, shown: string, n: number])[]) {
  for (let from = 0; from < seen.length; from += partWords) {
    const part = seen.slice(from, from + partWords)
    yield [segment, from / partWords, part.map(([word]) => word), part.map(([, , n]) => n)]
  }
}

/** A word is either lessened or gone: one statement may not do both to a row. */
const forgetSql = `
  with part as (
    delete from search_segment_word where segment_id = $2
       and part = (select min(part) from search_segment_word where segment_id = $2) returning words, counts),
  had as (select h.word, h.n from part cross join lateral unnest(part.words, part.counts) as h (word, n)),
  gone as (delete from search_word w using had where w.catalog_id = $1 and w.word = had.word and w.n <= had.n),
  less as (update search_word w set n = w.n - had.n from had where w.catalog_id = $1 and w.word = had.word and w.n > had.n)
  select from part`

/** Takes the next words of a segment that nobody reads from those of its catalog. @returns whether there were some */
export async function forgetWords(tx: PoolClient, catalog: string, segment: number): Promise<boolean> {
  const left = await tx.query('select from search_segment_word where segment_id = $1 limit 1', [segment])
  if (left.rowCount === 0) return false
  await lockIndex(tx, catalog)
  await tx.query(forgetSql, [catalog, segment])
  return true
}

/** After an index was made anew: words that are in none of its segments, and of which nobody has told how many had them. */
export async function dropUncounted(tx: PoolClient, catalog: string): Promise<void> {
  await tx.query('delete from search_word where catalog_id = $1 and n <= 0', [catalog])
}
