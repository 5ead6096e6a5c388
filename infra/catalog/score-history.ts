/** Every score that a product has had, the present one first. Under policy. */
import type { PoolClient } from 'pg'
import type { SubScores, Weights } from '../../schemas/score.ts'

export interface ScoredRun {
  /** Counted from the product's first score; another run changes the sub-scores, the rubric or the weights. */
  readonly run: number
  readonly at: Date
  /** What made it: the product was graded, or other weights came into force. */
  readonly cause: 'graded' | 'weights'
  readonly sub: SubScores
  readonly rubric: number
  readonly weightsNumber: number
  readonly weights: Weights
}

/**
 * A product has few: its score moves when its content does, or with the weights. Those have one entry a catalog, which every
 * product's history is read through: what it was when they came into force, under them.
 */
const sql = `
  with state as (
    select h.scored_at as at, h.s, h.rubric_version, 0 as present from score_history h where h.catalog_id = $1 and h.product_id = $2
     union all
    select s.scored_at, array[s.s1, s.s2, s.s3, s.s4, s.s5, s.s6, s.s7], s.rubric_version, 1
      from product_score s where s.catalog_id = $1 and s.product_id = $2),
  flip as (select at, weights_number, former_number from weights_history where catalog_id = $1),
  event as (
    select at, s, rubric_version, 'graded' as cause, present from state
     union all
    select f.at, t.s, t.rubric_version, 'weights', t.present
      from flip f, lateral (select * from state where state.at <= f.at order by state.present desc, state.at desc limit 1) t),
  weighed as (
    select e.*, w.workspace_id,
           coalesce((select f.weights_number from flip f where f.at <= e.at order by f.at desc limit 1),
                    (select f.former_number from flip f order by f.at limit 1), w.weights_number) as number
      from event e, catalog c join workspace w using (workspace_id) where c.catalog_id = $1),
  numbered as (select *, row_number() over (order by present, at, cause) as run from weighed)
  select n.run, n.at, n.cause, n.s as sub, n.rubric_version as rubric, n.number as "weightsNumber", v.w as weights
    from numbered n join weights_version v on v.workspace_id = n.workspace_id and v.number = n.number
   where $3::bigint is null or n.run < $3 order by n.run desc limit $4`

/** @param before the run that the page before ended with */
export async function listScores(
  tx: PoolClient,
  { catalog, id }: { catalog: string; id: string },
  before: number | null,
  limit: number,
): Promise<ScoredRun[]> {
  const { rows } = await tx.query<ScoredRun>(sql, [catalog, id, before, limit])
  return rows
}
