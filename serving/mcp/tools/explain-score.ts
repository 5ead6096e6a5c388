/** explain_score: why a product has its score, rule by rule, of those that cost points. */
import { z } from 'zod'
import { wholeProducts } from '../../../infra/catalog/named-products.ts'
import { findSettings } from '../../../infra/catalog/settings.ts'
import { ServiceError } from '../../../schemas/errors.ts'
import { principalOf } from '../../plugins/access.ts'
import { explanationOf } from '../../workspace/explanation.ts'
import { revisionOf } from '../../workspace/present-products.ts'
import { productNamed } from '../product-named.ts'
import { asShare } from '../score-of.ts'
import { productRef, share } from '../shapes.ts'
import { defineTool } from '../tool.ts'

export const explainScore = defineTool({
  name: 'explain_score',
  title: 'Explain a score',
  description: 'Why a product scores as it does: dimensions, rules that cost points, and what platforms refuse it for.',
  category: 'scores',
  needs: null,
  input: z.strictObject({ product_id: productRef }),
  output: z.object({
    product_id: z.string(),
    state: z.string(),
    score: share.nullable(),
    dimensions: z.array(z.object({ dimension: z.string(), score: share, weight: share })),
    lost: z.array(z.object({ rule: z.string(), field: z.string(), points: share, why: z.string() })),
    platforms: z.array(z.object({ platform: z.string(), valid: z.boolean(), problems: z.array(z.unknown()) })),
  }),
  async run({ product_id }, { bearer, ports, tell }) {
    const row = await productNamed(wholeProducts, ports, bearer, product_id)
    tell({ brand: row.brandId, catalog: row.catalogId, product: row.id })
    const [settings, said, required] = await Promise.all([
      ports.catalog.withTenant(principalOf(bearer), (tx) => findSettings(tx, bearer.workspace)),
      ports.provenance({ workspace: row.workspaceId, catalog: row.catalogId }, row.id),
      ports.requiredProfiles(row.brandId),
    ])
    if (!settings || !said) throw new ServiceError('DATA_001', { field: 'product_id' })
    const { epoch, rev } = revisionOf(row)
    const told = explanationOf({ row, settings, required, said, revision: { epoch, offset: rev } })
    return {
      product_id: row.id,
      state: told.says,
      score: told.score === null ? null : asShare(told.score),
      dimensions: told.dimensions.map(({ dimension, score, weight }) => ({
        ...{ dimension, score: asShare(Math.round(score)), weight: asShare(Math.round(weight * 100) / 100) },
      })),
      lost: told.rules
        .filter(({ lost }) => lost > 0)
        .sort((a, b) => b.lost - a.lost)
        .map(({ rule, field, lost, why }) => ({ rule, field, points: asShare(lost), why })),
      platforms: told.platforms.map(({ platform, valid, problems }) => ({ platform, valid, problems })),
    }
  },
})
