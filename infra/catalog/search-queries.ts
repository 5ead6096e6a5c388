/** Reads the search index as the API's role may: through functions that take the brand, within the caller's transaction. */
import type { PoolClient } from 'pg'
import type { Reading } from './postgres.ts'

export interface SegmentRow {
  readonly catalog: string
  readonly version: number
  /** null where the catalog has no segment. */
  readonly segment: number | null
  readonly born: number
  readonly since: number
  readonly until: number | null
  readonly documents: number
  readonly buckets: number
  readonly languages: Readonly<Record<string, number>>
  /** The generation of the brand's popularity that is in force. */
  readonly popularity: number
}

/** Published catalogs of the brand with their segments. @param catalogs null: all of them */
export async function readSegments(
  tx: Reading,
  brand: string,
  catalogs: readonly string[] | null,
): Promise<SegmentRow[]> {
  const { rows } = await tx.query<SegmentRow>({
    name: 'search_segments',
    text: `select catalog_id as catalog, version, segment_id as segment, born, since, until, documents, buckets, languages,
                  coalesce((select generation from popularity where brand_id = $1), 0) as popularity
             from search_segments($1, $2)`,
    values: [brand, catalogs],
  })
  return rows
}

export interface BlobRow<Key> {
  readonly segment: number
  readonly key: Key
  readonly data: Buffer
}

export async function readColumnBlobs(
  tx: PoolClient,
  brand: string,
  segments: readonly number[],
  names: readonly string[],
): Promise<BlobRow<string>[]> {
  const { rows } = await tx.query<BlobRow<string>>({
    text: 'select segment_id as segment, name as key, data from search_columns($1, $2, $3)',
    values: [brand, segments, names],
  })
  return rows
}

/** @param segments and `keys`, pairs */
export async function readPostingBlobs(
  tx: PoolClient,
  brand: string,
  segments: readonly number[],
  keys: readonly number[],
): Promise<BlobRow<number>[]> {
  const { rows } = await tx.query<BlobRow<number>>({
    name: 'search_postings',
    text: 'select segment_id as segment, key, data from search_postings($1, $2, $3)',
    values: [brand, segments, keys],
  })
  return rows
}

/** Documents that ended after one version and by another. */
export async function readGone(
  tx: PoolClient,
  brand: string,
  segments: readonly number[],
  after: number,
  upto: number,
): Promise<{ segment: number; document: number }[]> {
  const { rows } = await tx.query<{ segment: number; document: number }>(
    'select segment_id as segment, document from search_gone($1, $2, $3, $4)',
    [brand, segments, after, upto],
  )
  return rows
}

export interface WordRow {
  readonly word: string
  readonly shown: string
  readonly n: number
}

/** @param keys of what was typed, with each catalog in them */
export async function readSpellings(
  tx: PoolClient,
  brand: string,
  catalogs: readonly string[],
  keys: readonly number[],
): Promise<WordRow[]> {
  const { rows } = await tx.query<WordRow>('select word, shown, n::int as n from search_spellings($1, $2, $3)', [
    brand,
    catalogs,
    keys,
  ])
  return rows
}

/** The words of most products first. */
export async function readCompletions(
  tx: PoolClient,
  brand: string,
  catalogs: readonly string[],
  prefix: string,
  most: number,
): Promise<WordRow[]> {
  const { rows } = await tx.query<WordRow>('select word, shown, n::int as n from search_completions($1, $2, $3, $4)', [
    brand,
    catalogs,
    prefix,
    most,
  ])
  return rows
}
