/** What products whose group a merge changes are in the source, and which family of the target stands for theirs. Of the pipeline's role. */
import type { Pool } from 'pg'
import type { ProductKind } from '../../schemas/product.ts'
import type { MergeRow } from './merges.ts'

export interface MergedPlace {
  readonly product: string
  readonly kind: ProductKind
  /** In the target; null of a single, and where nothing there stands for it. */
  readonly family: string | null
  /** Of the family's product in the target, where it is no parent there yet. */
  readonly headSid: string | null
}

const placesSql = (forkIsSource: boolean) => {
  const [own, other] = forkIsSource ? ['product_id', 'origin_id'] : ['origin_id', 'product_id']
  return `
    select i.product_id as product, s.kind, f.id as family,
           (select encode(h.source_identifier, 'hex') from products h
             where h.catalog_id = $3 and h.product_id = f.id and h.kind = 'single' and h.alive) as "headSid"
      from merge_item i
      join products s on s.catalog_id = $2 and s.product_id = i.source_product_id and s.alive and s.kind <> 'parent'
     cross join lateral (
       select coalesce((select p.${other} from fork_product p where p.catalog_id = $4 and p.${own} = s.family_id limit 1),
                       (select m.product_id from merge_item m where m.merge_id = $1 and m.source_product_id = s.family_id limit 1)) as id) f
     where i.merge_id = $1 and i.product_id = any ($5::uuid[])`
}

export async function mergedPlaces(pool: Pool, m: MergeRow, products: readonly string[]): Promise<MergedPlace[]> {
  if (products.length === 0) return []
  const values = [m.id, m.source, m.target, m.fork, products]
  return (await pool.query<MergedPlace>(placesSql(m.fork === m.source), values)).rows
}
