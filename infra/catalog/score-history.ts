/** Every score that a product has had, the present one first. Under policy. */
import type { PoolClient } from 'pg'
import type { SubScores, Weights } from '../../schemas/score.ts'

export interface ScoredRun {
  /** Counted from the product's first score; another run changes the sub-scores or the rubric. */
  readonly run: number
  readonly at: Date
  readonly sub: SubScores
  readonly rubric: number
  readonly weightsNumber: number
  readonly weights: Weights
}

/** A product has few: its score moves when its content does. @param before the run that the page before ended with */
export async function listScores(
  tx: PoolClient,
  { catalog, id }: { catalog: string; id: string },
  before: number | null,
  limit: number,
): Promise<ScoredRun[]> {
  const { rows } = await tx.query<ScoredRun>(
    `with every as (
       select h.scored_at, h.s, h.rubric_version, h.weights_number, h.workspace_id, 0 as present
         from score_history h where h.catalog_id = $1 and h.product_id = $2
       union all
       select s.scored_at, array[s.s1, s.s2, s.s3, s.s4, s.s5, s.s6, s.s7], s.rubric_version, w.weights_number, s.workspace_id, 1
         from product_score s join workspace w on w.workspace_id = s.workspace_id
        where s.catalog_id = $1 and s.product_id = $2),
     numbered as (select *, row_number() over (order by present, scored_at) as run from every)
     select n.run, n.scored_at as at, n.s as sub, n.rubric_version as rubric, n.weights_number as "weightsNumber", v.w as weights
       from numbered n join weights_version v on v.workspace_id = n.workspace_id and v.number = n.weights_number
      where $3::bigint is null or n.run < $3 order by n.run desc limit $4`,
    [catalog, id, before, limit],
  )
  return rows
}
