/** Products with their images by key pages, for a check of these; the caller has checked the catalog. And catalogs whose check is due. */
import type { Pool, PoolClient } from 'pg'
import type { Layers } from '../../schemas/pipeline.ts'
import type { ProductKind } from '../../schemas/product.ts'

export interface ImagedProduct {
  readonly id: string
  readonly sid: string
  readonly kind: ProductKind
  readonly family: string | null
  readonly images: readonly string[]
  /** null where no check has ever spoken of it. */
  readonly layers: Layers | null
}

interface Row extends Omit<ImagedProduct, 'layers'> {
  readonly layers: Buffer | null
}

/**
 * In order of id, without parents, which are in no feed and whose images their variants have.
 * @param of only these of the catalog @param most images of each
 */
export async function imagedPage(
  pool: Pool,
  catalog: string,
  of: readonly string[] | null,
  after: string | null,
  { limit, most }: { readonly limit: number; readonly most: number },
): Promise<ImagedProduct[]> {
  const { rows } = await pool.query<Row>(
    `select product_id as id, encode(source_identifier, 'hex') as sid, kind, family_id as family,
            coalesce(jsonb_path_query_array(refined, '$.images[0 to $last]', jsonb_build_object('last', $5::int - 1)), '[]') as images,
            case when position(convert_to('"check:images"', 'utf8') in layers) > 0 then layers end as layers
       from products
      where catalog_id = $1 and product_id > coalesce($3, '00000000-0000-0000-0000-000000000000')::uuid
        and ($2::uuid[] is null or product_id = any ($2)) and alive and kind <> 'parent'
      order by product_id limit $4`,
    [catalog, of, after, limit, most],
  )
  return rows.map(({ layers, ...row }) => ({ ...row, layers: layers && (JSON.parse(layers.toString()) as Layers) }))
}

/** The check of the catalog that waits or runs. The catalog is held until the transaction ends, so that two begin one after the other. */
export async function runningCheck(tx: PoolClient, catalog: string): Promise<string | null> {
  await tx.query('select from catalog where catalog_id = $1 for update', [catalog])
  const { rows } = await tx.query<{ id: string }>(
    `select j.job_id as id from job j join catalog c on c.workspace_id = j.workspace_id and c.catalog_id = j.catalog_id
      where c.catalog_id = $1 and j.kind = 'check_images' and j.status in ('queued', 'active') limit 1`,
    [catalog],
  )
  return rows[0]?.id ?? null
}

export interface DueCheck {
  readonly workspace: string
  readonly brand: string
  readonly catalog: string
}

/** Catalogs of workspaces that want it whose last check began before an import of theirs was completed. */
export async function dueForImageCheck(pool: Pool): Promise<DueCheck[]> {
  const { rows } = await pool.query<DueCheck>(
    `select c.workspace_id as workspace, c.brand_id as brand, c.catalog_id as catalog
       from workspace w
       join settings_version s on s.workspace_id = w.workspace_id and s.number = w.settings_number
       join catalog c on c.workspace_id = w.workspace_id and c.deleted_at is null
       left join lateral (
         select max(j.created_at) as began, bool_or(j.status in ('queued', 'active')) as runs
           from job j where j.workspace_id = w.workspace_id and j.catalog_id = c.catalog_id and j.kind = 'check_images') last on true
      where s.body ->> 'checkImages' = 'after_import' and w.deleted_at is null and not coalesce(last.runs, false)
        and exists (select from import i where i.catalog_id = c.catalog_id and i.state = 'completed'
                       and i.finished_at > coalesce(last.began, '-infinity'))`,
  )
  return rows
}
