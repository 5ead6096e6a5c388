/** list_catalogs: the catalogs that the caller may see. */
import { z } from 'zod'
import { listCatalogs as catalogPage } from '../../../infra/catalog/tenants.ts'
import { nextCursor, readCursor } from '../../cursor.ts'
import { principalOf } from '../../plugins/access.ts'
import { cursor, pageSize } from '../shapes.ts'
import { defineTool } from '../tool.ts'

export const listCatalogs = defineTool({
  name: 'list_catalogs',
  title: 'List catalogs',
  description: 'Catalogs with their brand and published version (0: never published).',
  category: 'catalog',
  needs: null,
  input: z.strictObject({ limit: pageSize, cursor: cursor.optional() }),
  output: z.object({
    catalogs: z.array(
      z.object({
        catalog_id: z.string(),
        name: z.string(),
        brand_id: z.string(),
        is_default: z.boolean(),
        published_version: z.int(),
      }),
    ),
    next_cursor: z.string().nullable(),
  }),
  async run({ limit, cursor: after }, { bearer, ports }) {
    const from = readCursor(after)
    const rows = await ports.catalog.withTenant(principalOf(bearer), (tx) => catalogPage(tx, from, limit + 1))
    return {
      catalogs: rows.slice(0, limit).map(({ id, name, brandId, isDefault, publishedVersion }) => ({
        ...{ catalog_id: id, name, brand_id: brandId, is_default: isDefault, published_version: publishedVersion },
      })),
      next_cursor: nextCursor(rows, limit),
    }
  },
})
