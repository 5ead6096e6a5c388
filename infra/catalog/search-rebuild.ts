/** Makes segments of the index anew beside those that are read, and swaps them: small ones become one, and a catalog's whole index another. */
import type { Pool, PoolClient } from 'pg'
import { inTransaction } from './in-transaction.ts'
import { lockIndex } from './lock-index.ts'
import { type IndexPlace, type Placed, type SegmentMaker, writeSegment } from './search-index.ts'
import { dropUncounted } from './search-words.ts'

/** Segments of about one size become one when there are so many: each step is eight times as large, so that a product is seldom written again. */
const together = 8

const mergeableSql = (most: string) => `
  with live as (
    select s.catalog_id, s.workspace_id, s.brand_id, s.segment_id, s.documents,
           floor(ln(greatest(s.documents, 1)) / ln(${together}) + 0.0001) as size
      from search_segment s join catalog c on c.catalog_id = s.catalog_id
     where s.since is not null and s.until is null and s.born <= c.published_version and c.deleted_at is null),
  crowded as (
    select catalog_id, size from live where documents < ${most} group by 1, 2 having count(*) >= ${together} order by size limit 1)
  select l.catalog_id as catalog, l.workspace_id as workspace, l.brand_id as brand, l.segment_id as segment, l.documents
    from live l join crowded w on w.catalog_id = l.catalog_id and w.size = l.size where l.documents < ${most} order by l.documents, l.segment_id limit 64`

/** Of a segment of which so much stands no more, each query looks at what it need not; smaller ones are merged soon. */
const wornFrom = 512

const wornSql = (from: string) => `
  select s.catalog_id as catalog, s.workspace_id as workspace, s.brand_id as brand, s.segment_id as segment, s.documents
    from search_segment s join catalog c on c.catalog_id = s.catalog_id
   cross join lateral (
     select count(*) as n from search_document d
      where d.catalog_id = s.catalog_id and d.ended_at <= c.published_version and d.segment_id = s.segment_id) g
   where s.since is not null and s.until is null and s.born <= c.published_version and c.deleted_at is null and g.n > s.documents * 0.3 and s.documents >= ${from}
   order by s.segment_id limit 1`

interface Mergeable extends IndexPlace {
  readonly segment: number
  readonly documents: number
}

/** @returns whether there was anything to merge */
export async function mergeSegments(pool: Pool, maker: SegmentMaker): Promise<boolean> {
  const { rows } = await pool.query<Mergeable>(mergeableSql('$1'), [maker.mostDocuments])
  let room = maker.mostDocuments
  const chosen = rows.filter(({ documents }) => {
    room -= documents
    return room >= 0
  })
  const [first] = chosen
  if (!first || chosen.length < 2) return false
  return merge(
    pool,
    first,
    chosen.map(({ segment }) => segment),
    maker,
  )
}

/** @param from documents of a segment that is looked at @returns whether there was one */
export async function renewWornSegment(pool: Pool, maker: SegmentMaker, from = wornFrom): Promise<boolean> {
  const { rows } = await pool.query<Mergeable>(wornSql('$1'), [from])
  const [worn] = rows
  return worn ? merge(pool, worn, [worn.segment], maker) : false
}

/** Documents that end with a version which is being built are taken along, and end there as well. */
const standingSql = `
  select d.product_id as id, d.ended_at::text as until from search_document d
   where d.segment_id = any ($1) and d.ended_at > $2`

async function merge(pool: Pool, of: IndexPlace, segments: readonly number[], maker: SegmentMaker): Promise<boolean> {
  return inTransaction(pool, async (tx) => {
    await lockIndex(tx, of.catalog)
    const live = await tx.query(
      'select from search_segment where segment_id = any ($1) and since is not null and until is null',
      [segments],
    )
    const version = await publishedVersion(tx, of.catalog)
    // What is built anew takes the place of segments by when they were born: none of them may become younger meanwhile.
    const anew = await tx.query(
      'select from search_segment where catalog_id = $1 and since is null and until is null',
      [of.catalog],
    )
    if (live.rowCount !== segments.length || version === null || anew.rowCount !== 0) return false
    const { rows } = await tx.query<Placed>(standingSql, [segments, version])
    const made =
      rows.length === 0
        ? []
        : [await writeSegment(tx, { ...of, born: version, at: version, last: null, seen: false }, rows, maker)]
    await swap(tx, segments, made)
    return true
  })
}

async function publishedVersion(tx: PoolClient, catalog: string): Promise<number | null> {
  const { rows } = await tx.query<{ version: number }>(
    'select published_version as version from catalog where catalog_id = $1 and deleted_at is null and published_version > 0',
    [catalog],
  )
  return rows[0]?.version ?? null
}

/** At one place of the order, so that a reader has either the old ones or the new. */
async function swap(tx: PoolClient, old: readonly number[], made: readonly number[]): Promise<void> {
  const { rows } = await tx.query<{ at: number }>(`select nextval('search_seq')::int as at`)
  const at = rows[0]?.at ?? 0
  await tx.query('update search_segment set until = $2, ended_at = now() where segment_id = any ($1)', [old, at])
  await tx.query('update search_segment set since = $2 where segment_id = any ($1)', [made, at])
}

/** A catalog that was published before there was an index, or whose scores are by other weights by now. */
const dueSql = (of: string) => `
  select c.catalog_id as catalog, c.workspace_id as workspace, c.brand_id as brand
    from catalog c join workspace w on w.workspace_id = c.workspace_id
   where c.deleted_at is null and c.published_version > 0 and ${of}
     and (not exists (select from search_segment s where s.catalog_id = c.catalog_id and s.since is not null and s.born <= c.published_version)
          or exists (select from search_segment s
                      where s.catalog_id = c.catalog_id and s.until is null and s.born <= c.published_version
                        and (s.since is null or s.weights_number < w.weights_number)))
   order by c.catalog_id limit 1`

/** See `DueWork`. */
export const areIndexesDue = `exists (${dueSql('true')})`
export const areSegmentsMergeable = (most: number) => `exists (${mergeableSql(String(most))})`
export const areSegmentsWorn = `exists (${wornSql(String(wornFrom))})`

const nextSql = `
  select product_id as id, valid_to::text as until from published
   where catalog_id = $1 and valid_from <= $2 and valid_to > $2 and content is not null and ($3::uuid is null or product_id > $3)
   order by product_id limit $4`

/** Makes the next segment of an index that is made anew. @returns whether there was anything to do */
export async function rebuildStep(pool: Pool, maker: SegmentMaker): Promise<boolean> {
  const { rows: due } = await pool.query<IndexPlace>(dueSql('true'))
  const [of] = due
  if (!of) return false
  return inTransaction(pool, async (tx) => {
    await lockIndex(tx, of.catalog)
    const version = await publishedVersion(tx, of.catalog)
    // Another process may have made it meanwhile.
    const still = await tx.query(dueSql('c.catalog_id = $1'), [of.catalog])
    if (version === null || still.rowCount === 0) return true
    const begun = await tx.query<{ id: number; born: number; last: string | null }>(
      'select segment_id as id, born, last_product as last from search_segment where catalog_id = $1 and since is null and until is null order by last_product',
      [of.catalog],
    )
    const at = begun.rows[0]?.born ?? version
    const from = begun.rows.at(-1)?.last ?? null
    await tx.query('set local enable_bitmapscan = off')
    const { rows } = await tx.query<Placed>(nextSql, [of.catalog, at, from, maker.mostDocuments])
    const last = rows.at(-1)
    const made = begun.rows.map(({ id }) => id)
    if (last) made.push(await writeSegment(tx, { ...of, born: at, at, last: last.id, seen: false }, rows, maker))
    if (rows.length === maker.mostDocuments) return true
    const old = await tx.query<{ id: number }>(
      'select segment_id as id from search_segment where catalog_id = $1 and since is not null and until is null and born <= $2',
      [of.catalog, at],
    )
    // An empty version has a segment too: else it would be due for ever.
    if (made.length === 0)
      made.push(await writeSegment(tx, { ...of, born: at, at, last: null, seen: false }, [], maker))
    await swap(
      tx,
      old.rows.map(({ id }) => id),
      made,
    )
    await dropUncounted(tx, of.catalog)
    return true
  })
}
