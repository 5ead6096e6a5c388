/** get_score: how good a product of the working catalog is, and what it lacks. */
import { z } from 'zod'
import { scoredProducts } from '../../../infra/catalog/named-products.ts'
import { gapsOf } from '../../../transforms/gold/gaps.ts'
import { productNamed } from '../product-named.ts'
import { scoreOf } from '../score-of.ts'
import { productRef, scored } from '../shapes.ts'
import { defineTool } from '../tool.ts'

export const getScore = defineTool({
  name: 'get_score',
  title: 'Get a score',
  description: 'Optimization score (0-1) of a product, by id or SKU, with its gaps, dearest first.',
  category: 'scores',
  needs: null,
  input: z.strictObject({ product_id: productRef }),
  output: scored.extend({ gaps: z.array(z.string()), missing_fields: z.array(z.string()) }),
  async run({ product_id }, { bearer, ports, tell }) {
    const row = await productNamed(scoredProducts, ports, bearer, product_id)
    tell({ brand: row.brandId, catalog: row.catalogId, product: row.id })
    const [{ weights }, required] = await Promise.all([
      ports.recentWeights(bearer.workspace),
      ports.requiredProfiles(row.brandId),
    ])
    const answer = scoreOf(row, weights, required)
    const { gaps, missing } = gapsOf(row.points ?? new Uint8Array(), weights)
    return { ...answer, gaps: gaps.map(({ field }) => field), missing_fields: missing }
  },
})
