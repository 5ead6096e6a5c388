/** A product's score as the tool channel tells it: 0 to 1, to two decimals. */

import type { ScoredProduct } from '../../infra/catalog/named-products.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { bandOf, feedReadyFrom, score, type Weights } from '../../schemas/score.ts'
import { rubricVersion } from '../../transforms/gold/rubric.ts'

/** @param points 0 to 100 */
export const asShare = (points: number): number => points / 100

/** What can be graded. @throws DATA_004 for a parent, and for what was not refined yet */
export function requireGraded(row: Pick<ScoredProduct, 'kind' | 'settings' | 'sub'>): readonly number[] {
  const says =
    row.kind === 'parent'
      ? 'A parent has no score; its variants have'
      : row.settings === 0
        ? 'Product not in Silver stage — run Silver first'
        : row.sub === null
          ? 'The product was not graded yet; run Gold first'
          : null
  if (says !== null || row.sub === null)
    throw new ServiceError('DATA_004', { message: says ?? '', field: 'product_id' })
  return row.sub
}

export function scoreOf(row: ScoredProduct, weights: Weights, required: number) {
  const points = score(requireGraded(row), weights)
  // What an older rubric said of platforms may be wrong by now.
  const valid = row.rubric === rubricVersion ? (row.valid ?? 0) : 0
  return {
    product_id: row.id,
    sku: row.sku,
    score: asShare(points),
    band: bandOf(points),
    feed_ready: points >= feedReadyFrom && required !== 0 && (valid & required) === required,
  }
}
