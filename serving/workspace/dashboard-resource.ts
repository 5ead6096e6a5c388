/** Dashboards and widgets as callers see them, their entity tags, and what the audit log says of them. */
import type { PoolClient } from 'pg'
import { z } from 'zod'
import { type DashboardRow, findDashboard } from '../../infra/catalog/dashboards.ts'
import { listWidgets, type WidgetRow } from '../../infra/catalog/widgets.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { brandId, dashboardId, widgetId, workspaceId } from '../../schemas/ids.ts'
import { type WidgetDefinition, widgetDefinition } from '../../schemas/widget.ts'
import { isMatched } from '../entity-tag.ts'
import { exampleIds } from './examples.ts'

const times = { createdBy: z.string(), createdAt: z.iso.datetime(), updatedAt: z.iso.datetime() }

export const dashboardResource = z.object({
  id: dashboardId,
  workspaceId,
  brandId,
  name: z.string(),
  isDefault: z.boolean(),
  /** Grows with each change of it, of its widgets and of their order. */
  rev: z.int(),
  widgetCount: z.int(),
  ...times,
})

export const widgetResource = z.object({
  id: widgetId,
  dashboardId,
  title: z.string(),
  definition: widgetDefinition,
  rev: z.int(),
  ...times,
})

export const wholeDashboard = z.object({ dashboard: dashboardResource.extend({ widgets: z.array(widgetResource) }) })

interface Dated {
  readonly createdAt: Date
  readonly updatedAt: Date
}

const dated = <T extends Dated>(row: T) => ({
  ...row,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
})

export const dashboardOf = (row: DashboardRow) => dated(row)
export const widgetOf = ({ place: _place, ...row }: WidgetRow) => dated(row)

export const saidOfDashboard = ({ name, isDefault }: DashboardRow) => ({ name, isDefault })
export const saidOfWidget = ({ dashboardId, title, definition }: WidgetRow) => ({ dashboardId, title, definition })

/** 412, of a state that the caller has not seen. */
export const changed = { code: 'CONFLICT', status: 412 } as const

export const revisionTag = ({ rev }: { readonly rev: number }) => `"${rev}"`

/** @throws ServiceError 412 where it has changed since the caller read it */
export function requireUnchanged(header: string | undefined, row: { readonly rev: number }, what: string): void {
  const message = `The ${what} has changed since you read it`
  isMatched(header, revisionTag(row), () => new ServiceError('CONFLICT', { message, status: 412 }))
}

export const dashboardNotFound = () =>
  new ServiceError('NOT_FOUND', { message: 'Dashboard not found', field: 'dashboardId' })
export const widgetNotFound = () => new ServiceError('NOT_FOUND', { message: 'Widget not found', field: 'widgetId' })

export async function readWhole(tx: PoolClient, id: string) {
  const row = await findDashboard(tx, id)
  if (!row) throw dashboardNotFound()
  return { ...dashboardOf(row), widgets: (await listWidgets(tx, id)).map(widgetOf) }
}

const copied = ' copy'
/** No longer than names may be. */
export const copyOf = (name: string) => name.slice(0, 200 - copied.length).toWellFormed() + copied

const at = '2026-11-28T09:30:00.000Z'
const made = { createdBy: exampleIds.subject, createdAt: at, updatedAt: at }

export const exampleDashboard = {
  id: exampleIds.dashboardId,
  workspaceId: exampleIds.workspaceId,
  brandId: exampleIds.brandId,
  name: 'Autumn campaign',
  isDefault: false,
  rev: 3,
  widgetCount: 1,
  ...made,
}

const exampleDefinition: WidgetDefinition = {
  type: 'counter',
  question: { event_types: ['order'], group_by: 'none', aggregation: 'count', time_window_days: 30, limit: 100 },
}

export const exampleWidget = {
  id: exampleIds.widgetId,
  dashboardId: exampleIds.dashboardId,
  title: 'Orders',
  definition: exampleDefinition,
  rev: 1,
  ...made,
}

export const exampleWhole = { dashboard: { ...exampleDashboard, widgets: [exampleWidget] } }
