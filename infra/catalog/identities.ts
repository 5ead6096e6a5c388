/** product_identity: which identifiers lead to which product. Primary data; only ingest writes it. */
import type { ClientBase, Pool, PoolClient } from 'pg'
import { copyRows } from './copy.ts'

export interface IdentityRow {
  readonly kind: number
  /** 16 bytes as hex. */
  readonly hash: string
  readonly product: string
  readonly shared: boolean
  readonly options: string | null
}

/** What a product was given after it was made, as hashes. */
export interface Gained {
  readonly product: string
  readonly sku: string | null
  readonly options: string | null
}

export interface Identities {
  isEmpty(catalog: string): Promise<boolean>
  find(catalog: string, wanted: readonly { kind: number; hash: string }[]): Promise<IdentityRow[]>
  gained(catalog: string, products: readonly string[]): Promise<Gained[]>
  /** Plain insert in hash order; a unique violation is the caller's to repeat after another look-up. */
  insert(tx: PoolClient, catalog: string, rows: readonly IdentityRow[]): Promise<void>
  share(tx: PoolClient, catalog: string, rows: readonly { kind: number; hash: string }[]): Promise<void>
  /** @returns false where the identifier leads to another product than `from` */
  move(
    tx: PoolClient,
    catalog: string,
    identifier: { kind: number; hash: string },
    from: string,
    to: string,
  ): Promise<boolean>
  /** Each product once. */
  gain(tx: PoolClient, catalog: string, rows: readonly Gained[]): Promise<void>
}

const findSql = `
  select i.kind, encode(i.value_hash, 'hex') as hash, i.product_id as product, i.shared, encode(i.options_hash, 'hex') as options
    from unnest($2::smallint[], $3::text[]) as w (kind, hash)
    join product_identity i on i.catalog_id = $1 and i.kind = w.kind and i.value_hash = decode(w.hash, 'hex')`

const gainSql = `
  insert into identity_gained (catalog_id, product_id, sku_hash, options_hash)
  select $1, g.product, decode(g.sku, 'hex'), decode(g.options, 'hex') from unnest($2::uuid[], $3::text[], $4::text[]) as g (product, sku, options)
  on conflict (catalog_id, product_id) do update
    set sku_hash = coalesce(identity_gained.sku_hash, excluded.sku_hash),
        options_hash = coalesce(identity_gained.options_hash, excluded.options_hash)`

/** Of rows that are sorted as numbers of 52 bits: kind, the first bits of the hash, and where the row stood. */
const [hashDigits, mostPlaces] = [7, 2 ** 20]

/** By kind and hash. Texts of which nearly all stand in order already are compared once each: of the 24,000 of a batch in a fifth of the time. */
function inIndexOrder(rows: readonly IdentityRow[]): IdentityRow[] {
  const placeOf = ({ kind, hash }: IdentityRow, i: number) =>
    (kind * 16 ** hashDigits + Number.parseInt(hash.slice(0, hashDigits), 16)) * mostPlaces + i
  const nearly =
    rows.length < mostPlaces
      ? Array.from(Float64Array.from(rows, placeOf).sort(), (place) => rows[place % mostPlaces] as IdentityRow)
      : [...rows]
  return nearly.sort((a, b) => a.kind - b.kind || (a.hash < b.hash ? -1 : 1))
}

const columns = [
  { name: 'catalog_id', type: 'uuid' },
  { name: 'kind', type: 'int2' },
  { name: 'value_hash', type: 'hex' },
  { name: 'product_id', type: 'uuid' },
  { name: 'shared', type: 'bool' },
  { name: 'options_hash', type: 'hex' },
] as const

function* copied(catalog: string, rows: readonly IdentityRow[]) {
  for (const { kind, hash, product, shared, options } of rows) yield [catalog, kind, hash, product, shared, options]
}

export function identities(pool: Pool): Identities {
  const query = (client: ClientBase | Pool, sql: string, values: unknown[]) => client.query(sql, values)
  return {
    async isEmpty(catalog) {
      const { rowCount } = await pool.query('select 1 from product_identity where catalog_id = $1 limit 1', [catalog])
      return rowCount === 0
    },
    async find(catalog, wanted) {
      if (wanted.length === 0) return []
      const { rows } = await pool.query<IdentityRow>(findSql, [
        catalog,
        wanted.map((w) => w.kind),
        wanted.map((w) => w.hash),
      ])
      return rows
    },
    async gained(catalog, products) {
      if (products.length === 0) return []
      const { rows } = await pool.query<Gained>(
        `select product_id as product, encode(sku_hash, 'hex') as sku, encode(options_hash, 'hex') as options
           from identity_gained where catalog_id = $1 and product_id = any ($2::uuid[])`,
        [catalog, products],
      )
      return rows
    },
    async insert(tx, catalog, rows) {
      await copyRows(tx, 'product_identity', columns, copied(catalog, inIndexOrder(rows)))
    },
    async share(tx, catalog, rows) {
      if (rows.length === 0) return
      await query(
        tx,
        `update product_identity i set shared = true from unnest($2::smallint[], $3::text[]) as w (kind, hash)
          where i.catalog_id = $1 and i.kind = w.kind and i.value_hash = decode(w.hash, 'hex') and not i.shared`,
        [catalog, rows.map((r) => r.kind), rows.map((r) => r.hash)],
      )
    },
    async move(tx, catalog, { kind, hash }, from, to) {
      const { rowCount } = await query(
        tx,
        `update product_identity set product_id = $5
          where catalog_id = $1 and kind = $2 and value_hash = decode($3, 'hex') and product_id = $4 and not shared`,
        [catalog, kind, hash, from, to],
      )
      return rowCount === 1
    },
    async gain(tx, catalog, rows) {
      if (rows.length === 0) return
      const ordered = [...rows].sort((a, b) => (a.product < b.product ? -1 : 1))
      await query(tx, gainSql, [
        catalog,
        ordered.map((r) => r.product),
        ordered.map((r) => r.sku),
        ordered.map((r) => r.options),
      ])
    },
  }
}
