/** Puts a shadow's rows in the place of the live ones, a chunk in one transaction: each only where the live row is the one that it was made beside. */
import type { Pool, PoolClient } from 'pg'
import type { ProductWrite } from '../../transforms/ports.ts'
import { inTransaction } from './in-transaction.ts'
import { productColumns, scoreColumns } from './product-columns.ts'
import { writeDue } from './write-effects.ts'

export interface PromotedChunk {
  /** The last product of the chunk. */
  readonly last: string
  readonly written: number
  /** Their live rows have moved, and are to be computed again. */
  readonly moved: readonly string[]
}

const chunkRows = 1_000

/** Told by what is to be written of a product, and what follows from that. */
type Due = Pick<ProductWrite, 'workspace' | 'brand' | 'catalog' | 'product' | 'kind' | 'family' | 'contentChanged'> & {
  readonly joined: boolean
}

/** A row that was made by the same settings and parts in no value is as it would be already. */
const lookSql = `
  select s.product_id as id, p.rev is not distinct from s.rev - 1 as same,
         p.settings_number <> s.settings_number or coalesce(c.step, 'weights') <> 'weights' as differs
    from (select catalog_id, replay_id, product_id, rev, settings_number from shadow_product
           where catalog_id = $1 and replay_id = $2 and ($3::uuid is null or product_id > $3)
           order by product_id limit ${chunkRows}) s
    join shadow_score c on c.catalog_id = s.catalog_id and c.replay_id = s.replay_id and c.product_id = s.product_id
    left join products p on p.catalog_id = s.catalog_id and p.product_id = s.product_id
   order by s.product_id`

const kept: ReadonlySet<string> = new Set(['catalog_id', 'product_id', 'created_by'])
const values = productColumns.map(({ name }) => name).filter((name) => !kept.has(name))

const updateSql = `
  update products p set ${values.map((name) => `${name} = s.${name}`).join(', ')}
    from shadow_product s
   where s.catalog_id = $1 and s.replay_id = $2 and s.product_id = any ($3::uuid[])
     and p.catalog_id = s.catalog_id and p.product_id = s.product_id and p.rev = s.rev - 1
  returning p.workspace_id as workspace, p.brand_id as brand, p.catalog_id as catalog, p.product_id as product, p.kind,
            p.family_id as family, s.content_changed as "contentChanged", s.joined`

const shadowed = `
  from shadow_score c where c.catalog_id = $1 and c.replay_id = $2 and c.product_id = any ($3::uuid[])`

const historySql = `
  insert into score_history (catalog_id, product_id, scored_at, workspace_id, brand_id, s, rubric_version, weights_number)
  select s.catalog_id, s.product_id, s.scored_at, s.workspace_id, s.brand_id,
         array[s.s1, s.s2, s.s3, s.s4, s.s5, s.s6, s.s7], s.rubric_version, w.weights_number
    from product_score s
    join (select c.product_id, c.sub_after ${shadowed}) n on n.product_id = s.product_id
    join workspace w on w.workspace_id = s.workspace_id
   where s.catalog_id = $1 and array[s.s1, s.s2, s.s3, s.s4, s.s5, s.s6, s.s7] is distinct from n.sub_after`

const scoreNames = scoreColumns.map(({ name }) => name)
const upsertSql = `
  insert into product_score (${scoreNames.join(', ')})
  select c.catalog_id, c.product_id, c.workspace_id, c.brand_id, ${[1, 2, 3, 4, 5, 6, 7].map((i) => `c.sub_after[${i}]`).join(', ')},
         c.points_after, c.valid_after, c.rubric_after, now() ${shadowed} and c.sub_after is not null
  on conflict (catalog_id, product_id) do update set ${scoreNames
    .slice(4)
    .map((name) => `${name} = excluded.${name}`)
    .join(', ')}`

const unscoreSql = `
  delete from product_score s using (select c.product_id ${shadowed} and c.sub_after is null) n
   where s.catalog_id = $1 and s.product_id = n.product_id`

/** Done again it finds its own rows moved, and changes nothing. @returns null where nothing is left */
export async function promoteChunk(
  pool: Pool,
  replay: string,
  catalog: string,
  after: string | null,
): Promise<PromotedChunk | null> {
  return inTransaction(pool, async (tx) => {
    const { rows } = await tx.query<{ id: string; same: boolean; differs: boolean }>(lookSql, [catalog, replay, after])
    const last = rows.at(-1)?.id
    if (last === undefined) return null
    const wanted = rows.filter(({ same, differs }) => same && differs).map(({ id }) => id)
    const written = wanted.length === 0 ? [] : await write(tx, [catalog, replay, wanted])
    const there = new Set(written)
    const moved = rows.filter(({ id, same, differs }) => !same || (differs && !there.has(id))).map(({ id }) => id)
    return { last, written: written.length, moved }
  })
}

/** @returns the products whose rows were still those that the shadow was made beside */
async function write(tx: PoolClient, scope: [catalog: string, replay: string, products: string[]]): Promise<string[]> {
  await tx.query('set local enable_hashjoin = off; set local enable_mergejoin = off')
  const { rows } = await tx.query<Due>(updateSql, scope)
  const products = rows.map(({ product }) => product)
  const own = [scope[0], scope[1], products]
  await tx.query(historySql, own)
  await tx.query(upsertSql, own)
  await tx.query(unscoreSql, own)
  await writeDue(tx, rows)
  return products
}
