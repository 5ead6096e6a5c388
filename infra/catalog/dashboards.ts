/** Dashboards of a brand; under policy, so that a principal meets those of its brands alone. */
import { randomUUID } from 'node:crypto'
import type { PoolClient } from 'pg'
import { defaultDashboard } from '../../schemas/default-dashboard.ts'

export interface DashboardRow {
  readonly id: string
  readonly workspaceId: string
  readonly brandId: string
  readonly name: string
  readonly isDefault: boolean
  readonly rev: number
  readonly widgetCount: number
  readonly createdBy: string
  readonly createdAt: Date
  readonly updatedAt: Date
}

const columns = `dashboard_id as id, workspace_id as "workspaceId", brand_id as "brandId", name, is_default as "isDefault", rev,
  (select count(*)::int from widget w where w.dashboard_id = dashboard.dashboard_id) as "widgetCount",
  created_by as "createdBy", created_at as "createdAt", updated_at as "updatedAt"`

/**
 * Makes the default dashboard of brands that have none: of a new one with it, of one from before dashboards when somebody looks.
 * @param brand null: of every brand that the transaction may see
 */
export async function ensureDefaultDashboard(tx: PoolClient, brand: string | null): Promise<void> {
  await tx.query(
    `with made as (
       insert into dashboard (dashboard_id, workspace_id, brand_id, name, is_default, created_by)
       select gen_random_uuid(), b.workspace_id, b.brand_id, $2, true, 'assay' from brand b
        where b.deleted_at is null and ($1::uuid is null or b.brand_id = $1)
          and not exists (select from dashboard d where d.brand_id = b.brand_id and d.is_default)
       on conflict do nothing
       returning dashboard_id, workspace_id, brand_id)
     insert into widget (widget_id, dashboard_id, workspace_id, brand_id, title, definition, place, created_by)
     select gen_random_uuid(), m.dashboard_id, m.workspace_id, m.brand_id, w.one ->> 'title', w.one -> 'definition', w.place, 'assay'
       from made m cross join jsonb_array_elements($3::jsonb) with ordinality as w (one, place)`,
    [brand, defaultDashboard.name, JSON.stringify(defaultDashboard.widgets)],
  )
}

export async function listDashboards(tx: PoolClient, after: string | null, limit: number): Promise<DashboardRow[]> {
  const { rows } = await tx.query<DashboardRow>(
    `select ${columns} from dashboard where ($1::uuid is null or dashboard_id > $1) order by dashboard_id limit $2`,
    [after, limit],
  )
  return rows
}

export async function findDashboard(tx: PoolClient, id: string): Promise<DashboardRow | null> {
  const { rows } = await tx.query<DashboardRow>(`select ${columns} from dashboard where dashboard_id = $1`, [id])
  return rows[0] ?? null
}

/** For who changes it or its widgets: they follow one another. */
export async function lockDashboard(tx: PoolClient, id: string): Promise<DashboardRow | null> {
  await tx.query('select from dashboard where dashboard_id = $1 for update', [id])
  // Read by a statement of its own: the one that waited counts the widgets of before it waited.
  return findDashboard(tx, id)
}

export async function countDashboards(tx: PoolClient, brand: string): Promise<number> {
  const { rows } = await tx.query<{ n: number }>('select count(*)::int as n from dashboard where brand_id = $1', [
    brand,
  ])
  return rows[0]?.n ?? 0
}

export async function insertDashboard(
  tx: PoolClient,
  { workspace, brand, name, by }: { workspace: string; brand: string; name: string; by: string },
): Promise<string> {
  const id = randomUUID()
  await tx.query(
    'insert into dashboard (dashboard_id, workspace_id, brand_id, name, created_by) values ($1, $2, $3, $4, $5)',
    [id, workspace, brand, name, by],
  )
  return id
}

/** What is not given stays; its revision grows in any case. */
export async function updateDashboard(
  tx: PoolClient,
  id: string,
  to: { name?: string | undefined; isDefault?: boolean | undefined } = {},
): Promise<DashboardRow> {
  const { rows } = await tx.query<DashboardRow>(
    `update dashboard set name = coalesce($2, name), is_default = coalesce($3, is_default), rev = rev + 1, updated_at = now()
      where dashboard_id = $1 returning ${columns}`,
    [id, to.name ?? null, to.isDefault ?? null],
  )
  const [row] = rows
  if (!row) throw new Error('the dashboard went while it was held')
  return row
}

/** Of a brand, for another to take its place. */
export async function giveUpDefault(tx: PoolClient, brand: string): Promise<void> {
  const sql =
    'update dashboard set is_default = false, rev = rev + 1, updated_at = now() where brand_id = $1 and is_default'
  await tx.query(sql, [brand])
}

/** Its widgets go with it. */
export async function deleteDashboard(tx: PoolClient, id: string): Promise<void> {
  await tx.query('delete from dashboard where dashboard_id = $1', [id])
}

/** With the brand. */
export async function deleteDashboards(tx: PoolClient, brand: string): Promise<void> {
  await tx.query('delete from dashboard where brand_id = $1', [brand])
}
