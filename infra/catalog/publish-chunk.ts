/** Writes one chunk of a version that is being built: content that differs from the former version's, and tombstones. */
import type { Pool, PoolClient } from 'pg'
import { inTransaction } from './in-transaction.ts'
import { holdPublish, type PublishRow } from './publish.ts'

/** Dirty rows are one a batch, of at most a worker's batch of ids each: about 5,000 products a chunk. */
const dirtyRowsPerChunk = 2

const idsSql = `
  with chunk as (
    select dirty_id, product_ids from dirty where catalog_id = $1 and dirty_id > $2 and dirty_id <= $3 order by dirty_id limit ${dirtyRowsPerChunk})
  select (select max(dirty_id) from chunk) as "to", array(select distinct unnest(product_ids) from chunk order by 1) as ids`

/**
 * Each product is looked up by its key, one by one: behind `limit 1` the planner has no choice of order, and \`+ 0\` fits no
 * index but the key's. By statistics that are old, as in every first publish, it joins whole versions instead (60,000
 * products in 135 s, so in 5 s).
 */
const present = `
  left join lateral (
    select content_hash, kind, family_id, sku, refined, created_at, updated_at from products
     where catalog_id = $1 and product_id = i.id and alive and kind <> 'parent' and settings_number > 0 limit 1) p on true`

/** o: the row of the former version, n: what an earlier chunk of this one has written. */
const lookSql = `
  select i.id, p.content_hash is not null as there, o.content is not null as listed, o.hash is distinct from p.content_hash as differs,
         case when o.valid_to > $2 then o.ctid::text end as open, n.ctid::text as written
    from unnest($3::uuid[]) as i (id) ${present}
    left join lateral (
      select ctid, hash, content, valid_to from published
       where catalog_id = $1 and product_id = i.id and valid_from + 0 < $2 and valid_to >= $2 limit 1) o on true
    left join lateral (
      select ctid from published where catalog_id = $1 and product_id = i.id and valid_from + 0 = $2 limit 1) n on true`

const writeSql = `
  insert into published (catalog_id, product_id, valid_from, workspace_id, brand_id, hash, content)
  select $1, i.id, $2, $4, $5, coalesce(p.content_hash, ''::bytea),
         case when p.content_hash is not null then jsonb_build_object(
           'kind', p.kind, 'family', p.family_id, 'createdAt', p.created_at, 'updatedAt', p.updated_at, 'product', p.refined,
           -- the SKU, unless another product carries the same: a feed must not have one id twice
           'feedId', case when not exists (
             select 1 from products q
              where q.catalog_id = $1 and q.sku = p.sku and q.product_id <> i.id and q.alive and q.kind <> 'parent') then p.sku end) end
    from unnest($3::uuid[]) as i (id) ${present}
  on conflict (catalog_id, product_id, valid_from) do update set hash = excluded.hash, content = excluded.content`

interface Look {
  readonly id: string
  readonly there: boolean
  readonly listed: boolean
  readonly differs: boolean
  readonly open: string | null
  readonly written: string | null
}

/** A product that this version has written already is written over, whatever it is now. */
const isToWrite = ({ there, listed, differs, written }: Look) =>
  written !== null || (there ? !listed || differs : listed)

/**
 * Unseen by readers, who pin the catalog's version.
 * @throws where the version is not this job's to build any more
 * @returns how far the dirty rows are written; null when all are
 */
export async function buildChunk(pool: Pool, p: PublishRow, from: number): Promise<number | null> {
  return inTransaction(pool, async (tx) => {
    await holdPublish(tx, p, from)
    const { rows } = await tx.query<{ to: number | null; ids: string[] }>(idsSql, [p.catalog, from, p.upto])
    const { to, ids } = rows[0] ?? { to: null, ids: [] }
    if (to === null) return null
    await writeChunk(tx, p, ids)
    await tx.query('update publish set built_to = $3 where catalog_id = $1 and version = $2', [
      p.catalog,
      p.version,
      to,
    ])
    return to
  })
}

async function writeChunk(tx: PoolClient, p: PublishRow, ids: readonly string[]): Promise<void> {
  await tx.query('set local enable_seqscan = off')
  const { rows } = await tx.query<Look>(lookSql, [p.catalog, p.version, ids])
  const wanted = rows.filter(isToWrite)
  if (wanted.length === 0) return
  await tx.query(writeSql, [p.catalog, p.version, wanted.map(({ id }) => id), p.workspace, p.brand])
  const open = wanted.flatMap((look) => look.open ?? [])
  await tx.query('update published set valid_to = $1 where ctid = any ($2::tid[])', [p.version, open])
}
