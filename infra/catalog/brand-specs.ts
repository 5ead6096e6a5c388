/** Brand AI specifications as stored: one row for a brand that ever had one. Under policy of the database. */
import type { PoolClient } from 'pg'
import type { AiSpec } from '../../schemas/brand.ts'

export interface BrandSpecRow {
  readonly spec: Partial<AiSpec>
  readonly createdAt: Date
  readonly updatedAt: Date
}

const columns = 'spec, created_at as "createdAt", updated_at as "updatedAt"'

export async function findBrandSpec(tx: PoolClient, brand: string): Promise<BrandSpecRow | null> {
  const { rows } = await tx.query<BrandSpecRow>(`select ${columns} from brand_ai_spec where brand_id = $1`, [brand])
  return rows[0] ?? null
}

export async function saveBrandSpec(
  tx: PoolClient,
  { workspace, brand, spec }: { workspace: string; brand: string; spec: AiSpec },
): Promise<BrandSpecRow> {
  const { rows } = await tx.query<BrandSpecRow>(
    `insert into brand_ai_spec (brand_id, workspace_id, spec) values ($1, $2, $3)
     on conflict (brand_id) do update set spec = excluded.spec, updated_at = now()
     returning ${columns}`,
    [brand, workspace, JSON.stringify(spec)],
  )
  const row = rows[0]
  if (!row) throw new Error('the specification was not saved')
  return row
}
