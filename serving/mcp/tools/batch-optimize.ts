/** batch_optimize: the same for up to fifty products; what fails of them stops none of the others. */
import { z } from 'zod'
import { wholeProducts } from '../../../infra/catalog/named-products.ts'
import { platformsNamed, writer } from '../optimize.ts'
import { noProduct, productNamed, productsNamed } from '../product-named.ts'
import { productRef } from '../shapes.ts'
import { defineTool } from '../tool.ts'
import { failureOf } from '../tool-failure.ts'

const most = 50

export const batchOptimize = defineTool({
  name: 'batch_optimize',
  title: 'Optimize products',
  description: `optimize_product for up to ${most} products.`,
  category: 'writing',
  needs: 'products:write',
  input: z.strictObject({
    product_ids: z.array(productRef).min(1).max(most),
    target_platform: z.string().max(50).optional(),
    apply: z.boolean().default(false),
  }),
  output: z.object({ results: z.array(z.looseObject({ product_id: z.string(), status: z.string() })) }),
  async run({ product_ids, target_platform, apply }, context) {
    const { ports, bearer } = context
    const optimize = writer({ platforms: platformsNamed(target_platform), apply }, context)
    const names = [...new Set(product_ids)]
    // What is written changes others, as a parent its variants: then each is read when its turn comes.
    const found = apply ? null : await productsNamed(wholeProducts, ports, bearer, names)
    const results: { product_id: string; status: string; [more: string]: unknown }[] = []
    for (const product_id of names) {
      // What is in force stays in force: the caller is told of nothing, and a repeat tells all.
      context.signal.throwIfAborted()
      try {
        const row =
          found === null ? await productNamed(wholeProducts, ports, bearer, product_id) : found.get(product_id)
        if (!row) throw noProduct(product_id)
        results.push({ ...(await optimize(row)), status: 'success' })
      } catch (error) {
        const failure = failureOf(error, () => false)
        if (!failure) throw error
        results.push({ product_id, status: 'error', code: failure.code, message: failure.message })
      }
      await context.progress(results.length, names.length)
    }
    context.tell({ products: results.flatMap(({ product_id, status }) => (status === 'success' ? product_id : [])) })
    return { results }
  },
})
