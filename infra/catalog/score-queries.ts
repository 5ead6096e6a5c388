/** Scores of a catalog by key pages, for summaries that never hold a catalog. */
import type { Catalog, Principal } from './postgres.ts'

export interface ScoreRow {
  readonly id: string
  readonly points: Buffer
  readonly sub: readonly number[]
}

const pageRows = 10_000

export async function* streamScores(
  catalog: Pick<Catalog, 'withTenant'>,
  principal: Principal,
  id: string,
): AsyncGenerator<readonly ScoreRow[]> {
  for (let after: string | null = null; ; ) {
    const from: string | null = after
    const rows: ScoreRow[] = await catalog.withTenant(principal, async (tx) => {
      const page = await tx.query<ScoreRow>(
        `select product_id as id, rule_points as points, array[s1, s2, s3, s4, s5, s6, s7] as sub from product_score
          where catalog_id = $1 and ($2::uuid is null or product_id > $2) order by product_id limit $3`,
        [id, from, pageRows],
      )
      return page.rows
    })
    if (rows.length > 0) yield rows
    const last = rows.at(-1)
    if (!last || rows.length < pageRows) return
    after = last.id
  }
}
