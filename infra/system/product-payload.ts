/** A product as an event tells it: as the API answers it, and null where it is not there. */
import type { Pool } from 'pg'
import { profileFor } from '../../schemas/feeds/registry.ts'
import { toResource } from '../../serving/workspace/product-resource.ts'
import { findProduct } from '../catalog/product-queries.ts'
import { findSettings } from '../catalog/settings.ts'

/** Platforms that a feed-ready product must be valid for where none is configured for the brand. */
const required = profileFor('google')?.bit ?? 0

export async function productPayload(pool: Pool, workspace: string, product: string) {
  const [row, settings] = await Promise.all([findProduct(pool, product), findSettings(pool, workspace)])
  return row && settings
    ? toResource(row, { weights: settings.weights, number: settings.weightsNumber }, required)
    : null
}
