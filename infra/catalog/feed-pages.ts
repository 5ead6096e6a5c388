/** Stored lines as readers get them, by key pages; each page is its own transaction, so that a slow reader holds nothing back. */
import type { PoolClient } from 'pg'
import type { FeedProblem } from '../../schemas/feeds/profile.ts'

/** The page of an edition: whole text, which costs a tenth of a row a line. */
export interface TextPage {
  /** A line feed after each line. */
  readonly text: string
  readonly lines: number
  readonly last: string
}

interface PageOf {
  readonly config: number
  readonly edition: number
  /** The product that it begins behind. */
  readonly after: string | null
  readonly limit: number
  /** As far as the first lines are made; null for all. */
  readonly upto?: string | null
  /** Written before each line's own attributes, with the product's id where it says so. */
  readonly prefix?: string
}

const textSql = (line: string) => `
  select string_agg(${line}, e'\\n' order by product_id) || e'\\n' as text, count(*) as lines, (array_agg(product_id order by product_id desc))[1] as last
    from (select product_id, line from feed_line
           where config_id = $1 and valid_from <= $2 and valid_to > $2 and ok
             and ($3::uuid is null or product_id > $3) and ($5::uuid is null or product_id <= $5)
           order by product_id limit $4) page`

/** \`$6\` up to the product, \`$7\` behind it. */
const plain = textSql('line')
const placed = textSql(`$6::text || product_id || '","_product":"' || product_id || '",' || substr(line, 2)`)

/** As in listProducts: without statistics every page would sort the rest. */
const byKey = 'set local enable_bitmapscan = off; set local enable_seqscan = off'

/** @returns null where there is no line any more */
export async function textPage(
  tx: PoolClient,
  { config, edition, after, limit, upto = null, prefix }: PageOf,
): Promise<TextPage | null> {
  const set = tx.query(byKey)
  const values = [config, edition, after, limit, upto]
  const read =
    prefix === undefined ? tx.query<TextPage>(plain, values) : tx.query<TextPage>(placed, [...values, prefix])
  const [, { rows }] = await Promise.all([set, read])
  const [row] = rows
  return row?.last ? row : null
}

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
