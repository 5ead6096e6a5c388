/** GET, PUT and PATCH …/brands/{brandId}/ai-specs (endpoint 6): what AI writes by for a brand. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { type BrandSpecRow, findBrandSpec, saveBrandSpec } from '../../infra/catalog/brand-specs.ts'
import { type BrandRow, findBrand, lockBrand } from '../../infra/catalog/brands.ts'
import type { Catalog } from '../../infra/catalog/postgres.ts'
import { type AiSpec, aiSpec, contradiction, noAiSpec } from '../../schemas/brand.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { brandId, workspaceId } from '../../schemas/ids.ts'
import { bearerOf, principalOf } from '../plugins/access.ts'
import { exampleIds } from './examples.ts'
import { recordChange } from './record-change.ts'

const tags = ['Brands']

/** A text that nobody set is left out; lists are empty and the tier is null. */
const resource = aiSpec.extend({
  /** A brand has one specification, under the brand's own id. */
  id: brandId,
  brand_id: brandId,
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
})
const answer = z.object({ aiSpecs: resource })

/** Its own brand may be named, as in every write's body. */
const replacement = aiSpec.extend({ brand_id: brandId.optional() })
const change = z
  .strictObject(
    Object.fromEntries(
      Object.entries(aiSpec.shape).map(([name, type]) => [name, unwrapped(type).nullable().optional()]),
    ) as { [K in keyof AiSpec]: z.ZodOptional<z.ZodNullable<z.ZodType<NonNullable<AiSpec[K]>>>> },
  )
  .extend({ brand_id: brandId.optional() })

/** A default would be set by a change that does not name the field. */
function unwrapped(type: z.ZodType): z.ZodType {
  return type instanceof z.ZodDefault || type instanceof z.ZodOptional || type instanceof z.ZodNullable
    ? unwrapped(type.unwrap() as z.ZodType)
    : type
}

const exampleSpec = {
  id: exampleIds.brandId,
  brand_id: exampleIds.brandId,
  tone_of_voice: 'Warm and plain; no superlatives.',
  target_audience: 'People who cook every day.',
  keywords_always: ['enamel'],
  keywords_never: ['cheap'],
  visual_style: 'daylight, wood, linen',
  color_palette: ['#1f2a44', '#fff'],
  default_ai_tier: 'balanced',
  created_at: '2026-03-01T09:00:00.000Z',
  updated_at: '2026-03-02T10:30:00.000Z',
} as const

const toResource = (brand: BrandRow, row: BrandSpecRow | null) => ({
  ...noAiSpec,
  ...row?.spec,
  id: brand.id,
  brand_id: brand.id,
  created_at: (row?.createdAt ?? brand.createdAt).toISOString(),
  updated_at: (row?.updatedAt ?? brand.createdAt).toISOString(),
})

const notFound = () => new ServiceError('NOT_FOUND', { message: 'Brand not found', field: 'brandId' })

export const aiSpecs: FastifyPluginAsyncZod<{ catalog: Pick<Catalog, 'withTenant'> }> = async (app, { catalog }) => {
  const params = z.object({ workspaceId, brandId })
  const url = '/brands/:brandId/ai-specs'

  app.get(
    url,
    {
      config: { action: 'settings:read' },
      schema: {
        summary: 'Read what AI writes by for a brand',
        description:
          'A brand that never had a specification answers with the defaults: no texts, empty lists, no tier.',
        tags,
        errors: ['NOT_FOUND'],
        examples: { answer: { aiSpecs: exampleSpec } },
        params,
        response: { 200: answer },
      },
    },
    async (request) =>
      catalog.withTenant(principalOf(bearerOf(request)), async (tx) => {
        const brand = await findBrand(tx, request.params.brandId)
        if (!brand) throw notFound()
        return { aiSpecs: toResource(brand, await findBrandSpec(tx, brand.id)) }
      }),
  )

  const exampleBody = { tone_of_voice: exampleSpec.tone_of_voice, color_palette: exampleSpec.color_palette }

  app.put(
    url,
    {
      config: { action: 'settings:write' },
      schema: {
        summary: 'Replace what AI writes by for a brand',
        description: 'A field that is left out is unset.',
        tags,
        errors: ['NOT_FOUND'],
        examples: { body: exampleBody, answer: { aiSpecs: exampleSpec } },
        params,
        body: replacement,
        response: { 200: answer },
      },
    },
    async (request) => {
      const { brand_id: _named, ...spec } = request.body
      return save(request, () => spec)
    },
  )

  app.patch(
    url,
    {
      config: { action: 'settings:write' },
      schema: {
        summary: 'Change what AI writes by for a brand',
        description: 'A field that is null is unset; one that is left out stays. Lists are taken whole.',
        tags,
        errors: ['NOT_FOUND'],
        examples: { body: { default_ai_tier: 'high' }, answer: { aiSpecs: exampleSpec } },
        params,
        body: change,
        response: { 200: answer },
      },
    },
    async (request) => {
      const { brand_id: _named, ...changes } = request.body
      return save(request, (former) => {
        const named = Object.entries({ ...former, ...changes }).filter(([, value]) => value !== null)
        return aiSpec.parse(Object.fromEntries(named))
      })
    },
  )

  /** The brand is held meanwhile, so that of two changes at once neither is lost. */
  async function save(request: Parameters<typeof recordChange>[1], next: (former: AiSpec) => AiSpec) {
    const bearer = bearerOf(request)
    const { brandId: id } = request.params as { brandId: string }
    const named = (request.body as { brand_id?: string }).brand_id
    if (named !== undefined && named !== id)
      throw new ServiceError('INVALID_REQUEST', {
        message: 'brand_id names another brand than the path',
        field: 'brand_id',
      })
    return catalog.withTenant(principalOf(bearer), async (tx) => {
      const brand = await lockBrand(tx, id)
      if (!brand) throw notFound()
      const former = await findBrandSpec(tx, id)
      const spec = next({ ...noAiSpec, ...former?.spec })
      const both = contradiction(spec)
      if (both !== null)
        throw new ServiceError('INVALID_REQUEST', {
          message: `"${both}" cannot be both always and never used`,
          field: 'keywords_never',
        })
      const row = await saveBrandSpec(tx, { workspace: bearer.workspace, brand: id, spec })
      const entry = { target: id, brand: id, before: former?.spec ?? null, after: spec }
      await recordChange(tx, request, { action: 'brand.ai-specs.update', ...entry })
      return { aiSpecs: toResource(brand, row) }
    })
  }
}
