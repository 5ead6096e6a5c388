/** What a verdict is made of, in one look through a shadow's narrow table: groups of products that are alike, the places where values part, and examples. */
import type { PoolClient } from 'pg'
import type { Platform } from '../../schemas/feeds/profile.ts'
import type { ShadowStep } from '../../transforms/replay/shadow.ts'

export interface GroupRow {
  readonly step: ShadowStep | null
  readonly brand: string
  readonly scoreBefore: number | null
  readonly scoreAfter: number | null
  readonly subBefore: number[] | null
  readonly subAfter: number[] | null
  readonly pointsBefore: Buffer | null
  readonly pointsAfter: Buffer | null
  readonly validBefore: number | null
  readonly validAfter: number | null
  readonly rubricBefore: number | null
  readonly rubricAfter: number | null
  readonly products: number
}

/** What is made of a page takes some ten milliseconds, in which nobody else is served. */
const pageRows = 2_000

/** Sub-scores and scores follow from the points and their rubric, so these are what is grouped by. */
const groupsSql = `
  select step, brand_id as brand, points_before as "pointsBefore", points_after as "pointsAfter",
         valid_before as "validBefore", valid_after as "validAfter", rubric_before as "rubricBefore", rubric_after as "rubricAfter",
         min(score_before) as "scoreBefore", min(score_after) as "scoreAfter", min(sub_before) as "subBefore", min(sub_after) as "subAfter",
         count(*) as products
    from shadow_score where catalog_id = any ($1::uuid[]) and replay_id = $2
   group by 1, 2, 3, 4, 5, 6, 7, 8`

export async function* streamGroups(
  tx: PoolClient,
  replay: string,
  catalogs: readonly string[],
): AsyncGenerator<readonly GroupRow[]> {
  await tx.query(`set local work_mem = '64MB'`)
  await tx.query(`declare shadow_groups no scroll cursor for ${groupsSql}`, [catalogs, replay])
  for (;;) {
    const { rows } = await tx.query<GroupRow>(`fetch ${pageRows} from shadow_groups`)
    if (rows.length > 0) yield rows
    if (rows.length < pageRows) break
  }
  await tx.query('close shadow_groups')
}

export interface PlaceRow {
  readonly step: ShadowStep
  readonly place: string | null
  readonly products: number
}

/** The places where most products part, the commonest first. */
export async function commonPlaces(
  tx: PoolClient,
  replay: string,
  catalogs: readonly string[],
  limit: number,
): Promise<PlaceRow[]> {
  const { rows } = await tx.query<PlaceRow>(
    `select step, place, count(*) as products from shadow_score
      where catalog_id = any ($1::uuid[]) and replay_id = $2 and step is not null
      group by 1, 2 order by 3 desc, 1, 2 limit $3`,
    [catalogs, replay, limit],
  )
  return rows
}

export interface ExampleRow extends Omit<PlaceRow, 'products'> {
  readonly productId: string
  readonly catalogId: string
  readonly sku: string | null
  readonly title: string | null
  readonly before: number | null
  readonly after: number | null
}

/** The products whose scores move most; then those that differ without it. */
export async function largestMoves(
  tx: PoolClient,
  replay: string,
  catalogs: readonly string[],
  limit: number,
): Promise<ExampleRow[]> {
  const { rows } = await tx.query<ExampleRow>(
    `select s.product_id as "productId", s.catalog_id as "catalogId", p.sku, p.title, s.score_before as before, s.score_after as after, s.step, s.place
       from (select * from shadow_score where catalog_id = any ($1::uuid[]) and replay_id = $2 and step is not null
              order by abs(coalesce(score_after, 0) - coalesce(score_before, 0)) desc, product_id limit $3) s
       join shadow_product p on p.catalog_id = s.catalog_id and p.replay_id = s.replay_id and p.product_id = s.product_id
      order by abs(coalesce(s.score_after, 0) - coalesce(s.score_before, 0)) desc, s.product_id`,
    [catalogs, replay, limit],
  )
  return rows
}

/** Products that have moved since, and are compared as they were. */
export async function countMoved(tx: PoolClient, replay: string, catalogs: readonly string[]): Promise<number> {
  const { rows } = await tx.query<{ n: number }>(
    `select count(*) as n
       from shadow_product s join products p on p.catalog_id = s.catalog_id and p.product_id = s.product_id
      where s.catalog_id = any ($1::uuid[]) and s.replay_id = $2 and p.rev <> s.rev - 1`,
    [catalogs, replay],
  )
  return rows[0]?.n ?? 0
}

export async function platformsByBrand(tx: PoolClient, workspace: string): Promise<Map<string, readonly Platform[]>> {
  const { rows } = await tx.query<{ id: string; platforms: Platform[] }>(
    'select brand_id as id, platforms from brand where workspace_id = $1',
    [workspace],
  )
  return new Map(rows.map(({ id, platforms }) => [id, platforms]))
}
