/** How many products of a workspace have which score before and after a change of weights, in one look through the narrow table. Under policy. */
import type { PoolClient } from 'pg'
import type { Weights } from '../../schemas/score.ts'

export interface MoveRow {
  readonly before: number
  readonly after: number
  readonly passes: boolean
  readonly products: number
  /** One of them, of the largest moves. */
  readonly product: string | null
  readonly catalog: string | null
}

/** Sub-scores are at most 10,000 and weights sum to as much, so an int holds it: half the time of the same in bigint. */
const scoreOf = (first: number) =>
  `(${[1, 2, 3, 4, 5, 6, 7].map((i) => `s.s${i} * $${first + i - 1}::int`).join(' + ')} + 500000) / 1000000`

/**
 * The place of a row stands for it until the few that are shown are known: an id is no number that could be aggregated as
 * cheaply. Both looks are one statement, so that the place is still the same row's.
 */
const sql = `
  with moved as materialized (
    select ${scoreOf(2)} as before, ${scoreOf(9)} as after, s.valid & $16::int = $16::int as passes,
           count(*) as products, min(s.ctid) as place
      from product_score s
     where s.catalog_id = any ($1::uuid[]) group by 1, 2, 3),
  shown as (
    select place from moved where before <> after
     order by abs(after - before) desc, before, after, passes limit $17)
  select m.before, m.after, m.passes, m.products, p.product_id as product, p.catalog_id as catalog
    from moved m
    left join shown x on x.place = m.place
    left join lateral (select product_id, catalog_id from product_score where ctid = x.place) p on true`

export async function countMoves(
  tx: PoolClient,
  { before, after, required }: { before: Weights; after: Weights; required: number },
  shown: number,
): Promise<MoveRow[]> {
  const { rows: catalogs } = await tx.query<{ id: string }>(
    'select catalog_id as id from catalog where deleted_at is null',
  )
  const ids = catalogs.map(({ id }) => id)
  return (await tx.query<MoveRow>(sql, [ids, ...before, ...after, required, shown])).rows
}
