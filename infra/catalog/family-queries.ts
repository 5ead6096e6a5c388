/** Families as the API reads them: a parent's variants by key pages, and the options that tell them apart, under policy; and what products are, of the pipeline's role. */
import type { Pool, PoolClient } from 'pg'
import type { ProductKind } from '../../schemas/product.ts'
import { type ProductRow, readColumns, readFrom } from './product-queries.ts'

/** Its parent's id is the family's. */
export async function listVariants(
  tx: PoolClient,
  parent: { readonly catalog: string; readonly id: string },
  after: string | null,
  limit: number,
): Promise<ProductRow[]> {
  const { rows } = await tx.query<ProductRow>(
    `select ${readColumns} from ${readFrom}
      where p.catalog_id = $1 and p.family_id = $2 and p.kind = 'variant' and p.alive and ($3::uuid is null or p.product_id > $3)
      order by p.product_id limit $4`,
    [parent.catalog, parent.id, after, limit],
  )
  return rows
}

export interface OptionAxis {
  readonly name: string
  readonly values: readonly string[]
}

/** By family, names and values in order of the alphabet. */
export async function optionAxes(
  tx: PoolClient,
  catalog: string,
  families: readonly string[],
): Promise<Map<string, OptionAxis[]>> {
  const axes = new Map<string, OptionAxis[]>()
  if (families.length === 0) return axes
  const { rows } = await tx.query<OptionAxis & { family: string }>(
    `select p.family_id as family, o.key as name, array_agg(distinct o.value order by o.value) as values
       from products p, jsonb_each_text(p.refined->'options') o
      where p.catalog_id = $1 and p.family_id = any ($2::uuid[]) and p.kind = 'variant' and p.alive
      group by p.family_id, o.key order by p.family_id, o.key`,
    [catalog, families],
  )
  for (const { family, name, values } of rows) axes.set(family, [...(axes.get(family) ?? []), { name, values }])
  return axes
}

/** Of those of these products that the sink has; of the pipeline's role. */
export async function kindsOf(
  pool: Pool,
  catalog: string,
  products: readonly string[],
): Promise<Map<string, ProductKind>> {
  if (products.length === 0) return new Map()
  const { rows } = await pool.query<{ id: string; kind: ProductKind }>(
    'select product_id as id, kind from products where catalog_id = $1 and product_id = any ($2::uuid[])',
    [catalog, products],
  )
  return new Map(rows.map(({ id, kind }) => [id, kind]))
}
