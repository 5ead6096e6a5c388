/** A question about events, and its answer, as the contract has them; what is beyond the contract changes nothing unless it is asked for. */
import { z } from 'zod'
import { eventType, numberFields } from './event.ts'
import { eventFilters, metadataField } from './event-filter.ts'
import { timeZone } from './time-zone.ts'

const groups = ['none', 'event_type', 'session', 'day', 'hour', 'product_id'] as const
const groupSays = `is one of ${groups.join(', ')}, or metadata.<key>, whose key is small letters, digits and _`
/** Texts: they have nothing to sum. */
export const idFields = ['session_id', 'product_id', 'agent_id', 'customer_id'] as const

export const aggregationParams = z
  .strictObject({
    event_types: z.array(eventType).max(50).nullable().describe('null or none: all events'),
    group_by: z
      .union([z.enum(groups), z.string().regex(metadataField, groupSays)], {
        error: ({ input }) => (input === undefined ? `is missing; it ${groupSays}` : groupSays),
      })
      .describe('`metadata.<key>` groups by what callers say of their events'),
    aggregation: z.enum(['count', 'count_distinct', 'sum', 'avg']).describe('count_distinct counts sessions'),
    value_field: z.enum([...numberFields, ...idFields]).optional(),
    time_window_days: z.int().min(1).max(365).describe('Days of UTC, or of `time_zone`, today being one of them'),
    limit: z.int().min(1).max(1000).default(100),
    filters: eventFilters.optional().describe('Conditions that all hold for each event that is counted'),
    time_zone: timeZone
      .optional()
      .describe(
        'Days and hours are those of this zone; an hour is named with its offset, like 2026-10-25T02:00:00+02:00',
      ),
    compare: z
      .literal('previous_period')
      .optional()
      .describe(
        'Beside each value the same of as many days before, which end as far into their last day as now is into today',
      ),
    step: z
      .literal('fill')
      .optional()
      .describe(
        'Days and hours without events are told too: 0 of a count or sum; of an average none, for it is nothing',
      ),
  })
  .refine(({ aggregation, value_field }) => value_field !== undefined || !/^(sum|avg)$/.test(aggregation), {
    error: 'is needed to sum or to average',
    path: ['value_field'],
  })
  .refine(({ step, group_by }) => step === undefined || isTimeGroup(group_by), {
    error: 'fills days and hours: group by one of them',
    path: ['step'],
  })

/** Counts have no value: whatever is said of one is ignored, as the contract has it, and the answer that is kept is the same. */
export function withoutIgnored(asked: unknown): unknown {
  if (typeof asked !== 'object' || asked === null || !('aggregation' in asked)) return asked
  if (asked.aggregation !== 'count' && asked.aggregation !== 'count_distinct') return asked
  return Object.fromEntries(Object.entries(asked).filter(([name]) => name !== 'value_field'))
}

/** As it is asked; what is kept, as in a widget, is told as it was read. */
export const askedAggregation = z.preprocess(withoutIgnored, aggregationParams)
export type AggregationParams = z.output<typeof aggregationParams>

export const isTimeGroup = (group: string): group is 'day' | 'hour' => group === 'day' || group === 'hour'

export const aggregationResult = z.object({
  rows: z.array(
    z.object({
      key: z.string().nullable(),
      value: z.number(),
      secondary: z.number().optional(),
      /** With `compare`; null where there was nothing to average. */
      previous: z.number().nullable().optional(),
      /** By what share of `previous`; null where that is 0 or nothing. */
      change: z.number().nullable().optional(),
    }),
  ),
  generated_at: z.iso.datetime(),
  cache_hit: z.boolean(),
  /** When the newest event happened that the answer could count; null where the brand has none. */
  watermark: z.iso.datetime().nullable(),
  /** Seconds since the oldest event was taken that is not counted yet, of whatever workspace; 0: all are counted. */
  lag: z.int(),
  /** Names how far the store had come: the same text, the same events. */
  snapshot: z.string(),
  rows_read: z.int(),
  /** With `compare`: when what is told as `previous` began and ended. */
  compared_with: z.object({ from: z.iso.datetime(), to: z.iso.datetime() }).optional(),
})
