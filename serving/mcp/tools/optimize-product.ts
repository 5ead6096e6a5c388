/** optimize_product: a better title and description for one product, as a preview or put in force. */
import { z } from 'zod'
import { wholeProducts } from '../../../infra/catalog/named-products.ts'
import { platformsNamed, writer } from '../optimize.ts'
import { productNamed } from '../product-named.ts'
import { productRef, share } from '../shapes.ts'
import { defineTool } from '../tool.ts'

const texts = z.object({ title: z.string().nullable(), description: z.string().nullable() })

const optimizedProduct = z.object({
  product_id: z.string(),
  original: texts,
  optimized: texts,
  score_before: share,
  score_after: share,
  applied: z.boolean(),
})

export const optimizeProduct = defineTool({
  name: 'optimize_product',
  title: 'Optimize a product',
  description:
    'Writes title and description from what the product says of itself, by id or SKU. A preview unless `apply` is true.',
  category: 'writing',
  needs: 'products:write',
  input: z.strictObject({
    product_id: productRef,
    target_platform: z.string().max(50).optional().describe('google, meta or openai; default all'),
    apply: z.boolean().default(false),
  }),
  output: optimizedProduct,
  async run({ product_id, target_platform, apply }, context) {
    const optimize = writer({ platforms: platformsNamed(target_platform), apply }, context)
    const row = await productNamed(wholeProducts, context.ports, context.bearer, product_id)
    context.tell({ product: row.id })
    return optimize(row)
  },
})
