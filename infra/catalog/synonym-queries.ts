/** Synonyms of a brand: sets of words that mean each other, and words that others mean. Under policy. */
import type { PoolClient } from 'pg'
import { nextEdition, type TellingPlace } from './search-told.ts'

export interface SynonymRow {
  readonly id: string
  readonly brand: string
  readonly locale: string | null
  /** null: each of `words` means all the others. */
  readonly term: string | null
  readonly words: readonly string[]
  readonly createdAt: Date
  readonly updatedAt: Date
}

const columns = `synonym_id as id, brand_id as brand, locale, term, words, created_at as "createdAt", updated_at as "updatedAt"`

export async function listSynonyms(
  tx: PoolClient,
  brand: string,
  after: string | null,
  limit: number,
): Promise<SynonymRow[]> {
  const { rows } = await tx.query<SynonymRow>(
    `select ${columns} from synonym where brand_id = $1 and until is null and ($2::uuid is null or synonym_id > $2) order by synonym_id limit $3`,
    [brand, after, limit],
  )
  return rows
}

export async function findSynonyms(tx: PoolClient, brand: string, ids: readonly string[]): Promise<SynonymRow[]> {
  const { rows } = await tx.query<SynonymRow>(
    `select ${columns} from unnest($2::uuid[]) with ordinality as i (id, place)
       join synonym on brand_id = $1 and synonym_id = i.id and until is null order by i.place`,
    [brand, ids],
  )
  return rows
}

export interface NewSynonym {
  readonly id: string
  readonly locale: string | null
  readonly term: string | null
  readonly words: readonly string[]
  /** What may be typed for it. */
  readonly keys: readonly string[]
}

const given = `
  (select i.id, i.locale, i.term, array(select jsonb_array_elements_text(i.words)) as words, i.keys
     from jsonb_to_recordset($1::jsonb) as i (id uuid, locale text, term text, words jsonb, keys jsonb)) i`

/** By key, one by one: in what this transaction has just written a plan by statistics looked at all for each, a minute for 20,000. */
const present = (columns: string) =>
  `lateral (select ${columns} from synonym where brand_id = $2 and synonym_id = i.id and until is null limit 1) l`

const endSql = `
  update synonym set until = $3, ended_at = now() where ctid = any (array(
    select l.ctid from ${given} cross join ${present('ctid, locale, term, words')}
     where (l.locale, l.term, l.words) is distinct from (i.locale, i.term, i.words)))`

/** What is there as it is given stays. */
const writeSql = `
  with made as (
    insert into synonym (synonym_id, workspace_id, brand_id, locale, term, words, updated_by, since, created_at)
    select i.id, $4, $2, i.locale, i.term, i.words, $5, $3,
           coalesce((select f.created_at from synonym f where f.brand_id = $2 and f.synonym_id = i.id and f.until = $3), now())
      from ${given} left join ${present('synonym_id')} on true
     where l.synonym_id is null
    returning synonym_id as id)
  insert into synonym_key (brand_id, key, synonym_id, since, workspace_id)
  select $2, k, i.id, $3, $4 from made join ${given} using (id) cross join jsonb_array_elements_text(i.keys) k
  on conflict do nothing`

/** One that is there is another from then on. */
export async function writeSynonyms(tx: PoolClient, place: TellingPlace, all: readonly NewSynonym[]): Promise<void> {
  const { workspace, brand, by } = place
  const json = JSON.stringify(all)
  const edition = await nextEdition(tx, place)
  await tx.query(endSql, [json, brand, edition])
  await tx.query(writeSql, [json, brand, edition, workspace, by])
}

export async function countSynonyms(tx: PoolClient, brand: string): Promise<number> {
  const { rows } = await tx.query<{ n: number }>(
    'select count(*) as n from synonym where brand_id = $1 and until is null',
    [brand],
  )
  return rows[0]?.n ?? 0
}

export async function deleteSynonym(tx: PoolClient, place: TellingPlace, id: string): Promise<SynonymRow | null> {
  const edition = await nextEdition(tx, place)
  const { rows } = await tx.query<SynonymRow>(
    `update synonym set until = $3, ended_at = now() where brand_id = $1 and synonym_id = $2 and until is null returning ${columns}`,
    [place.brand, id, edition],
  )
  return rows[0] ?? null
}
