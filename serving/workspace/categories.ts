/** GET …/catalogs/{id}/categories: which categories the products have, and what Google's taxonomy has for those without one. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { findCategories } from '../../infra/catalog/category-queries.ts'
import type { Catalog } from '../../infra/catalog/postgres.ts'
import { findCatalog } from '../../infra/catalog/tenants.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { catalogId, workspaceId } from '../../schemas/ids.ts'
import type { CategorySuggestion } from '../../transforms/silver/suggest-category.ts'
import type { Taxonomy } from '../../transforms/silver/taxonomy.ts'
import { bearerOf, principalOf } from '../plugins/access.ts'

export interface CategoryPorts {
  readonly catalog: Pick<Catalog, 'withTenant'>
  /** null where the operator named no file of it. */
  readonly taxonomy: () =>
    | (Taxonomy & { suggest(path: readonly string[], atMost: number): readonly CategorySuggestion[] })
    | null
}

const place = z.object({ id: z.string(), path: z.array(z.string()) })
const category = z.object({
  /** As the products have it, from the root down. */
  path: z.array(z.string()),
  products: z.int(),
  google_product_category: z.string().nullable(),
  /** The map of the settings gave it. */
  mapped: z.boolean(),
  /** What Google calls that; null where it is none of the taxonomy, or there is no taxonomy to ask. */
  known_as: place.nullable(),
  suggestions: z.array(place.extend({ confidence: z.number() })),
})
const answer = z.object({
  categories: z.array(category),
  taxonomy: z.object({ versions: z.array(z.string()), categories: z.int() }).nullable(),
})

const suggestionsEach = 3

export const categories: FastifyPluginAsyncZod<CategoryPorts> = async (app, { catalog, taxonomy }) => {
  app.get(
    '/catalogs/:catalogId/categories',
    {
      config: { action: 'products:read', long: true },
      schema: {
        summary: "List a catalog's categories",
        description:
          "Each shop path with each Google category that its products have, most products first, at most 5,000. Where products have none, or one that Google's taxonomy does not have, up to three places of the taxonomy are suggested with a confidence from 0 to 1; nothing is applied before it stands in `category_map` of the pipeline settings. Without `ASSAY_TAXONOMY` there is nothing to suggest from, and what products say is taken by its form alone, a number or a path.",
        tags: ['Catalogs'],
        errors: ['CATALOG_NOT_FOUND'],
        examples: { answer: example },
        params: z.object({ workspaceId, catalogId }),
        response: { 200: answer },
      },
    },
    async (request) => {
      const rows = await catalog.withTenant(principalOf(bearerOf(request)), async (tx) => {
        const found = await findCatalog(tx, request.params.catalogId)
        if (!found) throw new ServiceError('CATALOG_NOT_FOUND', { field: 'catalogId' })
        return findCategories(tx, found.id)
      })
      const known = taxonomy()
      return {
        categories: rows.map(({ path, products, google, mapped }) => {
          const knownAs = google === null ? null : (known?.find(google) ?? null)
          return {
            path: [...path],
            products,
            google_product_category: google,
            mapped,
            known_as: knownAs && shown(knownAs),
            suggestions:
              knownAs !== null || known === null || path.length === 0
                ? []
                : known.suggest(path, suggestionsEach).map((one) => ({ ...shown(one), confidence: one.confidence })),
          }
        }),
        taxonomy: known && { versions: [...known.versions], categories: known.entries.length },
      }
    },
  )
}

const shown = ({ id, path }: { readonly id: string; readonly path: readonly string[] }) => ({ id, path: [...path] })

const example = {
  categories: [
    {
      path: ['Kitchen', 'Mugs'],
      products: 41,
      google_product_category: null,
      mapped: false,
      known_as: null,
      suggestions: [
        { id: '2169', path: ['Home & Garden', 'Kitchen & Dining', 'Tableware', 'Drinkware', 'Mugs'], confidence: 0.91 },
      ],
    },
  ],
  taxonomy: { versions: ['2021-09-21'], categories: 5_595 },
}
