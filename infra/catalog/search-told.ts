/** What a brand has told search, synonyms and rules, as one edition of it has them; and the next edition, which a write makes. Under policy. */
import type { Pool, PoolClient } from 'pg'
import type { SearchRule } from '../../schemas/search-rule.ts'
import { inTransaction } from './in-transaction.ts'
import { cursorMinutes } from './search-sweep.ts'

/** Whose synonyms and rules, and who writes them. */
export interface TellingPlace {
  readonly workspace: string
  readonly brand: string
  readonly by: string
}

/** Of one brand one writes at a time until its transaction ends: what a reader sees is all of the edition that it sees. */
export async function nextEdition(tx: PoolClient, { workspace, brand }: TellingPlace): Promise<number> {
  const { rows } = await tx.query<{ edition: number }>(
    `insert into search_edition as e (brand_id, workspace_id, edition) values ($1, $2, 1)
     on conflict (brand_id) do update set edition = e.edition + 1 returning edition`,
    [brand, workspace],
  )
  return rows[0]?.edition ?? 0
}

export interface ToldAsked {
  readonly brand: string
  /** null: any of the brand's. */
  readonly catalog: string | null
  /** null: any. */
  readonly locale: string | null
  /** null: the present one. */
  readonly edition: number | null
  readonly synonymKeys: readonly string[]
  readonly ruleKeys: readonly string[]
  readonly at: Date
}

export interface Told {
  readonly edition: number
  /** Of each key that has some, what means the same. */
  readonly meant: readonly { readonly key: string; readonly term: string | null; readonly words: readonly string[] }[]
  /** That their keys were asked for does not say yet that they hold. The first counts most. */
  readonly rules: readonly SearchRule[]
}

const holds = (row: string) => `${row}.since <= a.at and (${row}.until is null or ${row}.until > a.at)`

/** Of a brand that has told nothing one row is looked for, and not found. */
const toldSql = `
  select a.at as edition,
         (select json_agg(json_build_object('key', k.key, 'term', s.term, 'words', s.words) order by k.key, s.synonym_id)
            from synonym_key k join synonym s on s.brand_id = k.brand_id and s.synonym_id = k.synonym_id and s.since = k.since
           where k.brand_id = $1 and k.key = any ($2) and ${holds('s')} and ($3::text is null or s.locale is null or s.locale = $3)) as meant,
         (select json_agg(r.content || jsonb_build_object('id', r.rule_id, 'catalog', r.catalog_id, 'locale', r.locale, 'priority', r.priority)
                          order by r.priority desc, r.rule_id)
            from (select distinct rule_id, since from search_rule_key where brand_id = $1 and key = any ($4)) k
            join search_rule r on r.brand_id = $1 and r.rule_id = k.rule_id and r.since = k.since
           where ${holds('r')} and r.enabled and ($3::text is null or r.locale is null or r.locale = $3)
             and ($5::uuid is null or r.catalog_id is null or r.catalog_id = $5)
             and (r.starts_at is null or r.starts_at <= $6) and (r.ends_at is null or r.ends_at > $6)) as rules
    from search_edition e cross join lateral (select coalesce($7::bigint, e.edition) as at) a
   where e.brand_id = $1`

export async function readTold(tx: PoolClient, asked: ToldAsked): Promise<Told> {
  const { brand, synonymKeys, locale, ruleKeys, catalog, at, edition } = asked
  const { rows } = await tx.query<{ edition: number; meant: Told['meant'] | null; rules: Told['rules'] | null }>({
    name: 'search_told',
    text: toldSql,
    values: [brand, synonymKeys, locale, ruleKeys, catalog, at, edition],
  })
  const [row] = rows
  return { edition: row?.edition ?? 0, meant: row?.meant ?? [], rules: row?.rules ?? [] }
}

const stepRows = 5_000

const toldTables = ['synonym', 'search_rule'] as const
const ended = (table: string) => `from ${table} where ended_at < now() - interval '${cursorMinutes} minutes'`

/** See `DueWork`. */
export const isToldEnded = toldTables.map((table) => `exists (select ${ended(table)})`).join(' or ')

/** Removes what was replaced before the oldest page that somebody may go on from. @returns whether there may be more to do */
export async function sweepTold(pool: Pool): Promise<boolean> {
  return inTransaction(pool, async (tx) => {
    let swept = 0
    for (const table of toldTables) {
      const { rowCount } = await tx.query(
        `delete from ${table} where ctid = any (array(select ctid ${ended(table)} limit ${stepRows}))`,
      )
      swept += rowCount ?? 0
    }
    return swept > 0
  })
}

/** All of it. */
export async function forgetTold(tx: PoolClient, brand: string): Promise<void> {
  for (const table of ['synonym', 'search_rule', 'search_edition'])
    await tx.query(`delete from ${table} where brand_id = $1`, [brand])
}
