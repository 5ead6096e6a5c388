/** Which products of a catalog lack what was asked for, set by set; of a large catalog a sample is read. Under policy. */
import type { PoolClient } from 'pg'

/** What of a catalog is looked at: all below a product id. */
export interface LookedAt {
  readonly catalog: string
  /** null: all of it. */
  readonly below: string | null
}

/** Ids are hashes, so the first of them are any products. */
export async function sampleOf(tx: PoolClient, catalog: string, most: number): Promise<LookedAt> {
  await tx.query('set local enable_bitmapscan = off')
  const { rows } = await tx.query<{ id: string }>(
    'select product_id as id from products where catalog_id = $1 order by product_id offset $2 limit 1',
    [catalog, most],
  )
  return { catalog, below: rows[0]?.id ?? null }
}

const blank = `('null'::jsonb, '""'::jsonb, '[]'::jsonb, '{}'::jsonb)`

/** Names of a product's options and attributes that say something. */
const namesSql = `
  array(select trim(both '_' from regexp_replace(lower(name), '[^[:alnum:]]+', '_', 'g'))
          from (select * from jsonb_each(refined -> 'options') union all select * from jsonb_each(refined -> 'attributes')) n (name, value)
         where value not in ${blank})`

/** Behind \`offset 0\` what is made of a product is made once, and not for each that asks. */
const sampleSql = `
  select product_id::text as id, refined, ${namesSql} as names,
         lower(concat_ws(' ', title, sku, refined ->> 'brand', refined ->> 'categoryPath')) as text
    from products where catalog_id = $1 and ($2::uuid is null or product_id < $2) and alive and kind <> 'parent' offset 0`

/** Nothing is known there, neither in the field nor in an option or attribute of that name. */
const lacksSql = `coalesce((p.refined -> w.path) in ${blank}, true) and w.name <> all (p.names)`

const valueFields = `values ('color', p.refined ->> 'color'), ('size', p.refined ->> 'size'), ('material', p.refined ->> 'material'),
  ('pattern', p.refined ->> 'pattern'), ('gender', p.refined ->> 'gender'), ('age_group', p.refined ->> 'ageGroup'), ('brand', p.refined ->> 'brand')`

/** @param terms in lower case @returns for each that is a value somewhere, the field in which most products have it */
export async function fieldsOfValues(
  tx: PoolClient,
  { catalog, below }: LookedAt,
  terms: readonly string[],
): Promise<Map<string, string>> {
  if (terms.length === 0) return new Map()
  const { rows } = await tx.query<{ field: string; value: string }>(
    `select distinct on (value) field, value from (
       select v.field, lower(v.value) as value, count(*) as products
         from (${sampleSql}) p
        cross join lateral (${valueFields} union all select key, value from jsonb_each_text(p.refined -> 'options')) v (field, value)
        where lower(v.value) = any ($3::text[]) group by 1, 2) f
      order by value, products desc, field`,
    [catalog, below, terms],
  )
  return new Map(rows.map(({ field, value }) => [value, field]))
}

/** Whether it lacks that is seen once and counted three times: hence \`offset 0\`. */
const countSql = `
  with rest as materialized (
    select r.n, array(select jsonb_array_elements_text(r.words)) as words from jsonb_to_recordset($3::jsonb) as r (n int, words jsonb)),
  want as materialized (
    select * from jsonb_to_recordset($4::jsonb) as w (place int, path text, name text, rest int, products jsonb)),
  met as (
    (select w.place, p.id, ${lacksSql} as lacks
       from (${sampleSql}) p join rest r on p.text like all (r.words) join want w on w.rest = r.n offset 0)
     union all
    (select w.place, p.id, ${lacksSql} as lacks
       from want w
      cross join lateral (
        select product_id::text as id, refined, ${namesSql} as names from products
         where catalog_id = $1 and alive and kind <> 'parent'
           and (sku = any (array(select jsonb_array_elements_text(w.products)))
                or product_id = any (array(select x::uuid from jsonb_array_elements_text(w.products) x
                                            where x ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$')))) p
      where jsonb_typeof(w.products) = 'array' offset 0))
  select place, count(*) as matching, count(*) filter (where lacks) as lacking,
         array(select distinct id from unnest(array[min(id) filter (where lacks), max(id) filter (where lacks)]) id where id is not null order by id) as examples
    from met group by place`

export interface WantedField {
  readonly path: string | null
  readonly name: string
  readonly words: readonly string[]
  readonly products: readonly string[] | null
}

export interface LackingCount {
  /** Products that were meant, and how many of them lack it. */
  readonly matching: number
  readonly lacking: number
  /** The first and the last of those that lack it. */
  readonly examples: readonly string[]
}

/** One look through the sample for all of them. @returns in their order */
export async function countLacking(
  tx: PoolClient,
  { catalog, below }: LookedAt,
  wants: readonly WantedField[],
): Promise<LackingCount[]> {
  if (wants.length === 0) return []
  // The same of the same products is looked for once, however it was asked for.
  const keys = wants.map(({ path, name, words, products }) => JSON.stringify([path, name, words, products]))
  const checks = [...new Map(wants.map((want, i) => [keys[i], want])).entries()]
  const texts = [...new Set(checks.flatMap(([, { words, products }]) => (products ? [] : [words.join(' ')])))]
  const rests = texts.map((text, n) => ({
    n,
    words: text.split(' ').flatMap((word) => (word === '' ? [] : `%${word}%`)),
  }))
  const asked = checks.map(([, { path, name, words, products }], place) => ({
    ...{ place, path, name, products },
    rest: products === null ? texts.indexOf(words.join(' ')) : null,
  }))
  const { rows } = await tx.query<LackingCount & { place: number }>(countSql, [
    ...[catalog, below, JSON.stringify(rests), JSON.stringify(asked)],
  ])
  const found = new Map(rows.map(({ place, ...count }) => [checks[place]?.[0], count]))
  return keys.map((key) => found.get(key) ?? { matching: 0, lacking: 0, examples: [] })
}

export interface LackingProduct {
  readonly id: string
  readonly sku: string | null
  readonly title: string | null
}

export async function productsNamed(
  tx: PoolClient,
  catalog: string,
  ids: readonly string[],
): Promise<Map<string, LackingProduct>> {
  if (ids.length === 0) return new Map()
  const sql =
    'select product_id as id, sku, title from products where catalog_id = $1 and product_id = any ($2::uuid[])'
  const { rows } = await tx.query<LackingProduct>(sql, [catalog, ids])
  return new Map(rows.map((row) => [row.id, row]))
}
