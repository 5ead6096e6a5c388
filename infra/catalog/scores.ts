/** Scores written outside the worker: a batch run grades what is stored, and never over a row that has moved meanwhile. */
import type { Pool } from 'pg'
import { inTransaction } from './in-transaction.ts'
import { kept } from './kept.ts'

export interface NewScore {
  readonly product: string
  /** The product row's rev that was graded. */
  readonly rev: number
  readonly sub: readonly number[]
  readonly points: Uint8Array
  readonly valid: number
}

const given = `
  unnest($2::uuid[], $3::bigint[], $4::bytea[], $5::int[], $6::smallint[], $7::smallint[], $8::smallint[], $9::smallint[], $10::smallint[], $11::smallint[], $12::smallint[])
    as n (product_id, rev, points, valid, s1, s2, s3, s4, s5, s6, s7)`
const moved = `(s.rule_points, s.valid, s.rubric_version) is distinct from (n.points, n.valid, $13::int)`

const historySql = `
  insert into score_history (catalog_id, product_id, scored_at, workspace_id, brand_id, s, rubric_version, weights_number)
  select s.catalog_id, s.product_id, s.scored_at, s.workspace_id, s.brand_id,
         array[s.s1, s.s2, s.s3, s.s4, s.s5, s.s6, s.s7], s.rubric_version, w.weights_number
    from ${given}
    join product_score s on s.catalog_id = $1 and s.product_id = n.product_id
    join products p on p.catalog_id = $1 and p.product_id = n.product_id and p.rev = n.rev
    join workspace w on w.workspace_id = s.workspace_id
   where ${moved}`

const upsertSql = `
  insert into product_score as s (catalog_id, product_id, workspace_id, brand_id, s1, s2, s3, s4, s5, s6, s7, rule_points, valid, rubric_version, scored_at)
  select p.catalog_id, p.product_id, p.workspace_id, p.brand_id, n.s1, n.s2, n.s3, n.s4, n.s5, n.s6, n.s7, n.points, n.valid, $13, $14
    from ${given}
    join products p on p.catalog_id = $1 and p.product_id = n.product_id and p.rev = n.rev
  on conflict (catalog_id, product_id) do update
     set s1 = excluded.s1, s2 = excluded.s2, s3 = excluded.s3, s4 = excluded.s4, s5 = excluded.s5, s6 = excluded.s6, s7 = excluded.s7,
         rule_points = excluded.rule_points, valid = excluded.valid, rubric_version = excluded.rubric_version, scored_at = excluded.scored_at
   where (s.rule_points, s.valid, s.rubric_version) is distinct from (excluded.rule_points, excluded.valid, excluded.rubric_version)
  returning s.product_id`

/** A product in silver that was graded is in gold. */
const stageSql = `
  update products p set stage = 'gold' from unnest($2::uuid[], $3::bigint[]) as n (product_id, rev)
   where p.catalog_id = $1 and p.product_id = n.product_id and p.rev = n.rev and p.stage = 'silver' and p.kind <> 'parent'`

/** @param at when they were graded, ISO 8601: by that time their dates were judged */
export async function saveScores(
  pool: Pool,
  catalog: string,
  scores: readonly NewScore[],
  { rubricVersion, at }: { readonly rubricVersion: number; readonly at: string },
): Promise<void> {
  if (scores.length === 0) return
  const values = [
    catalog,
    scores.map((s) => s.product),
    scores.map((s) => s.rev),
    scores.map((s) => Buffer.from(s.points)),
    scores.map((s) => s.valid),
    ...[0, 1, 2, 3, 4, 5, 6].map((i) => scores.map((s) => s.sub[i])),
    rubricVersion,
  ]
  await inTransaction(pool, async (tx) => {
    await tx.query(historySql, values)
    await tx.query(stageSql, values.slice(0, 3))
    const { rows } = await tx.query<{ product_id: string }>(upsertSql, [...values, at])
    if (rows.length > 0)
      await tx.query(
        kept('insert into rank_due (catalog_id, product_ids) values ($1, $2)', [
          catalog,
          rows.map((row) => row.product_id),
        ]),
      )
  })
}
