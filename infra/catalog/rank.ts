/** Keeps product_rank behind product_score: what lists sorted by score read. */
import type { Pool } from 'pg'
import { catchUp, farBehind } from './catch-up.ts'
import { inTransaction } from './in-transaction.ts'
import { scoreSql, shareRank } from './rank-sql.ts'
import { followRecent } from './recent.ts'

/**
 * Edits at once; the batches of an import when it has ended, since following each would take a tenth of the import's rate.
 * Which is which tells the size in the row's head: some 100 ids.
 */
const takeSql = `
  delete from rank_due where due_id in (
    select d.due_id from rank_due d
     where pg_column_size(d.product_ids) <= 1700
        or not $1 and not exists (select 1 from import i where i.catalog_id = d.catalog_id and i.state in ('appending', 'settling'))
     order by d.due_id limit 20 for update skip locked)
  returning catalog_id as catalog, product_ids as products`

/** Under the weights in force, and under those whose ranks are whole. */
const upsertSql = `
  insert into product_rank (catalog_id, product_id, workspace_id, brand_id, score, weights_number)
  select s.catalog_id, s.product_id, s.workspace_id, s.brand_id, ${scoreSql}, v.number
    from (select distinct unnest($2::uuid[]) as id) i
    join product_score s on s.catalog_id = $1 and s.product_id = i.id
    join workspace w on w.workspace_id = s.workspace_id
    join weights_version v on v.workspace_id = w.workspace_id and v.number in (w.weights_number, w.rank_number)
  on conflict (catalog_id, weights_number, product_id) do update set score = excluded.score
   where product_rank.score <> excluded.score`

const removeSql = `
  delete from product_rank r
   using (select distinct unnest($2::uuid[]) as id) i,
         (select unnest(array[w.weights_number, w.rank_number]) as number
            from catalog c join workspace w on w.workspace_id = c.workspace_id where c.catalog_id = $1) v
   where r.catalog_id = $1 and r.weights_number = v.number and r.product_id = i.id
     and not exists (select 1 from product_score s where s.catalog_id = $1 and s.product_id = i.id)`

/** See `startWhenDue`. */
export const isRankDue = 'exists (select from rank_due)'

/** @returns false when nothing was due */
export async function followRank(pool: Pool, signal = new AbortController().signal): Promise<boolean> {
  const behind = await farBehind(pool)
  const between = async () => {
    // After a million rows it goes on for a minute, and whoever closes meanwhile does not wait for that.
    signal.throwIfAborted()
    await followDue(pool, { editsOnly: true })
  }
  if (behind) await catchUp(pool, behind, between)
  return followDue(pool, { editsOnly: false })
}

async function followDue(pool: Pool, { editsOnly }: { editsOnly: boolean }): Promise<boolean> {
  return inTransaction(pool, async (tx) => {
    await tx.query(shareRank)
    const { rows } = await tx.query<{ catalog: string; products: string[] }>(takeSql, [editsOnly])
    const due = new Map<string, string[]>()
    for (const { catalog, products } of rows) due.set(catalog, [...(due.get(catalog) ?? []), ...products])
    for (const [catalog, products] of due) {
      await tx.query(upsertSql, [catalog, products])
      await tx.query(removeSql, [catalog, products])
      await followRecent(tx, catalog, products)
    }
    return rows.length > 0
  })
}
