/** Writes the index that search reads: segments of published products, for a version that is being built or beside those that are read. */
import type { Pool, PoolClient } from 'pg'
import { type RefinedProduct, unrefined } from '../../schemas/product.ts'
import type { BuiltSegment, IndexedProduct, SegmentBuilder } from '../../transforms/search/build-segment.ts'
import type { LanguageCounts } from '../../transforms/search/text-languages.ts'
import { type CopyColumn, copyRows } from './copy.ts'
import { inTransaction } from './in-transaction.ts'
import { lockIndex } from './lock-index.ts'
import { generationOf, type PopularityMaker, writePopularity } from './popularity-columns.ts'
import type { PublishRow } from './publish.ts'
import { scoreSql } from './rank-sql.ts'
import { takeBackIndex } from './search-sweep.ts'
import { addWords } from './search-words.ts'

/** How segments are made: pure, and so not known here. */
export interface SegmentMaker {
  readonly mostDocuments: number
  /** @param others products of the catalog that are indexed already, by language */
  open(size: number, others: LanguageCounts): SegmentBuilder
  /** Hashes by which a word is found when it is mistyped. */
  keysOf(catalog: string, word: string): number[]
  readonly popularity: PopularityMaker
  /** Of the column that has the popularity of a generation. */
  popularityName(generation: number): string
}

export interface IndexPlace {
  readonly catalog: string
  readonly workspace: string
  readonly brand: string
}

/** Products whose content is in memory at once. */
const contentRows = 1_000

interface Row {
  readonly id: string
  readonly content: {
    readonly kind: IndexedProduct['kind']
    readonly createdAt: string
    readonly product: RefinedProduct
  } | null
  readonly score: number | null
  readonly valid: number | null
  readonly until: number | string
}

/** A product of the segment, and the version that ends it. */
export interface Placed {
  readonly id: string
  readonly until: number | string
}

const heldSql = `select from publish where catalog_id = $1 and version = $2 and job_id = $3 and state = 'building' for update`

const pageSql = `
  select p.product_id as id, p.content is not null as there, p.valid_to::text as until
    from published p
    left join product_score s on s.catalog_id = p.catalog_id and s.product_id = p.product_id
   where p.catalog_id = $1 and p.valid_from = $2 and ($3::uuid is null or p.product_id > $3)
   order by p.product_id limit $4`

/**
 * Indexes what a version has anew. One that was cut off is begun again: what it had come to may have been written over since.
 */
export async function indexVersion(pool: Pool, p: PublishRow, maker: SegmentMaker, signal: AbortSignal): Promise<void> {
  while (await inTransaction(pool, (tx) => takeBackIndex(tx, p.catalog, p.version))) signal.throwIfAborted()
  while (await indexVersionStep(pool, p, maker)) signal.throwIfAborted()
}

/**
 * Indexes the next products that a version has anew, and ends those of before: unseen until the version is flipped to.
 * @throws where the version is not this job's to build any more
 * @returns whether there may be more
 */
async function indexVersionStep(pool: Pool, p: PublishRow, maker: SegmentMaker): Promise<boolean> {
  return inTransaction(pool, async (tx) => {
    await lockIndex(tx, p.catalog)
    const held = await tx.query(heldSql, [p.catalog, p.version, p.job])
    if (held.rowCount === 0) throw new Error('this version is built by another process')
    const from = await cameTo(tx, p.catalog, p.version)
    await tx.query('set local enable_seqscan = off; set local enable_bitmapscan = off')
    const { rows } = await tx.query<Placed & { there: boolean }>(pageSql, [
      p.catalog,
      p.version,
      from,
      maker.mostDocuments,
    ])
    const last = rows.at(-1)
    if (!last) return false
    await endDocuments(
      tx,
      p.catalog,
      p.version,
      rows.map(({ id }) => id),
    )
    const placed = rows.filter(({ there }) => there)
    await writeSegment(tx, { ...p, born: p.version, at: p.version, last: last.id, seen: true }, placed, maker)
    return rows.length === maker.mostDocuments
  })
}

async function cameTo(tx: PoolClient, catalog: string, born: number): Promise<string | null> {
  const { rows } = await tx.query<{ id: string }>(
    'select last_product as id from search_segment where catalog_id = $1 and born = $2 and last_product is not null and ended_at is null order by last_product desc limit 1',
    [catalog, born],
  )
  return rows[0]?.id ?? null
}

/** By key, one by one, whatever statistics say. */
const endSql = `
  update search_document set ended_at = $2 where ctid = any (array(
    select d.ctid from unnest($3::uuid[]) as i (id)
     cross join lateral (select ctid from search_document where catalog_id = $1 and product_id = i.id and ended_at > $2) d))`

async function endDocuments(tx: PoolClient, catalog: string, version: number, ids: readonly string[]): Promise<void> {
  for (let from = 0; from < ids.length; from += contentRows)
    await tx.query(endSql, [catalog, version, ids.slice(from, from + contentRows)])
}

export interface SegmentAt extends IndexPlace {
  readonly born: number
  /** The version whose content it has. */
  readonly at: number
  readonly last: string | null
  /** Whether readers of its version see it at once. */
  readonly seen: boolean
}

/** Those in force. */
const weightsSql = `
  select v.w from catalog c join workspace w on w.workspace_id = c.workspace_id
    join weights_version v on v.workspace_id = w.workspace_id and v.number = w.weights_number where c.catalog_id = $1`

/** The best first, so that what is looked at first of a long list is what is shown first. */
const orderSql = `
  select i.id, i.until
    from unnest($2::uuid[], $3::text[]) as i (id, until)
    left join lateral (select * from product_score where catalog_id = $1 and product_id = i.id limit 1) s on true
    left join (${weightsSql}) v on true
   order by ${scoreSql} desc nulls last, i.id`

const contentSql = `
  select i.id, p.content, ${scoreSql}::int as score, s.valid
    from unnest($3::uuid[]) with ordinality as i (id, place)
   cross join lateral (
     select content from published
      where catalog_id = $1 and product_id = i.id and valid_from + 0 <= $2 and valid_to > $2 limit 1) p
    left join lateral (select * from product_score where catalog_id = $1 and product_id = i.id limit 1) s on true
    left join (${weightsSql}) v on true
   order by i.place`

/** @returns its id */
export async function writeSegment(
  tx: PoolClient,
  of: SegmentAt,
  placed: readonly Placed[],
  maker: SegmentMaker,
): Promise<number> {
  const { rows: ordered } = await tx.query<Placed>(orderSql, [
    of.catalog,
    placed.map(({ id }) => id),
    placed.map(({ until }) => String(until)),
  ])
  const builder = maker.open(placed.length, await languagesIn(tx, of.catalog))
  for (let from = 0; from < ordered.length; from += contentRows) {
    const ids = ordered.slice(from, from + contentRows).map(({ id }) => id)
    const { rows } = await tx.query<Row>(contentSql, [of.catalog, of.at, ids])
    if (rows.length !== ids.length) throw new Error('a product of the version has gone while it was indexed')
    builder.add(
      rows.flatMap(({ id, content, score, valid }): IndexedProduct[] => {
        if (!content) throw new Error('a product of the version has gone while it was indexed')
        const { kind, createdAt, product } = content
        // What was published before a field was known has none of it.
        return [{ id, kind, createdAt, product: { ...unrefined, ...product }, score, valid: valid ?? 0 }]
      }),
    )
  }
  return storeSegment(tx, of, ordered, builder.finish(), maker)
}

/** Products in each language that is spoken in the catalog, by its index. */
async function languagesIn(tx: PoolClient, catalog: string): Promise<LanguageCounts> {
  const { rows } = await tx.query<{ code: string; n: number }>(
    `select l.key as code, sum(l.value::int) as n from search_segment s cross join lateral jsonb_each_text(s.languages) l
      where s.catalog_id = $1 and s.ended_at is null group by 1`,
    [catalog],
  )
  return Object.fromEntries(rows.map(({ code, n }) => [code, n]))
}

const insertSql = `
  insert into search_segment (catalog_id, workspace_id, brand_id, born, since, documents, buckets, languages, weights_number, last_product)
  values ($1, $2, $3, $4, case when $5 then nextval('search_seq') end, $6, $7, $8,
          coalesce((select weights_number from workspace where workspace_id = $2), 0), $9)
  returning segment_id as id`

const columnsOf = {
  search_column: [
    { name: 'segment_id', type: 'int4' },
    { name: 'name', type: 'text' },
    { name: 'data', type: 'bytea' },
  ],
  search_posting: [
    { name: 'segment_id', type: 'int4' },
    { name: 'key', type: 'int8' },
    { name: 'data', type: 'bytea' },
  ],
  search_document: [
    { name: 'segment_id', type: 'int4' },
    { name: 'document', type: 'int4' },
    { name: 'catalog_id', type: 'uuid' },
    { name: 'product_id', type: 'uuid' },
    { name: 'ended_at', type: 'int8' },
  ],
} as const satisfies Record<string, readonly CopyColumn[]>

async function storeSegment(
  tx: PoolClient,
  { catalog, workspace, brand, born, last, seen }: SegmentAt,
  placed: readonly Placed[],
  built: BuiltSegment,
  maker: SegmentMaker,
): Promise<number> {
  const { documents, buckets, languages, columns, postings, words } = built
  const values = [catalog, workspace, brand, born, seen, documents, buckets, JSON.stringify(languages), last]
  const { rows } = await tx.query<{ id: number }>(insertSql, values)
  const id = rows[0]?.id ?? 0
  if (documents === 0) return id
  const copy = (table: keyof typeof columnsOf, from: Iterable<readonly unknown[]>) =>
    copyRows(tx, table, columnsOf[table], from)
  await copy(
    'search_column',
    Object.entries(columns).map(([name, data]) => [id, name, data]),
  )
  await copy('search_posting', rowsOf(id, postings))
  await copy(
    'search_document',
    placed.map(({ id: product, until }, i) => [id, i, catalog, product, BigInt(until)]),
  )
  await addWords(tx, { catalog, segment: id }, words, maker.keysOf)
  const generation = await generationOf(tx, brand)
  if (generation > 0) await writePopularity(tx, { segment: id, documents }, generation, maker)
  return id
}

function* rowsOf(id: number, postings: BuiltSegment['postings']) {
  // In order of the key, so that the index of the table grows at its end.
  for (const { key, data } of [...postings].sort((a, b) => a.key - b.key)) yield [id, key, data]
}
