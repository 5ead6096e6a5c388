/** GET …/catalogs/{catalogId}/gaps: what each gap of a catalog costs, and which fields to mend first. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Catalog } from '../../infra/catalog/postgres.ts'
import { findSettings } from '../../infra/catalog/settings.ts'
import { findCatalog } from '../../infra/catalog/tenants.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { brandId, catalogId, workspaceId } from '../../schemas/ids.ts'
import { bands } from '../../schemas/score.ts'
import { fixGoals } from '../../transforms/gold/cheapest-fixes.ts'
import type { Effect } from '../../transforms/gold/effect.ts'
import { gapFields } from '../../transforms/gold/gains.ts'
import { rubricVersion } from '../../transforms/gold/rubric.ts'
import { bearerOf, principalOf } from '../plugins/access.ts'
import { wholeNumber } from '../whole-number.ts'
import { gapReport } from './gap-report.ts'
import { exampleGaps } from './score-examples.ts'
import { standing } from './standing.ts'

export interface CatalogGapPorts {
  readonly catalog: Pick<Catalog, 'withTenant'>
  /** Bits of the platforms that a brand's feed-ready products must pass. */
  readonly requiredProfiles: (brand: string) => Promise<number>
}

const effect = {
  /** That lack something of it: points, or a platform's leave. */
  products: z.int(),
  /** Of 100, that each of them would gain on average if it were met and nothing else changed. */
  points: z.number(),
  changeBand: z.int(),
  becomeFeedReady: z.int(),
}

const gaps = z.object({
  weightsNumber: z.int(),
  rubricVersion: z.int(),
  now: standing,
  /** Scored under another rubric: counted nowhere else, until they are graded anew. */
  outdated: z.int(),
  /** Dearest for the catalog first. */
  fields: z.array(
    z.object({
      field: z.string(),
      ...effect,
      rules: z.array(z.object({ rule: z.string(), dimension: z.string(), why: z.string(), ...effect })),
    }),
  ),
  /** Each with all before it: its figures are what it adds to them, `after` is where the catalog would stand. */
  fixes: z.array(z.object({ field: z.string(), ...effect, after: standing })),
  /** Products that the fixes and their figures are of. */
  fixesOf: z.int(),
})

const wire = ({ products, points, changeBand, becomeFeedReady }: Effect) => ({
  products,
  points: points / 100,
  changeBand,
  becomeFeedReady,
})

export const catalogGaps: FastifyPluginAsyncZod<CatalogGapPorts> = async (app, { catalog, requiredProfiles }) => {
  app.get(
    '/catalogs/:catalogId/gaps',
    {
      config: { action: 'products:read' },
      schema: {
        summary: 'Price the gaps of a catalog',
        description:
          'For each field and rule: how many products lack it, what meeting it would bring them on average, and how many would come into a better band or become feed-ready. ' +
          '`fixes` are fields in the order in which mending them brings most, each chosen by what it adds to those before it: by points, or with `by` by products that become feed-ready or come into a better band. ' +
          'Met means: the rules of the field attain all their points and no other rule moves. Where a catalog has more kinds of products than are held at once, the fixes are of the commonest ones, `fixesOf` of the products in `now`.',
        tags: ['Catalogs'],
        errors: ['CATALOG_NOT_FOUND'],
        examples: { query: { band: 'warning', by: 'feed_ready', fixes: 3 }, answer: { gaps: exampleGaps } },
        params: z.object({ workspaceId, catalogId }),
        querystring: z.object({
          brand_id: brandId.optional(),
          /** Only products that are in it now. */
          band: z.enum(bands).optional(),
          by: z.enum(fixGoals).default('points'),
          fixes: wholeNumber(0, 100).default(gapFields.length),
        }),
        response: { 200: z.object({ gaps }) },
      },
    },
    async (request) => {
      const bearer = bearerOf(request)
      const { band, by: goal, fixes } = request.query
      const id = request.params.catalogId
      const { row, settings } = await catalog.withTenant(principalOf(bearer), async (tx) => ({
        row: await findCatalog(tx, id),
        settings: await findSettings(tx, bearer.workspace),
      }))
      if (!row || !settings) throw new ServiceError('CATALOG_NOT_FOUND', { field: 'catalogId' })
      const { weights, weightsNumber } = settings
      const scoring = { weights, required: await requiredProfiles(row.brandId) }
      const report = await gapReport((work) => catalog.withTenant(principalOf(bearer), work), {
        ...{ catalog: id, scoring, band: band ?? null, goal, fixes },
      })
      return {
        gaps: {
          weightsNumber,
          rubricVersion,
          now: report.now,
          outdated: report.outdated,
          fields: report.fields.map(({ field, rules, ...cost }) => ({
            field,
            ...wire(cost),
            rules: rules.map(({ rule, dimension, why, ...own }) => ({ rule, dimension, why, ...wire(own) })),
          })),
          fixes: report.fixes.map(({ field, after, ...adds }) => ({ field, ...wire(adds), after })),
          fixesOf: report.chosenBy,
        },
      }
    },
  )
}
