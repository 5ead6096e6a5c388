/** Keeps product_recent behind products: what lists in order of the last change read. */
import type { PoolClient } from 'pg'

const upsertSql = `
  insert into product_recent (catalog_id, product_id, workspace_id, brand_id, updated_at)
  select p.catalog_id, p.product_id, p.workspace_id, p.brand_id, p.updated_at
    from (select distinct unnest($2::uuid[]) as id) i
    join products p on p.catalog_id = $1 and p.product_id = i.id and p.alive
  on conflict (catalog_id, product_id) do update set updated_at = excluded.updated_at
   where product_recent.updated_at <> excluded.updated_at`

const removeSql = `
  delete from product_recent r using (select distinct unnest($2::uuid[]) as id) i
   where r.catalog_id = $1 and r.product_id = i.id
     and not exists (select 1 from products p where p.catalog_id = $1 and p.product_id = i.id and p.alive)`

export async function followRecent(tx: PoolClient, catalog: string, products: readonly string[]): Promise<void> {
  await tx.query(upsertSql, [catalog, products])
  await tx.query(removeSql, [catalog, products])
}
