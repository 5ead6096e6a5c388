/** Pieces that tools take and give. */
import { z } from 'zod'
import { bands } from '../../schemas/score.ts'

/** Of a product: its id or its SKU. */
export const productRef = z.string().min(1).max(200)
/** An opaque place in a list. */
export const cursor = z.string().max(400)
export const pageSize = z.int().min(1).max(100).default(20)
export const share = z.number().min(0).max(1)

export const scored = z.object({
  product_id: z.string(),
  sku: z.string().nullable(),
  score: share,
  band: z.enum(bands),
  feed_ready: z.boolean(),
})
