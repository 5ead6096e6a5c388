/** Which brands' events are to be counted for recommendations, and what was bought or viewed with a product. */
import type { PoolClient } from 'pg'
import type { BasketMethod } from '../../schemas/recommendation.ts'
import type { Reading } from './postgres.ts'

export interface CountOrder {
  readonly workspace: string
  readonly brand: string
}

export interface LookedAt extends CountOrder {
  /** null: never yet. */
  readonly countedAt: Date | null
  readonly products: number
}

/** Brands with something published that are due, which they are not again for so long; until something was counted they are sooner. */
export async function brandsToLookAt(
  tx: PoolClient,
  now: Date,
  everyMs: { readonly first: number; readonly later: number },
  most: number,
): Promise<LookedAt[]> {
  const { rows } = await tx.query<LookedAt>(
    `insert into popularity as p (brand_id, workspace_id, due_at)
     select b.brand_id, b.workspace_id, $2 from brand b
       join workspace w on w.workspace_id = b.workspace_id and w.deleted_at is null
       left join popularity p on p.brand_id = b.brand_id
      where b.deleted_at is null and (p.due_at is null or p.due_at <= $1)
        and exists (select from catalog c where c.brand_id = b.brand_id and c.deleted_at is null and c.published_version > 0)
      order by p.due_at nulls first, b.brand_id limit $3
     on conflict (brand_id) do update set due_at = case when p.counted_at is null then excluded.due_at else $4 end
     returning brand_id as brand, workspace_id as workspace, counted_at as "countedAt", products`,
    [now, new Date(now.getTime() + everyMs.first), most, new Date(now.getTime() + everyMs.later)],
  )
  return rows
}

/** Held until the transaction ends. @returns the job that is counting already */
export async function claimCount(
  tx: PoolClient,
  { workspace, brand }: CountOrder,
  job: string,
): Promise<string | null> {
  const { rows } = await tx.query<{ running: string | null }>(
    `insert into popularity as p (brand_id, workspace_id) values ($1, $2) on conflict (brand_id) do update set workspace_id = p.workspace_id
     returning (select j.job_id from job j where j.job_id = p.taking and j.status in ('queued', 'active')) as running`,
    [brand, workspace],
  )
  const running = rows[0]?.running ?? null
  if (running === null) await tx.query('update popularity set taking = $2 where brand_id = $1', [brand, job])
  return running
}

export interface Companion {
  readonly id: string
  readonly catalog: string
}

/** The most often met with it first. */
export async function companionsOf(
  tx: Reading,
  brand: string,
  catalogs: readonly string[],
  product: string,
  method: BasketMethod,
): Promise<Companion[]> {
  const { rows } = await tx.query<Companion>({
    name: 'product_companions',
    text: `select u.id, c.catalog_id as catalog
             from popularity p
             join product_companions c on c.catalog_id = any ($2) and c.product_id = $3 and c.method = $4 and c.generation = p.generation
            cross join lateral unnest(c.others, c.weights) as u (id, weight)
            where p.brand_id = $1 and c.brand_id = $1
            group by u.id, c.catalog_id order by sum(u.weight) desc, u.id`,
    values: [brand, catalogs, product, method],
  })
  return rows
}
