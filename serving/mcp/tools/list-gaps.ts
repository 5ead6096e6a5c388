/** list_gaps: what each gap of the working catalog costs, and what mending it would bring. */
import { z } from 'zod'
import { findSettings } from '../../../infra/catalog/settings.ts'
import { ServiceError } from '../../../schemas/errors.ts'
import { catalogId } from '../../../schemas/ids.ts'
import { principalOf } from '../../plugins/access.ts'
import { chooseCatalog } from '../../workspace/choose-catalog.ts'
import { gapReport } from '../../workspace/gap-report.ts'
import { pageOf } from '../page-of.ts'
import { asShare } from '../score-of.ts'
import { cursor, pageSize } from '../shapes.ts'
import { defineTool } from '../tool.ts'

export const listGaps = defineTool({
  name: 'list_gaps',
  title: 'List gaps',
  description:
    'Fields that cost the catalog points, dearest first, with products affected and what mending each brings.',
  category: 'scores',
  needs: null,
  input: z.strictObject({ catalog_id: catalogId.optional(), limit: pageSize, cursor: cursor.optional() }),
  output: z.object({
    catalog_id: z.string(),
    gaps: z.array(
      z.object({
        field: z.string(),
        products: z.int(),
        mean_gain: z.number(),
        become_feed_ready: z.int(),
        why: z.array(z.string()),
      }),
    ),
    next_cursor: z.string().nullable(),
  }),
  async run({ catalog_id, limit, cursor: after }, { bearer, ports, tell }) {
    const row = await chooseCatalog(ports.catalog, bearer, { id: catalog_id, brand: bearer.brand ?? undefined })
    tell({ brand: row.brandId, catalog: row.id })
    const settings = await ports.catalog.withTenant(principalOf(bearer), (tx) => findSettings(tx, bearer.workspace))
    if (!settings) throw new ServiceError('DATA_002', { field: 'catalog_id' })
    const scoring = { weights: settings.weights, required: await ports.requiredProfiles(row.brandId) }
    const report = await gapReport((work) => ports.catalog.withTenant(principalOf(bearer), work), {
      ...{ catalog: row.id, scoring, band: null, goal: 'points', fixes: 0 },
    })
    const { page, next } = pageOf(report.fields, after, limit)
    return {
      catalog_id: row.id,
      gaps: page.map(({ field, products, points, becomeFeedReady, rules }) => ({
        ...{ field, products, mean_gain: asShare(points / 100), become_feed_ready: becomeFeedReady },
        why: rules.map(({ why }) => why),
      })),
      next_cursor: next,
    }
  },
})
