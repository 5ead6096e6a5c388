/** A catalog's scores by what grading cannot tell apart: distinct rule points and validity with their products. Under policy. */
import type { PoolClient } from 'pg'

export interface PatternRow {
  /** null: scored under another rubric, which has other rules at these places. */
  readonly points: Buffer | null
  readonly valid: number | null
  readonly products: number
  /** How many rows there are in all. */
  readonly patterns: number
}

/** What is made of a page takes some ten milliseconds, in which nobody else is served. */
const pageRows = 2_000

/**
 * The commonest first, those that are as common in an order that has nothing to do with what they are. The whole scan takes
 * place before the first page; later ones are read of its result.
 */
export async function* streamPatterns(
  tx: PoolClient,
  catalog: string,
  rubric: number,
): AsyncGenerator<readonly PatternRow[]> {
  // By default a million rows in half a million patterns are sorted on disk.
  await tx.query(`set local work_mem = '64MB'`)
  await tx.query(
    `declare pattern no scroll cursor for
      select case when rubric_version = $2 then rule_points end as points, case when rubric_version = $2 then valid end as valid,
             count(*) as products, count(*) over () as patterns
        from product_score where catalog_id = $1
       group by 1, 2 order by 3 desc, hashbytea(case when rubric_version = $2 then rule_points end), 2`,
    [catalog, rubric],
  )
  for (;;) {
    const { rows } = await tx.query<PatternRow>(`fetch ${pageRows} from pattern`)
    if (rows.length > 0) yield rows
    if (rows.length < pageRows) return
  }
}
