/** GET …/catalogs/{id}/family-problems: families that platforms would not take as they are, by what their variants say together. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { seeFamilies, suspectFamilies } from '../../infra/catalog/family-problem-queries.ts'
import type { Catalog } from '../../infra/catalog/postgres.ts'
import { findCatalog } from '../../infra/catalog/tenants.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { familyCodes } from '../../schemas/feeds/family-asks.ts'
import { platformNames } from '../../schemas/feeds/profile.ts'
import { catalogId, productId, workspaceId } from '../../schemas/ids.ts'
import { familyProblems as problemsIn } from '../../transforms/gold/family-problems.ts'
import { optionNames } from '../../transforms/silver/variants.ts'
import { listQuery, nextCursor, readCursor } from '../cursor.ts'
import { bearerOf, principalOf } from '../plugins/access.ts'
import { exampleIds } from './examples.ts'

const problem = z.object({
  code: z.enum(familyCodes),
  /** Those that ask it. */
  platforms: z.array(z.enum(platformNames)),
  says: z.string(),
  /** How many variants it is about. */
  variants: z.int(),
  /** The first of them. */
  examples: z.array(z.object({ productId, sku: z.string().nullable() })),
})

const family = z.object({
  /** Its parent's id, where it has one. */
  familyId: productId,
  itemGroupId: z.string().nullable(),
  variants: z.int(),
  problems: z.array(problem),
})

export const familyProblems: FastifyPluginAsyncZod<{ catalog: Pick<Catalog, 'withTenant'> }> = async (
  app,
  { catalog },
) => {
  app.get(
    '/catalogs/:catalogId/family-problems',
    {
      config: { action: 'products:read', long: true },
      schema: {
        summary: 'List the families whose variants do not go together',
        description: [
          'Platforms ask of the variants of one group that all say the same attributes (`attributes_differ`), that no two have the same values (`variants_alike`), and that there are not too many (`too_many_variants`); `platforms` are those that ask it.',
          'Looked up in the working catalog at every read, so it holds after any import, edit or undo. It is no part of score or feed-readiness, which speak of a product by itself.',
          '`family_id` asks for one. A page may hold fewer families than `limit` with more to follow: `next` is null at the end.',
        ].join(' '),
        tags: ['Catalogs'],
        errors: ['CATALOG_NOT_FOUND'],
        examples: { query: { limit: 20 }, answer: { families: [example], next: null } },
        params: z.object({ workspaceId, catalogId }),
        querystring: listQuery.extend({ family_id: productId.optional() }),
        response: { 200: z.object({ families: z.array(family), next: z.string().nullable() }) },
      },
    },
    async (request) => {
      const { after, limit, family_id: only = null } = request.query
      const asked = { after: readCursor(after), only, optionNames }
      return catalog.withTenant(principalOf(bearerOf(request)), async (tx) => {
        const found = await findCatalog(tx, request.params.catalogId)
        if (!found) throw new ServiceError('CATALOG_NOT_FOUND', { field: 'catalogId' })
        const suspects = await suspectFamilies(tx, found.id, asked, limit + 1)
        const ids = suspects.slice(0, limit).map(({ id }) => id)
        const seen = await seeFamilies(tx, found.id, ids, asked)
        const families = seen.flatMap((one): z.infer<typeof family>[] => {
          const { familyId, itemGroupId, variants } = one
          const problems = problemsIn(one).map((told) => ({
            ...told,
            platforms: [...told.platforms],
            examples: [...told.examples],
          }))
          return problems.length === 0 ? [] : [{ familyId, itemGroupId, variants, problems }]
        })
        return { families, next: nextCursor(suspects, limit) }
      })
    },
  )
}

const example = {
  familyId: 'c1a9b7d5-2e4f-4c6a-8b0d-3f5e7a9c1b32',
  itemGroupId: 'tee',
  variants: 5,
  problems: [
    {
      code: 'attributes_differ',
      platforms: ['google', 'meta', 'openai'],
      says: 'Variants of one group must say the same attributes: 1 of 5 have no size; fill them, or leave them out of all',
      variants: 1,
      examples: [{ productId: exampleIds.productId, sku: 'T-M-R' }],
    },
  ],
}
