/** A question about events, and its answer, as the contract has them. */
import { z } from 'zod'
import { eventType, numberFields } from './event.ts'

export const metadataGroup = /^metadata\.([a-z_][a-z0-9_]{0,62})$/

const groups = ['none', 'event_type', 'session', 'day', 'hour', 'product_id'] as const
/** Texts: they have nothing to sum. */
export const idFields = ['session_id', 'product_id', 'agent_id', 'customer_id'] as const

export const aggregationParams = z
  .strictObject({
    event_types: z.array(eventType).max(50).nullable().describe('null or none: all events'),
    group_by: z
      .union([z.enum(groups), z.string().regex(metadataGroup)])
      .describe('`metadata.<key>` groups by what callers say of their events'),
    aggregation: z.enum(['count', 'count_distinct', 'sum', 'avg']).describe('count_distinct counts sessions'),
    value_field: z.enum([...numberFields, ...idFields]).optional(),
    time_window_days: z.int().min(1).max(365).describe('Days of UTC, today being one of them'),
    limit: z.int().min(1).max(1000).default(100),
  })
  .refine(({ aggregation, value_field }) => value_field !== undefined || !/^(sum|avg)$/.test(aggregation), {
    error: 'is needed to sum or to average',
    path: ['value_field'],
  })
export type AggregationParams = z.output<typeof aggregationParams>

/** The key of `metadata.<key>`; null for another group. */
export const metadataKeyOf = (group: string): string | null => metadataGroup.exec(group)?.[1] ?? null

export const aggregationResult = z.object({
  rows: z.array(z.object({ key: z.string().nullable(), value: z.number(), secondary: z.number().optional() })),
  generated_at: z.iso.datetime(),
  cache_hit: z.boolean(),
  /** When the newest event happened that the answer could count; null where the brand has none. */
  watermark: z.iso.datetime().nullable(),
  /** Events that were taken and are not counted yet. */
  lag: z.int(),
  /** Names how far the store had come: the same text, the same events. */
  snapshot: z.string(),
  rows_read: z.int(),
})
