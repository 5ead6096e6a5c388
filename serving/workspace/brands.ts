/** Brands of a workspace: list, create with a default catalog, read, rename, remove. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import {
  type BrandRow,
  findBrand,
  hasCatalogs,
  listBrands,
  lockBrand,
  removeBrand,
  updateBrand,
} from '../../infra/catalog/brands.ts'
import type { Catalog } from '../../infra/catalog/postgres.ts'
import { isUniqueViolation } from '../../infra/catalog/sql-errors.ts'
import { insertBrand } from '../../infra/catalog/tenants.ts'
import { displayName } from '../../schemas/display-name.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { platformNames } from '../../schemas/feeds/profile.ts'
import { brandId, workspaceId } from '../../schemas/ids.ts'
import { requireAllBrands } from '../access/all-brands.ts'
import type { Forget } from '../access/forget.ts'
import { listQuery, nextCursor, readCursor } from '../cursor.ts'
import { bearerOf, principalOf } from '../plugins/access.ts'
import { exampleBrand } from './examples.ts'
import { recordChange } from './record-change.ts'

const tags = ['Brands']
const brandResource = z.object({
  id: brandId,
  name: z.string(),
  /** Those that a feed-ready product must be valid for; none: Google. */
  platforms: z.array(z.enum(platformNames)),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
})
const answer = z.object({ brand: brandResource })
const platforms = z
  .array(z.enum(platformNames))
  .max(platformNames.length)
  .refine((names) => new Set(names).size === names.length, 'a platform is named once')
const body = z.strictObject({ name: displayName, platforms: platforms.optional() })
const brandChange = z.strictObject({ name: displayName.optional(), platforms: platforms.optional() })

const toResource = (row: BrandRow) => ({
  ...row,
  platforms: [...row.platforms],
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
})

/** What the audit log says of a brand. */
const said = ({ name, platforms }: BrandRow) => ({ name, platforms })

const notFound = () => new ServiceError('NOT_FOUND', { message: 'Brand not found', field: 'brandId' })

/** Of two at once the later is told by the index. */
function nameTaken(error: unknown): never {
  if (isUniqueViolation(error))
    throw new ServiceError('CONFLICT', { message: 'A brand of this name exists', field: 'name' })
  throw error
}

export const brands: FastifyPluginAsyncZod<{ catalog: Pick<Catalog, 'withTenant'>; forget: Forget }> = async (
  app,
  { catalog, forget },
) => {
  const params = z.object({ workspaceId })
  const one = params.extend({ brandId })

  app.get(
    '/brands',
    {
      config: { action: 'catalogs:read' },
      schema: {
        summary: "The caller's brands",
        examples: { query: { limit: 20 }, answer: { brands: [exampleBrand], next: null } },
        tags,
        params,
        querystring: listQuery,
        response: { 200: z.object({ brands: z.array(brandResource), next: z.string().nullable() }) },
      },
    },
    async (request) => {
      const { after, limit } = request.query
      const rows = await catalog.withTenant(principalOf(bearerOf(request)), (tx) =>
        listBrands(tx, readCursor(after), limit + 1),
      )
      return { brands: rows.slice(0, limit).map(toResource), next: nextCursor(rows, limit) }
    },
  )

  app.post(
    '/brands',
    {
      config: { action: 'brands:write' },
      schema: {
        summary: 'Makes a brand with its default catalog',
        examples: { body: { name: 'Rheingold Home' }, answer: { brand: exampleBrand } },
        tags,
        params,
        body,
        response: { 201: answer },
        errors: ['CONFLICT'],
      },
    },
    async (request, reply) => {
      const bearer = bearerOf(request)
      requireAllBrands(bearer)
      const made = { workspace: bearer.workspace, ...request.body, by: bearer.subject }
      const brand = await catalog
        .withTenant(principalOf(bearer), async (tx) => {
          const row = await insertBrand(tx, made)
          const after = said(row)
          await recordChange(tx, request, {
            action: 'brand.create',
            target: row.id,
            brand: row.id,
            before: null,
            after,
          })
          return row
        })
        .catch(nameTaken)
      return reply.code(201).send({ brand: toResource(brand) })
    },
  )

  app.get(
    '/brands/:brandId',
    {
      config: { action: 'catalogs:read' },
      schema: {
        summary: 'Reads a brand',
        examples: { answer: { brand: exampleBrand } },
        tags,
        params: one,
        response: { 200: answer },
      },
    },
    async (request) => {
      const id = request.params.brandId
      const row = await catalog.withTenant(principalOf(bearerOf(request)), (tx) => findBrand(tx, id))
      if (!row) throw notFound()
      return { brand: toResource(row) }
    },
  )

  app.patch(
    '/brands/:brandId',
    {
      config: { action: 'brands:write' },
      schema: {
        summary: 'Changes a brand',
        description:
          'What is left out stays. `platforms` are those that a product must be valid for to be feed-ready; an empty list means Google.',
        examples: { body: { platforms: ['google', 'meta'] }, answer: { brand: exampleBrand } },
        tags,
        params: one,
        body: brandChange,
        response: { 200: answer },
        errors: ['CONFLICT'],
      },
    },
    async (request) => {
      const { name, platforms } = request.body
      const id = request.params.brandId
      const brand = await catalog
        .withTenant(principalOf(bearerOf(request)), async (tx) => {
          const found = await lockBrand(tx, id)
          if (!found) throw notFound()
          const renamed = name !== undefined && name !== found.name
          if (renamed && found.name === 'main')
            throw new ServiceError('CONFLICT', { message: 'The brand main keeps its name' })
          if (!renamed && platforms === undefined) return found
          const row = await updateBrand(tx, id, { name, platforms })
          if (!row) throw notFound()
          const change = { before: said(found), after: said(row) }
          await recordChange(tx, request, { action: 'brand.update', target: id, brand: id, ...change })
          return row
        })
        .catch(nameTaken)
      forget.brand(bearerOf(request).workspace, id)
      return { brand: toResource(brand) }
    },
  )

  app.delete(
    '/brands/:brandId',
    {
      config: { action: 'brands:write' },
      schema: {
        summary: 'Removes a brand without catalogs, and its keys',
        examples: { answer: { brandId: exampleBrand.id, deleted: true } },
        tags,
        params: one,
        response: { 200: z.object({ brandId, deleted: z.literal(true) }) },
        errors: ['CONFLICT'],
      },
    },
    async (request) => {
      const id = request.params.brandId
      const prefixes = await catalog.withTenant(principalOf(bearerOf(request)), async (tx) => {
        const found = await lockBrand(tx, id)
        if (!found) throw notFound()
        if (found.name === 'main') throw new ServiceError('CONFLICT', { message: 'Every workspace has the brand main' })
        if (await hasCatalogs(tx, id))
          throw new ServiceError('CONFLICT', { message: 'The brand has catalogs; delete them first' })
        const before = said(found)
        await recordChange(tx, request, { action: 'brand.delete', target: id, brand: id, before, after: null })
        return removeBrand(tx, id)
      })
      for (const prefix of prefixes) forget.key(prefix)
      forget.brand(bearerOf(request).workspace, id)
      return { brandId: id, deleted: true as const }
    },
  )
}
