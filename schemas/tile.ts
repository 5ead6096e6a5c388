/** What a widget shows once it is answered, and the lines in which a whole dashboard is answered. */
import { z } from 'zod'
import { aggregationResult } from './aggregation.ts'
import { funnelResult } from './funnel.ts'
import { dashboardId, widgetId } from './ids.ts'
import { widgetTypes } from './widget.ts'

const { rows, cache_hit: _, rows_read, ...label } = aggregationResult.shape

export const tileData = z.union([
  aggregationResult
    .omit({ cache_hit: true, rows_read: true, watermark: true, lag: true, snapshot: true, generated_at: true })
    .extend({
      /** Of a breakdown: the same over all groups, those beyond the limit too; null where there is nothing to average. */
      total: rows.element.omit({ key: true }).nullable().optional(),
    }),
  z.object({ funnel: funnelResult }),
])
export type TileData = z.output<typeof tileData>

export const failure = z.object({ code: z.string(), message: z.string() })
export type Failure = z.infer<typeof failure>

/** How true all of it is; the watermark is the brand's, and null where it has no events. */
export const truthLabel = z.object({ ...label, rows_read })
export type TruthLabel = z.infer<typeof truthLabel>

export const tileWidget = z.object({ id: widgetId, title: z.string(), type: z.enum(widgetTypes) })

const headLine = z.object({
  dashboard: z.object({ id: dashboardId, name: z.string(), rev: z.int(), widgets: z.int() }),
  ...truthLabel.omit({ watermark: true, rows_read: true }).shape,
})
const tileLine = z.object({ widget: tileWidget, data: tileData, cache_hit: z.boolean() })
/** Not the key `error`, by which clients know that a stream broke off. */
const failedLine = z.object({ widget: tileWidget, failed: failure })
const endLine = z.object({ end: z.object({ answered: z.int(), failed: z.int() }), ...truthLabel.shape })
const brokenLine = z.object({ error: z.string(), code: z.literal('STREAM_ERROR') })

export const dashboardLine = z.union([headLine, tileLine, failedLine, endLine, brokenLine])
export type DashboardLine = z.output<typeof dashboardLine>
