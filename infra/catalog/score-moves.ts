/** How many products of a workspace have which score before and after a change of weights, in one look through the narrow table. Under policy. */
import type { PoolClient } from 'pg'
import type { Platform } from '../../schemas/feeds/profile.ts'
import { requiredBits } from '../../schemas/feeds/required-bits.ts'
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

const dimensions = [1, 2, 3, 4, 5, 6, 7]
/** Sub-scores are at most 10,000 and weights sum to as much, so a weighed sum fits 32 bits; rounded half up. @param at of the first weight */
const scoreSql = (at: number) =>
  `((${dimensions.map((i) => `s.s${i} * $${at + i}::int`).join(' + ')} + 500000) / 1000000)`

/**
 * Scores before and after and whether it passes are one number, since grouping by three columns took half as long again; nothing in
 * here keeps Postgres from sharing the scan among workers. The place of a row stands for it until the few that are shown are known,
 * since no aggregate takes an id before Postgres 18; all is one statement, so that the place is still the same row's.
 */
const sql = `
  with counted as materialized (
    select ${scoreSql(4)} * 1024 + ${scoreSql(11)} * 2 + (s.rubric_version = $4 and s.valid & $2::int = $2::int)::int as key,
           count(*) as products, min(s.ctid) as place
      from product_score s where s.catalog_id = any ($1::uuid[])
     group by 1),
  moved as (select key / 1024 as before, key % 1024 / 2 as after, key % 2 = 1 as passes, products, place from counted),
  shown as (
    select place from moved where before <> after
     order by abs(after - before) desc, before, after, passes limit $3)
  select m.before, m.after, m.passes, m.products, p.product_id as product, p.catalog_id as catalog
    from moved m
    left join shown x on x.place = m.place
    left join lateral (select product_id, catalog_id from product_score where ctid = x.place) p on true`

/** Of all catalogs that the caller sees; brands that ask for the same platforms are counted in one look. */
export async function countMoves(
  tx: PoolClient,
  { before, after }: { before: Weights; after: Weights },
  rubric: number,
  shown: number,
): Promise<MoveRow[]> {
  const { rows: catalogs } = await tx.query<{ id: string; platforms: readonly Platform[] }>(
    'select c.catalog_id as id, b.platforms from catalog c join brand b using (brand_id) where c.deleted_at is null',
  )
  const found: MoveRow[] = []
  for (const [required, own] of Map.groupBy(catalogs, ({ platforms }) => requiredBits(platforms))) {
    const ids = own.map(({ id }) => id)
    found.push(...(await tx.query<MoveRow>(sql, [ids, required, shown, rubric, ...before, ...after])).rows)
  }
  return found
}
