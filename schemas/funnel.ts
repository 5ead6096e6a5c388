/** A funnel: steps that a session or a customer takes in this order within a window, and what came of each. */
import { z } from 'zod'
import { displayName } from './display-name.ts'
import { eventType } from './event.ts'
import { eventFilters, metadataField } from './event-filter.ts'
import { timeZone } from './time-zone.ts'

const step = z.strictObject({
  event_type: eventType,
  name: displayName.optional(),
  filters: eventFilters.optional().describe('Conditions that all hold for each event of the step'),
})

/** They travel to the store in an address. */
const mostCharacters = 8_192

export const funnelParams = z
  .strictObject({
    steps: z
      .array(step)
      .min(2)
      .max(8)
      .refine((all) => JSON.stringify(all).length <= mostCharacters, {
        error: `have at most ${mostCharacters} characters in all`,
      })
      .describe('In this order; what comes between them does not matter'),
    per: z.enum(['session', 'customer']).default('session'),
    within_minutes: z.int().min(1).max(43_200).default(1_440).describe('From the first step to the last'),
    break_down_by: z
      .union([z.literal('product_id'), z.string().regex(metadataField, 'is product_id or metadata.<key>')])
      .nullable()
      .default(null),
    attribution: z
      .enum(['first_step', 'every_step'])
      .default('first_step')
      .describe(
        'Broken down, everybody counts under what the first event of their first step says, so that groups add up to the whole; or with every_step only steps of one and the same value make a walk',
      ),
    time_window_days: z.int().min(1).max(365).describe('Days of UTC, or of `time_zone`, today being one of them'),
    time_zone: timeZone.optional(),
    limit: z.int().min(1).max(100).default(10).describe('Groups, those that most began first'),
  })
  .describe('A funnel')
export type FunnelParams = z.output<typeof funnelParams>

/** Rates are shares of 1; null where nobody came so far, since a share of nothing is not known. */
const reached = z.object({
  event_type: z.string(),
  name: z.string().nullable(),
  count: z.int(),
  /** Of those who took the first step. */
  conversion: z.number().nullable(),
  /** Of those who took the step before. */
  step_conversion: z.number().nullable(),
  /** Who took the step before and not this one. */
  dropped: z.int(),
})
const steps = z.array(reached)

export const funnelResult = z.object({
  steps,
  /** null where it is not broken down; the key is null where an event does not say it. */
  groups: z.array(z.object({ key: z.string().nullable(), steps })).nullable(),
})
export type FunnelResult = z.infer<typeof funnelResult>
