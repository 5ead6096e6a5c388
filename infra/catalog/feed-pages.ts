/** Stored lines as readers get them, by key pages; each page is its own transaction, so that a slow reader holds nothing back. */
import type { PoolClient } from 'pg'
import type { FeedProblem } from '../../schemas/feeds/profile.ts'
import type { TakeCopied } from './copied-data.ts'
import { linePieces, type PieceTaker } from './line-pieces.ts'

/** What a page of an edition came to. */
export interface LinePage {
  readonly lines: number
  readonly bytes: number
  /** The product of its last line. */
  readonly last: string
}

interface PageOf {
  readonly config: number
  readonly edition: number
  /** The product that it begins behind. */
  readonly after: string | null
  readonly limit: number
}

/** As in listProducts: without statistics every page would sort the rest. */
const byKey = 'set local enable_bitmapscan = off; set local enable_seqscan = off'

/** `copyWithTenant` of a principal. */
export type CopyLines = (settings: string, sql: string, take: TakeCopied) => Promise<void>

/**
 * By COPY, row by row: 2.5 µs of the store's CPU a line; joined there to pieces it took 3.3, since they are kept until the page ends.
 * @param of.upto as far as the first lines are made; null for all
 * @param of.prefix what stands before the product's id and each line's own attributes
 * @param taker is given each piece as it comes
 * @returns null where there is no line any more
 */
export async function linePage(
  copy: CopyLines,
  {
    config,
    edition,
    after,
    limit,
    upto,
    prefix,
  }: PageOf & { readonly upto: string | null; readonly prefix: string | null },
  taker: PieceTaker,
): Promise<LinePage | null> {
  // COPY takes no parameters.
  const place = [after && `product_id > ${quoted(after)}`, upto && `product_id <= ${quoted(upto)}`].filter(Boolean)
  const line =
    prefix === null
      ? 'line'
      : `${quoted(prefix)} || product_id || '","_product":"' || product_id || '",' || substr(line, 2)`
  const sql = `
    select product_id, ${line} from feed_line
     where config_id = ${Number(config)} and valid_from <= ${Number(edition)} and valid_to > ${Number(edition)} and ok
       ${place.map((one) => `and ${one}`).join(' ')} order by product_id limit ${Number(limit)}`
  let [lines, bytes, last] = [0, 0, '']
  const pieces = linePieces({
    room: (size) => taker.room(size),
    take(piece) {
      lines += piece.lines
      bytes += piece.bytes.length
      last = piece.last
      taker.take(piece)
    },
  })
  await copy(byKey, `copy (${sql}) to stdout (format binary)`, pieces.read)
  pieces.end()
  return lines === 0 ? null : { lines, bytes, last }
}

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`

export interface Told {
  readonly product: string
  readonly edition: number
  /** Whether the line is the end of one: then it is only its name. */
  readonly ended: boolean
  readonly line: string
}

const tailSql = `
  select product_id as product, valid_from as edition, tells = -1 as ended, line from feed_line
   where config_id = $1 and tells <> 0 and (valid_from, product_id) > ($2, $3) and valid_from <= $4 order by valid_from, product_id limit $5`

/** What changed after a place, in order of edition and product, up to an edition. */
export async function toldPage(
  tx: PoolClient,
  config: number,
  after: { readonly edition: number; readonly product: string },
  upto: number,
  limit: number,
): Promise<Told[]> {
  const set = tx.query(byKey)
  const read = tx.query<Told>(tailSql, [config, after.edition, after.product, upto, limit])
  const [, { rows }] = await Promise.all([set, read])
  return rows
}

/** Those of the products that have a line in an edition. */
export async function listedOf(
  tx: PoolClient,
  config: number,
  edition: number,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await tx.query<{ product: string }>(
    `select product_id as product from feed_line
      where config_id = $1 and product_id = any ($3::uuid[]) and ok and valid_from <= $2 and valid_to > $2`,
    [config, edition, ids],
  )
  return new Set(rows.map(({ product }) => product))
}

/** Whether the platform refuses anything of an edition. */
export async function refusesAny(tx: PoolClient, config: number, edition: number): Promise<boolean> {
  const sql =
    'select from feed_line where config_id = $1 and problems is not null and valid_from <= $2 and valid_to > $2 limit 1'
  return (await tx.query(sql, [config, edition])).rowCount === 1
}

export interface Refused {
  readonly product: string
  readonly sku: string | null
  readonly title: string | null
  readonly problems: readonly FeedProblem[]
}

const refusedSql = `
  select l.product_id as product, p.sku, p.title, l.problems
    from (select product_id, problems from feed_line
           where config_id = $1 and problems is not null and valid_from <= $2 and valid_to > $2 and ($3::uuid is null or product_id > $3)
           order by product_id limit $4) l
    left join lateral (select sku, title from products where catalog_id = $5 and product_id = l.product_id limit 1) p on true
   order by l.product_id`

export async function refusedPage(
  tx: PoolClient,
  { config, edition, after, limit }: PageOf,
  catalog: string,
): Promise<Refused[]> {
  await tx.query(byKey)
  return (await tx.query<Refused>(refusedSql, [config, edition, after, limit, catalog])).rows
}

/** @param version of a position: what changed since must all be there still */
export async function isKept(tx: PoolClient, catalog: string, version: number): Promise<boolean> {
  const sql = `select from publish where catalog_id = $1 and version = $2 and state = 'dropped'`
  return (await tx.query(sql, [catalog, version])).rowCount === 0
}

/** Reads all lines' rows: once a report. */
export async function countLines(
  tx: PoolClient,
  config: number,
  edition: number,
): Promise<{ valid: number; refused: number }> {
  const { rows } = await tx.query<{ valid: number; refused: number }>(
    `select count(*) filter (where ok) as valid, count(*) filter (where problems is not null) as refused
       from feed_line where config_id = $1 and valid_from <= $2 and valid_to > $2`,
    [config, edition],
  )
  return rows[0] ?? { valid: 0, refused: 0 }
}

/** How many products each attribute keeps out, the most first. */
export async function refusedFields(
  tx: PoolClient,
  config: number,
  edition: number,
): Promise<{ field: string; products: number }[]> {
  const { rows } = await tx.query<{ field: string; products: number }>(
    `select p ->> 'field' as field, count(distinct l.product_id)::int as products
       from feed_line l cross join lateral jsonb_array_elements(l.problems) p
      where l.config_id = $1 and l.problems is not null and l.valid_from <= $2 and l.valid_to > $2 group by 1 order by 2 desc, 1 limit 500`,
    [config, edition],
  )
  return rows
}
