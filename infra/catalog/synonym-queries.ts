/** Synonyms of a brand: sets of words that mean each other, and words that others mean. Under policy. */
import type { PoolClient } from 'pg'

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

/** Of each key that has some, what means the same. @param locale null: those of every locale */
export async function meantBy(
  tx: PoolClient,
  brand: string,
  keys: readonly string[],
  locale: string | null,
): Promise<(Pick<SynonymRow, 'term' | 'words'> & { readonly key: string })[]> {
  if (keys.length === 0) return []
  const { rows } = await tx.query<Pick<SynonymRow, 'term' | 'words'> & { key: string }>({
    name: 'synonyms_meant',
    text: `select k.key, s.term, s.words from synonym_key k join synonym s on s.synonym_id = k.synonym_id
            where k.brand_id = $1 and k.key = any ($2) and ($3::text is null or s.locale is null or s.locale = $3)
            order by k.key, s.synonym_id`,
    values: [brand, keys, locale],
  })
  return rows
}

export async function listSynonyms(
  tx: PoolClient,
  brand: string,
  after: string | null,
  limit: number,
): Promise<SynonymRow[]> {
  const { rows } = await tx.query<SynonymRow>(
    `select ${columns} from synonym where brand_id = $1 and ($2::uuid is null or synonym_id > $2) order by synonym_id limit $3`,
    [brand, after, limit],
  )
  return rows
}

export async function findSynonym(tx: PoolClient, brand: string, id: string): Promise<SynonymRow | null> {
  const { rows } = await tx.query<SynonymRow>(
    `select ${columns} from synonym where brand_id = $1 and synonym_id = $2`,
    [brand, id],
  )
  return rows[0] ?? null
}

export interface NewSynonym {
  readonly id: string
  readonly locale: string | null
  readonly term: string | null
  readonly words: readonly string[]
  /** What may be typed for it. */
  readonly keys: readonly string[]
}

export interface SynonymPlace {
  readonly workspace: string
  readonly brand: string
  readonly by: string
}

const writeSql = `
  insert into synonym as s (synonym_id, workspace_id, brand_id, locale, term, words, updated_by)
  select i.id, $2, $3, i.locale, i.term, array(select jsonb_array_elements_text(i.words)), $4
    from jsonb_to_recordset($1::jsonb) as i (id uuid, locale text, term text, words jsonb)
  on conflict (synonym_id) do update set locale = excluded.locale, term = excluded.term, words = excluded.words,
    updated_by = excluded.updated_by, updated_at = now()
  where s.brand_id = excluded.brand_id`

const keysSql = `
  insert into synonym_key (brand_id, key, synonym_id, workspace_id)
  select $3, k, i.id, $2 from jsonb_to_recordset($1::jsonb) as i (id uuid, keys jsonb) cross join jsonb_array_elements_text(i.keys) k
  on conflict do nothing`

/** One that is there is another from then on. */
export async function writeSynonyms(
  tx: PoolClient,
  { workspace, brand, by }: SynonymPlace,
  all: readonly NewSynonym[],
): Promise<void> {
  const json = JSON.stringify(all)
  await tx.query(writeSql, [json, workspace, brand, by])
  await tx.query('delete from synonym_key where brand_id = $1 and synonym_id = any ($2)', [
    brand,
    all.map(({ id }) => id),
  ])
  await tx.query(keysSql, [json, workspace, brand])
}

export async function countSynonyms(tx: PoolClient, brand: string): Promise<number> {
  const { rows } = await tx.query<{ n: number }>('select count(*) as n from synonym where brand_id = $1', [brand])
  return rows[0]?.n ?? 0
}

export async function deleteSynonym(tx: PoolClient, brand: string, id: string): Promise<SynonymRow | null> {
  const { rows } = await tx.query<SynonymRow>(
    `delete from synonym where brand_id = $1 and synonym_id = $2 returning ${columns}`,
    [brand, id],
  )
  return rows[0] ?? null
}

export async function deleteSynonymsOf(tx: PoolClient, brand: string): Promise<void> {
  await tx.query('delete from synonym where brand_id = $1', [brand])
}
