/** How true an answer about events is, as it is told beside it. */
import { z } from 'zod'

export const truth = z.object({
  /** The first moment that it is about. */
  from: z.iso.datetime(),
  generated_at: z.iso.datetime(),
  cache_hit: z.boolean(),
  /** When the newest event of the brand happened; null where it has none. */
  watermark: z.iso.datetime().nullable(),
  /** Seconds since the oldest event was taken that is not counted yet, of whatever workspace; 0: all are counted. */
  lag: z.int(),
  /** Names how far the store had come: the same text, the same events. */
  snapshot: z.string(),
  rows_read: z.int(),
})
