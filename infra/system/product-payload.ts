/** A product as an event tells it: as the API answers it, and null where it is not there. */
import type { Pool } from 'pg'
import { requiredBits } from '../../schemas/feeds/required-bits.ts'
import { toResource } from '../../serving/workspace/product-resource.ts'
import { platformsOf } from '../catalog/brands.ts'
import { findProduct } from '../catalog/product-queries.ts'
import { findSettings } from '../catalog/settings.ts'

export async function productPayload(pool: Pool, workspace: string, product: string) {
  const [row, settings] = await Promise.all([findProduct(pool, product), findSettings(pool, workspace)])
  if (!row || !settings) return null
  const weights = { weights: settings.weights, number: settings.weightsNumber }
  return toResource(row, weights, requiredBits(await platformsOf(pool, row.brandId)))
}
