/** compare_scores: several products of the working catalog side by side. */
import { z } from 'zod'
import { scoredProducts } from '../../../infra/catalog/named-products.ts'
import { noProduct, productsNamed } from '../product-named.ts'
import { scoreOf } from '../score-of.ts'
import { productRef, scored } from '../shapes.ts'
import { defineTool } from '../tool.ts'
import { failureOf } from '../tool-failure.ts'

const most = 200

export const compareScores = defineTool({
  name: 'compare_scores',
  title: 'Compare scores',
  description: 'Scores of several products, ordered. What has none is in `errors`.',
  category: 'scores',
  needs: null,
  input: z.strictObject({
    product_ids: z.array(productRef).min(1).max(most),
    sort_by: z.enum(['score_desc', 'score_asc']).default('score_desc'),
  }),
  output: z.object({
    products: z.array(scored.extend({ title: z.string().nullable() })),
    errors: z.array(z.object({ product_id: z.string(), code: z.string(), message: z.string() })),
  }),
  async run({ product_ids, sort_by }, { bearer, ports, tell }) {
    const names = [...new Set(product_ids)]
    const [{ weights }, found] = await Promise.all([
      ports.recentWeights(bearer.workspace),
      productsNamed(scoredProducts, ports, bearer, names),
    ])
    const products: (ReturnType<typeof scoreOf> & { title: string | null })[] = []
    const errors: { product_id: string; code: string; message: string }[] = []
    for (const named of names) {
      try {
        const row = found.get(named)
        if (!row) throw noProduct(named)
        tell({ brand: row.brandId, catalog: row.catalogId })
        const required = await ports.requiredProfiles(row.brandId)
        products.push({ ...scoreOf(row, weights, required), title: row.title })
      } catch (error) {
        const failure = failureOf(error, () => false)
        if (!failure) throw error
        errors.push({ product_id: named, code: failure.code, message: failure.message })
      }
    }
    tell({ products: products.map((one) => one.product_id) })
    const way = sort_by === 'score_asc' ? 1 : -1
    products.sort((a, b) => way * (a.score - b.score) || (a.product_id < b.product_id ? -1 : 1))
    return { products, errors }
  },
})
