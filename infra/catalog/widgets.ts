/** Widgets of a dashboard, in the order in which they stand. Who changes any has locked the dashboard. */
import { randomUUID } from 'node:crypto'
import type { PoolClient } from 'pg'
import type { WidgetDefinition } from '../../schemas/widget.ts'
import type { DashboardRow } from './dashboards.ts'

export interface WidgetRow {
  readonly id: string
  readonly dashboardId: string
  readonly title: string
  /** As it was when it was stored: a later Assay may know more of it. */
  readonly definition: WidgetDefinition
  readonly place: number
  readonly rev: number
  readonly createdBy: string
  readonly createdAt: Date
  readonly updatedAt: Date
}

const columns = `widget_id as id, dashboard_id as "dashboardId", title, definition, place, rev, created_by as "createdBy",
  created_at as "createdAt", updated_at as "updatedAt"`

type Place = Pick<WidgetRow, 'place' | 'id'>

export async function listWidgets(
  tx: PoolClient,
  dashboard: string,
  after: Place | null = null,
  limit: number | null = null,
): Promise<WidgetRow[]> {
  const { rows } = await tx.query<WidgetRow>(
    `select ${columns} from widget where dashboard_id = $1 and ($2::int is null or (place, widget_id) > ($2, $3::uuid))
      order by place, widget_id limit $4`,
    [dashboard, after?.place ?? null, after?.id ?? null, limit],
  )
  return rows
}

export async function findWidget(tx: PoolClient, dashboard: string, id: string): Promise<WidgetRow | null> {
  const sql = `select ${columns} from widget where dashboard_id = $1 and widget_id = $2`
  return (await tx.query<WidgetRow>(sql, [dashboard, id])).rows[0] ?? null
}

/** @param after the place that it comes behind; null: at the end */
export async function insertWidget(
  tx: PoolClient,
  { id: dashboard, workspaceId, brandId }: Pick<DashboardRow, 'id' | 'workspaceId' | 'brandId'>,
  { title, definition, by }: { title: string; definition: WidgetDefinition; by: string },
  after: number | null = null,
): Promise<WidgetRow> {
  if (after !== null)
    await tx.query('update widget set place = place + 1 where dashboard_id = $1 and place > $2', [dashboard, after])
  const { rows } = await tx.query<WidgetRow>(
    `insert into widget (widget_id, dashboard_id, workspace_id, brand_id, title, definition, created_by, place)
     values ($1, $2, $3, $4, $5, $6, $7,
             coalesce($8::int + 1, (select coalesce(max(place), 0) + 1 from widget where dashboard_id = $2)))
     returning ${columns}`,
    [randomUUID(), dashboard, workspaceId, brandId, title, JSON.stringify(definition), by, after],
  )
  const [row] = rows
  if (!row) throw new Error('the widget was not made')
  return row
}

/** In their order. */
export async function copyWidgets(tx: PoolClient, from: string, to: string, by: string): Promise<void> {
  await tx.query(
    `insert into widget (widget_id, dashboard_id, workspace_id, brand_id, title, definition, place, created_by)
     select gen_random_uuid(), $2, workspace_id, brand_id, title, definition, place, $3 from widget where dashboard_id = $1`,
    [from, to, by],
  )
}

/** What is not given stays. */
export async function updateWidget(
  tx: PoolClient,
  id: string,
  { title, definition }: { title?: string | undefined; definition?: WidgetDefinition | undefined },
): Promise<WidgetRow> {
  const { rows } = await tx.query<WidgetRow>(
    `update widget set title = coalesce($2, title), definition = coalesce($3, definition), rev = rev + 1, updated_at = now()
      where widget_id = $1 returning ${columns}`,
    [id, title ?? null, definition === undefined ? null : JSON.stringify(definition)],
  )
  const [row] = rows
  if (!row) throw new Error('the widget went while its dashboard was held')
  return row
}

export async function deleteWidget(tx: PoolClient, id: string): Promise<void> {
  await tx.query('delete from widget where widget_id = $1', [id])
}

/** @param ids all of the dashboard, each once */
export async function orderWidgets(tx: PoolClient, dashboard: string, ids: readonly string[]): Promise<void> {
  await tx.query(
    `update widget w set place = o.place from unnest($2::uuid[]) with ordinality as o (id, place)
      where w.dashboard_id = $1 and w.widget_id = o.id`,
    [dashboard, ids],
  )
}
