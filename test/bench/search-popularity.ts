/** What agents are taken to have done with the products of the search benchmark, and questions for recommendations about them. */
import type { FastifyInstance } from 'fastify'
import type { Pool } from 'pg'
import { inTransaction } from '../../infra/catalog/in-transaction.ts'
import { putInForce, writeNextColumn } from '../../infra/catalog/popularity-build.ts'
import { segmentMaker } from '../../infra/system/segment-maker.ts'
import type { System } from '../../infra/system.ts'
import { got, timed } from './timed.ts'

interface Place {
  readonly workspace: string
  readonly brand: string
  readonly catalog: string
}

/** One of five products was met, each with twenty others. @returns how long the columns of the index took */
export async function popularize(pool: Pool, { workspace, brand, catalog }: Place): Promise<number> {
  const place = { job: '00000000-0000-4000-8000-000000000001', workspace, brand, generation: 1 }
  await pool.query('insert into popularity (brand_id, workspace_id) values ($1, $2)', [brand, workspace])
  await pool.query(
    `insert into product_popularity (catalog_id, product_id, generation, workspace_id, brand_id, points, trend)
     select catalog_id, product_id, 1, workspace_id, brand_id, 1 / (0.001 + random()), random() from products where catalog_id = $1 and random() < 0.2`,
    [catalog],
  )
  await pool.query(
    `insert into product_companions (catalog_id, product_id, method, generation, workspace_id, brand_id, others, weights)
     select catalog_id, product_id, 'together', 1, workspace_id, brand_id, others, (select array_agg(random()) from unnest(others))
       from (select *, array_agg(product_id) over (rows between 1 following and 20 following) as others from product_popularity where catalog_id = $1) p
      where others is not null`,
    [catalog],
  )
  await pool.query('analyze product_popularity, product_companions')
  const began = performance.now()
  for (let at: number | null = 0; at !== null; ) {
    const after: number = at
    at = await inTransaction(pool, (tx) => writeNextColumn(tx, place, after, segmentMaker))
  }
  await inTransaction(pool, (tx) => putInForce(tx, place, 1, new Date().toISOString(), new Date()))
  return performance.now() - began
}

/** Parameters of questions about any of the products that were met. */
async function aboutProducts(pool: Pool, catalog: string, n: number): Promise<Record<string, string>[]> {
  const { rows } = await pool.query<{ id: string }>(
    'select product_id as id from product_companions where catalog_id = $1 order by random() limit $2',
    [catalog, n],
  )
  return rows.map(({ id }) => ({ product_id: id }))
}

const recommending = { similar: 'similar', together: 'together', popular: 'popular in its category' } as const

export async function recommendations(
  { tokens, catalog: { pipeline } }: Pick<System, 'tokens' | 'catalog'>,
  app: FastifyInstance,
  { workspace, brand, catalog }: Place,
  n: number,
) {
  const claims = { subject: 'bench', workspace, role: 'viewer', brand, scope: '' } as const
  const headers = { authorization: `Bearer ${await tokens.sign(claims, 3_600)}` }
  const asked = await aboutProducts(pipeline, catalog, n)
  const runs = new Map<string, Awaited<ReturnType<typeof timed>>>()
  for (const [method, name] of Object.entries(recommending)) {
    const ask = (one: Record<string, string>) =>
      got(app, `/api/v1/recommendations?${new URLSearchParams({ ...one, method })}`, headers)
    for (const one of asked.slice(0, 20)) await ask(one)
    runs.set(`recommendations: ${name}`, await timed(asked, ask))
  }
  return runs
}
