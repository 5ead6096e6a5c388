/** Rules of a brand's search: what stands where, what is left out, what comes sooner. Under policy. */
import type { PoolClient } from 'pg'
import type { RuleContent } from '../../schemas/search-rule.ts'
import { nextEdition, type TellingPlace } from './search-told.ts'

export interface NewRule {
  readonly id: string
  readonly name: string | null
  readonly catalog: string | null
  readonly locale: string | null
  readonly enabled: boolean
  readonly priority: number
  readonly startsAt: Date | null
  /** The first instant at which it does not hold any more. */
  readonly endsAt: Date | null
  readonly content: RuleContent
}

export interface RuleRow extends NewRule {
  readonly brand: string
  readonly createdAt: Date
  readonly updatedAt: Date
}

const columns = `rule_id as id, brand_id as brand, name, catalog_id as catalog, locale, enabled, priority, starts_at as "startsAt",
  ends_at as "endsAt", content, created_at as "createdAt", updated_at as "updatedAt"`

export async function listRules(
  tx: PoolClient,
  brand: string,
  after: string | null,
  limit: number,
): Promise<RuleRow[]> {
  const { rows } = await tx.query<RuleRow>(
    `select ${columns} from search_rule where brand_id = $1 and until is null and ($2::uuid is null or rule_id > $2) order by rule_id limit $3`,
    [brand, after, limit],
  )
  return rows
}

export async function findRule(tx: PoolClient, brand: string, id: string): Promise<RuleRow | null> {
  const { rows } = await tx.query<RuleRow>(
    `select ${columns} from search_rule where brand_id = $1 and rule_id = $2 and until is null`,
    [brand, id],
  )
  return rows[0] ?? null
}

const endSql = `
  update search_rule set until = $3, ended_at = now() where brand_id = $1 and rule_id = $2 and until is null returning ${columns}`

const insertSql = `
  with made as (
    insert into search_rule (brand_id, rule_id, since, workspace_id, name, catalog_id, locale, enabled, priority, starts_at, ends_at, content,
                             updated_by, created_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, coalesce($14::timestamptz, now()))
    returning ${columns}),
  keyed as (
    insert into search_rule_key (brand_id, key, rule_id, since, workspace_id) select $1, k, $2, $3, $4 from unnest($15::text[]) k)
  select * from made`

/** @param keys see `ruleKeys` @returns what it was before, and what it is */
export async function writeRule(
  tx: PoolClient,
  place: TellingPlace,
  rule: NewRule,
  keys: readonly string[],
): Promise<{ readonly before: RuleRow | null; readonly after: RuleRow }> {
  const { workspace, brand, by } = place
  const edition = await nextEdition(tx, place)
  const before = (await tx.query<RuleRow>(endSql, [brand, rule.id, edition])).rows[0] ?? null
  const { id, name, catalog, locale, enabled, priority, startsAt, endsAt, content } = rule
  const { rows } = await tx.query<RuleRow>(insertSql, [
    ...[brand, id, edition, workspace, name, catalog, locale, enabled, priority, startsAt, endsAt],
    ...[JSON.stringify(content), by, before?.createdAt ?? null, keys],
  ])
  return { before, after: rows[0] as RuleRow }
}

export async function deleteRule(tx: PoolClient, place: TellingPlace, id: string): Promise<RuleRow | null> {
  const edition = await nextEdition(tx, place)
  return (await tx.query<RuleRow>(endSql, [place.brand, id, edition])).rows[0] ?? null
}

/** All, and those that are looked at in every search. */
export async function countRules(tx: PoolClient, brand: string): Promise<{ all: number; always: number }> {
  const { rows } = await tx.query<{ all: number; always: number }>(
    `select count(*) as all, count(*) filter (where jsonb_array_length(content -> 'when' -> 'queries') = 0) as always
       from search_rule where brand_id = $1 and until is null`,
    [brand],
  )
  return rows[0] ?? { all: 0, always: 0 }
}

/** Of these products, those that are in none of the brand's catalogs. */
export async function unknownProducts(tx: PoolClient, brand: string, ids: readonly string[]): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>(
    `select i.id from unnest($2::uuid[]) with ordinality as i (id, place)
      where not exists (
        select from catalog c join products p on p.catalog_id = c.catalog_id and p.product_id = i.id and p.alive
         where c.brand_id = $1 and c.deleted_at is null)
      order by i.place`,
    [brand, ids],
  )
  return rows.map(({ id }) => id)
}
