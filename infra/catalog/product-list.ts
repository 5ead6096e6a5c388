/** Lists of products in three orders with filters, under policy: a page looks at a bounded part of the catalog, and its cursor goes on. */
import type { PoolClient } from 'pg'
import type { Weights } from '../../schemas/score.ts'
import { conditions, type ProductFilter, type Scoring } from './product-conditions.ts'
import { type ProductRow, readColumns, readFrom } from './product-queries.ts'

export type ProductSort = 'id' | 'score' | 'updated_at'
export type Direction = 'asc' | 'desc'

/** Where a page ends: the value that the order goes by ('' by id), and the id. */
export interface ListPlace {
  readonly key: string
  readonly id: string
}

export interface ProductPage {
  readonly rows: readonly (ProductRow & { readonly place: ListPlace })[]
  /** Where the look through the catalog came to; null at its end. */
  readonly end: ListPlace | null
  /** For orders that follow behind: nothing that came before this time is missing. */
  readonly asOf: Date | null
}

interface Order {
  readonly table: string
  readonly alias: 'p' | 'o'
  /** null: the order is that of the ids alone. `idsTurn`: of one key the ids go the other way, as the index has them. */
  readonly key: {
    readonly column: string
    readonly type: string
    readonly text: string
    readonly idsTurn: boolean
  } | null
  /** Of the rows of `table`. */
  readonly only?: string
  /** Rows looked at in one statement. */
  readonly chunk: number
}

/** 10 to 40 ms where each of them is read and none is meant. */
const chunkRows = 2_000
/** Each look sorts all of the catalog. */
const sortedRows = 10_000

const instant = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
const orders: Readonly<Record<ProductSort, Order>> = {
  id: { table: 'products', alias: 'p', key: null, chunk: chunkRows },
  score: {
    table: 'product_rank',
    alias: 'o',
    key: { column: 'o.score', type: 'smallint', text: 'o.score::text', idsTurn: true },
    only: 'o.weights_number = (select w.rank_number from workspace w where w.workspace_id = (select assay_workspace()))',
    chunk: chunkRows,
  },
  updated_at: {
    table: 'product_recent',
    alias: 'o',
    key: { column: 'o.updated_at', type: 'timestamptz', text: instant('o.updated_at'), idsTurn: false },
    chunk: chunkRows,
  },
}

/** As ranks have it, of the scores themselves: while ranks of the weights in force are being built. */
const sortedByScore = (weights: Weights): Order => ({
  ...{ alias: 'o', key: orders.score.key, chunk: sortedRows },
  table: `(select catalog_id, product_id,
      ((${weights.map((weight, i) => `s${i + 1}::bigint * ${weight}`).join(' + ')} + 500000) / 1000000)::smallint as score
      from product_score)`,
})

async function orderOf(tx: PoolClient, sort: ProductSort, { weights }: Scoring): Promise<Order> {
  if (sort !== 'score') return orders[sort]
  const { rowCount } = await tx.query(
    'select from workspace where workspace_id = (select assay_workspace()) and rank_number = weights_number',
  )
  return rowCount === 0 ? sortedByScore(weights) : orders.score
}

/**
 * Numeric and text operators are not leakproof, so no index serves them under policy: a page stops looking after this.
 * With 200 k products on two busy cores a full page takes 10 to 60 ms, one that finds nothing 130 to 270.
 */
const lookForMs = 120

/** SKU and family have an index, and few rows each. */
const isNarrow = ({ sku, family }: ProductFilter) => sku !== undefined || family !== undefined

/**
 * A page has fewer rows than asked for, or none, where the next ones are far: it then has an `end` all the same.
 * @param limit rows wanted; one more is looked for, so that the last page is known
 */
export async function listProductPage(
  tx: PoolClient,
  filter: ProductFilter,
  scoring: Scoring,
  { sort, direction }: { sort: ProductSort; direction: Direction },
  after: ListPlace | null,
  limit: number,
): Promise<ProductPage> {
  // Before a new table has statistics the planner would gather and sort the whole rest of the catalog for every page.
  await tx.query('set local enable_bitmapscan = off')
  const order = await orderOf(tx, sort, scoring)
  const asOf = sort === 'id' ? null : await followed(tx, filter.catalog)
  const rows: (ProductRow & { place: ListPlace })[] = []
  const chunk = isNarrow(filter) ? null : order.chunk
  const until = performance.now() + lookForMs
  for (let from = after; ; ) {
    const to: ListPlace | null = chunk === null ? null : await placeAfter(tx, filter, order, direction, from, chunk)
    const found = await rowsBetween(tx, filter, scoring, order, direction, from, to, limit + 1 - rows.length)
    rows.push(...found)
    if (rows.length > limit) {
      const page = rows.slice(0, limit)
      return { rows: page, end: page.at(-1)?.place ?? null, asOf }
    }
    if (to === null) return { rows, end: null, asOf }
    if (performance.now() > until) return { rows, end: to, asOf }
    from = to
  }
}

type Side = 'beyond' | 'upTo'

/** What lies beyond a place, or up to and with it, as a range of the order's index. */
function range(
  { key }: Order,
  direction: Direction,
  side: Side,
  place: ListPlace,
  $: (value: unknown) => string,
): string {
  const ahead = (direction === 'asc') === (side === 'beyond')
  const sign = ahead ? '>' : '<'
  const last = side === 'upTo' ? '=' : ''
  if (key === null) return `p.product_id ${sign}${last} ${$(place.id)}::uuid`
  const [value, id] = [`${$(place.key)}::${key.type}`, `${$(place.id)}::uuid`]
  if (!key.idsTurn) return `(${key.column}, o.product_id) ${sign}${last} (${value}, ${id})`
  const turned = ahead ? '<' : '>'
  return `${key.column} ${sign}= ${value} and (${key.column} ${sign} ${value} or o.product_id ${turned}${last} ${id})`
}

const other = { asc: 'desc', desc: 'asc' } as const

const orderBy = ({ key, alias }: Order, direction: Direction) =>
  key === null
    ? `order by ${alias}.product_id ${direction}`
    : `order by ${key.column} ${direction}, ${alias}.product_id ${key.idsTurn ? other[direction] : direction}`

/** What bounds the look in the order's own table; by time the index begins where the filter does. */
function within({ table, only }: Order, { updatedSince }: ProductFilter, $: (value: unknown) => string): string[] {
  const all = only === undefined ? [] : [only]
  if (updatedSince !== undefined && table === 'product_recent') all.push(`o.updated_at >= ${$(updatedSince)}`)
  return all
}

/** The place `rows` further on, from the order's own index alone; null where less is left. */
async function placeAfter(
  tx: PoolClient,
  filter: ProductFilter,
  order: Order,
  direction: Direction,
  after: ListPlace | null,
  rows: number,
): Promise<ListPlace | null> {
  const values: unknown[] = [filter.catalog]
  const $ = (value: unknown) => `$${values.push(value)}`
  const all = [`${order.alias}.catalog_id = $1`]
  all.push(...within(order, filter, $))
  if (after !== null) all.push(range(order, direction, 'beyond', after, $))
  const { rows: found } = await tx.query<ListPlace>(
    `select ${order.alias}.product_id as id, ${order.key?.text ?? "''"} as key from ${order.table} ${order.alias}
      where ${all.join(' and ')} ${orderBy(order, direction)} offset ${rows - 1} limit 1`,
    values,
  )
  return found[0] ?? null
}

async function rowsBetween(
  tx: PoolClient,
  filter: ProductFilter,
  scoring: Scoring,
  order: Order,
  direction: Direction,
  after: ListPlace | null,
  to: ListPlace | null,
  limit: number,
): Promise<(ProductRow & { place: ListPlace })[]> {
  const { values, all, $ } = conditions(filter, scoring)
  all.unshift(`${order.alias}.catalog_id = ${$(filter.catalog)}`, 'p.alive')
  all.push(...within(order, filter, $))
  if (after !== null) all.push(range(order, direction, 'beyond', after, $))
  if (to !== null) all.push(range(order, direction, 'upTo', to, $))
  const follows = 'join products p on p.catalog_id = o.catalog_id and p.product_id = o.product_id'
  const ordered = order.key === null ? readFrom : readFrom.replace('products p', `${order.table} o ${follows}`)
  const from = isNarrow(filter) ? ordered.replace('products p', `${narrowed(filter, $)} p`) : ordered
  const { rows } = await tx.query<ProductRow & { placeKey: string }>(
    `select ${readColumns}, ${order.key?.text ?? "''"} as "placeKey" from ${from}
      where ${all.join(' and ')} ${orderBy(order, direction)} limit ${$(limit)}`,
    values,
  )
  return rows.map(({ placeKey, ...row }) => ({ ...row, place: { key: placeKey, id: row.id } }))
}

/** Found first, whatever the planner thinks of walking the order instead. */
function narrowed({ catalog, sku, family }: ProductFilter, $: (value: unknown) => string): string {
  const all = [`catalog_id = ${$(catalog)}`]
  if (sku !== undefined) all.push(`sku = ${$(sku)}`)
  if (family !== undefined) all.push(`family_id = ${$(family)}`)
  return `(select * from products where ${all.join(' and ')} offset 0)`
}

async function followed(tx: PoolClient, catalog: string): Promise<Date> {
  const { rows } = await tx.query<{ at: Date }>('select assay_followed($1) as at', [catalog])
  return rows[0]?.at ?? new Date(0)
}
