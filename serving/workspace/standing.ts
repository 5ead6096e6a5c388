/** Where a set of products stands, as answers say it. */
import { z } from 'zod'

export const inBands = z.object({ excellent: z.int(), good: z.int(), warning: z.int(), poor: z.int() })

export const standing = z.object({
  products: z.int(),
  avgScore: z.number(),
  scoreDistribution: inBands,
  feedReady: z.int(),
})
