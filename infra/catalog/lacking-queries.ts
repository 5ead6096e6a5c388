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

const sampleSql = `
  select product_id, sku, title, refined,
         lower(concat_ws(' ', title, sku, refined ->> 'brand', refined ->> 'categoryPath')) as text
    from products where catalog_id = $1 and ($2::uuid is null or product_id < $2) and alive and kind <> 'parent'`

const blank = `('null'::jsonb, '""'::jsonb, '[]'::jsonb, '{}'::jsonb)`

const attributeNames = `
  array(select trim(both '_' from regexp_replace(lower(name), '[^[:alnum:]]+', '_', 'g'))
          from (select * from jsonb_each(p.refined -> 'options') union all select * from jsonb_each(p.refined -> 'attributes')) n (name, value)
         where value not in ${blank})`

/** Nothing is known there, neither in the field nor in an option or attribute of that name. */
const lacksSql = `
  coalesce((p.refined -> w.path) in ${blank}, true) and not (w.name = any (${attributeNames}))`

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

export interface WantedField {
  readonly path: string | null
  readonly name: string
  readonly words: readonly string[]
  readonly products: readonly string[] | null
}

const patterns = (words: readonly string[]) => words.map((word) => `%${word}%`)

/** One look through the sample for all of them. @returns in their order */
export async function countLacking(
  tx: PoolClient,
  { catalog, below }: LookedAt,
  wants: readonly WantedField[],
): Promise<{ matching: number; lacking: number }[]> {
  const byWords = [...new Map(wants.filter(isByWords).map((want) => [want.words.join(' '), want.words])).entries()]
  const rests = byWords.map(([, words], n) => ({ n, words: patterns(words) }))
  const restOf = new Map(byWords.map(([text], n) => [text, n]))
  const asked = wants.map((want, place) => ({
    ...{ place, path: want.path, name: want.name, products: want.products },
    rest: want.products === null ? restOf.get(want.words.join(' ')) : null,
  }))
  const { rows } = await tx.query<{ place: number; matching: number; lacking: number }>(
    `with rest as materialized (
       select r.n, array(select jsonb_array_elements_text(r.words)) as words from jsonb_to_recordset($3::jsonb) as r (n int, words jsonb)),
     want as materialized (
       select * from jsonb_to_recordset($4::jsonb) as w (place int, path text, name text, rest int, products jsonb)),
     met as (
       select w.place, ${lacksSql} as lacks
         from (${sampleSql} offset 0) p join rest r on p.text like all (r.words) join want w on w.rest = r.n
        union all
       select w.place, ${lacksSql}
         from want w
        cross join lateral (
          select p.product_id, p.refined from products p
           where p.catalog_id = $1 and p.alive and p.kind <> 'parent'
             and (p.sku = any (array(select jsonb_array_elements_text(w.products)))
                  or p.product_id = any (array(select x::uuid from jsonb_array_elements_text(w.products) x where x ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$')))) p
        where jsonb_typeof(w.products) = 'array')
     select place, count(*) as matching, count(*) filter (where lacks) as lacking from met group by place`,
    [catalog, below, JSON.stringify(rests), JSON.stringify(asked)],
  )
  const found = new Map(rows.map((row) => [row.place, row]))
  return wants.map((_, place) => {
    const { matching = 0, lacking = 0 } = found.get(place) ?? {}
    return { matching, lacking }
  })
}

const isByWords = ({ products }: WantedField) => products === null

export interface LackingProduct {
  readonly id: string
  readonly sku: string | null
  readonly title: string | null
}

/** Some that lack each, of the products that were meant. @returns in their order */
export async function lackingExamples(
  tx: PoolClient,
  { catalog, below }: LookedAt,
  wants: readonly WantedField[],
  each: number,
): Promise<LackingProduct[][]> {
  const asked = wants.map((want, place) => ({ ...want, place, words: patterns(want.words) }))
  const { rows } = await tx.query<LackingProduct & { place: number }>(
    `select w.place, e.id, e.sku, e.title
       from jsonb_to_recordset($3::jsonb) as w (place int, path text, name text, words jsonb, products jsonb)
      cross join lateral (
        select p.product_id as id, p.sku, p.title from (${sampleSql}) p
         where p.text like all (array(select jsonb_array_elements_text(w.words))) and ${lacksSql}
           and (jsonb_typeof(w.products) is distinct from 'array' or w.products ? p.sku or w.products ? p.product_id::text)
         order by p.product_id limit $4) e
      order by w.place, e.id`,
    [catalog, below, JSON.stringify(asked), each],
  )
  return wants.map((_, place) =>
    rows.filter((row) => row.place === place).map(({ id, sku, title }) => ({ id, sku, title })),
  )
}
