/** What questions about searches and recommendations have in common: of which time, channel and agent, and how many of each. */
import { z } from 'zod'
import type { AskedAnalytics } from '../../infra/events/analytics-scope.ts'
import { catalogId } from '../../schemas/ids.ts'
import { timeZone } from '../../schemas/time-zone.ts'
import { wholeNumber } from '../whole-number.ts'

/** As events have it in their metadata. */
export const saidText = z.string().max(1_000)

export const analyticsQuery = z.strictObject({
  brand_id: z.string().optional(),
  catalog_id: catalogId.optional(),
  time_window_days: wholeNumber(1, 365).default(30),
  time_zone: timeZone.optional(),
  channel: saidText.optional(),
  agent: saidText.optional(),
  limit: wholeNumber(1, 100).default(20),
  fresh: z.enum(['true', 'false', '1', '0']).optional(),
})

export const askedFrom = (query: z.output<typeof analyticsQuery>): AskedAnalytics => ({
  days: query.time_window_days,
  zone: query.time_zone ?? null,
  channel: query.channel ?? null,
  agent: query.agent ?? null,
  limit: query.limit,
})

export const isFresh = ({ fresh }: Pick<z.output<typeof analyticsQuery>, 'fresh'>) => fresh === 'true' || fresh === '1'

export const analyticsSays = [
  'Of the brand that `X-Active-Brand` or `brand_id` names (without either, the catalog’s, else `main`), narrowed by `catalog_id` or `X-Active-Catalog` to a catalog: events that name none are of the default catalog. In so many days of UTC, or of `time_zone`, today among them.',
  '`channel` and `agent` narrow it to those of `channels`; an empty one to those that are not known.',
  'All of an answer is of one `snapshot` of the events. Answers are given again for an hour; `fresh=true` asks anew where events came since.',
].join(' ')
