/** demand_gaps: fields that agents asked for and products lack, by the demand that is lost. */
import { z } from 'zod'
import { catalogId } from '../../../schemas/ids.ts'
import { chooseCatalog } from '../../workspace/choose-catalog.ts'
import { demandAnswer } from '../../workspace/demand-answer.ts'
import { pageSize } from '../shapes.ts'
import { defineTool } from '../tool.ts'

export const demandGaps = defineTool({
  name: 'demand_gaps',
  title: 'Gaps by demand',
  description: 'Fields that agents searched, filtered or called for and products lack, most lost demand first.',
  category: 'events',
  needs: null,
  input: z.strictObject({
    catalog_id: catalogId.optional(),
    days: z.int().min(1).max(365).default(30),
    limit: pageSize,
  }),
  output: z.object({
    catalog_id: z.string(),
    gaps: z.array(z.looseObject({ field: z.string(), says: z.string(), lost: z.number() })),
    is_sample: z.boolean(),
    generated_at: z.string(),
  }),
  async run({ catalog_id, days, limit }, { bearer, ports, signal, tell }) {
    const row = await chooseCatalog(ports.catalog, bearer, { id: catalog_id, brand: bearer.brand ?? undefined })
    tell({ brand: row.brandId, catalog: row.id })
    const { gaps, isSample, generated_at } = await demandAnswer(ports, bearer, { row, days, limit }, signal)
    return {
      catalog_id: row.id,
      gaps: gaps.map(({ field, says, times, share, lost, fix }) => ({
        field,
        says,
        times,
        share,
        lost,
        fix: fix.says,
      })),
      ...{ is_sample: isSample, generated_at },
    }
  },
})
