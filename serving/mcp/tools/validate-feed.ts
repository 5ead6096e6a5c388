/** validate_feed: which products of the published catalog a platform would refuse, for what, and what would mend it. */
import { z } from 'zod'
import { catalogId } from '../../../schemas/ids.ts'
import { validationPage } from '../../feeds/validation-page.ts'
import { cursor, pageSize } from '../shapes.ts'
import { defineTool } from '../tool.ts'

export const validateFeed = defineTool({
  name: 'validate_feed',
  title: 'Validate a feed',
  description:
    'Published products that a platform would refuse, with field, rule and fix. Counts come with the first page.',
  category: 'feeds',
  needs: null,
  input: z.strictObject({
    platform: z.string().min(1).max(50),
    catalog_id: catalogId.optional(),
    limit: pageSize,
    cursor: cursor.optional(),
  }),
  output: z.object({
    platform: z.string(),
    catalog_id: z.string(),
    version: z.int(),
    counts: z.unknown(),
    products: z.array(z.looseObject({ product_id: z.string() })),
    next_cursor: z.string().nullable(),
  }),
  async run({ platform, catalog_id, limit, cursor: after }, { bearer, ports, tell }) {
    const page = await validationPage(ports, bearer, { platform, catalog: catalog_id, after, limit })
    tell({ catalog: page.catalogId })
    return {
      ...{ platform: page.platform, catalog_id: page.catalogId, version: page.version, counts: page.counts },
      products: page.products.map(({ productId, sku, title, problems }) => ({
        ...{ product_id: productId, sku, title },
        problems: problems.map(({ field, rule, reason, fix }) => ({ field, rule, reason, fix })),
      })),
      next_cursor: page.next,
    }
  },
})
