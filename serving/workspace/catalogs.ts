/** Catalogs of a workspace: list, create, read, change. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { brandNamed, holdBrand, lockBrand } from '../../infra/catalog/brands.ts'
import type { Catalog } from '../../infra/catalog/postgres.ts'
import { findSettings } from '../../infra/catalog/settings.ts'
import {
  type CatalogRow,
  defaultCatalog,
  findCatalog,
  insertCatalog,
  listCatalogs,
  updateCatalog,
} from '../../infra/catalog/tenants.ts'
import { displayName } from '../../schemas/display-name.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { brandId, catalogId, workspaceId } from '../../schemas/ids.ts'
import { listQuery, nextCursor, readCursor } from '../cursor.ts'
import { bearerOf, principalOf } from '../plugins/access.ts'
import { exampleCatalog } from './examples.ts'
import { recordChange } from './record-change.ts'

const catalogResource = z.object({
  id: catalogId,
  workspaceId,
  brandId,
  name: z.string(),
  isDefault: z.boolean(),
  autoPublish: z.enum(['off', 'after_gold']),
  publishedVersion: z.int(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
})

const newCatalog = z.strictObject({
  name: displayName,
  brand_id: brandId.optional(),
  /** As the workspace's settings say where it is not given. */
  auto_publish: z.enum(['off', 'after_gold']).optional(),
})

const catalogChange = z.strictObject({
  name: displayName.optional(),
  auto_publish: z.enum(['off', 'after_gold']).optional(),
  is_default: z.literal(true).optional(),
  brand_id: brandId.optional(),
})

const answer = z.object({ catalog: catalogResource })

const notFound = () => new ServiceError('CATALOG_NOT_FOUND', { field: 'catalogId' })

/** What an audit entry shows of it. */
const said = ({ name, autoPublish, isDefault }: CatalogRow) => ({ name, autoPublish, isDefault })

const toResource = (row: CatalogRow) => ({
  ...row,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
})

export const catalogs: FastifyPluginAsyncZod<{ catalog: Pick<Catalog, 'withTenant'> }> = async (app, { catalog }) => {
  const params = z.object({ workspaceId })
  const one = params.extend({ catalogId })
  const tags = ['Catalogs']

  app.get(
    '/catalogs',
    {
      config: { action: 'catalogs:read' },
      schema: {
        summary: 'List the catalogs of the workspace',
        description: 'With `brand_id` those of one brand.',
        tags,
        examples: { query: { limit: 20 }, answer: { catalogs: [exampleCatalog], next: null } },
        params,
        querystring: listQuery.extend({ brand_id: z.string().max(50).optional() }),
        response: { 200: z.object({ catalogs: z.array(catalogResource), next: z.string().nullable() }) },
      },
    },
    async (request) => {
      const { after, limit } = request.query
      const rows = await catalog.withTenant(principalOf(bearerOf(request)), (tx) =>
        listCatalogs(tx, readCursor(after), limit + 1),
      )
      return { catalogs: rows.slice(0, limit).map(toResource), next: nextCursor(rows, limit) }
    },
  )

  app.post(
    '/catalogs',
    {
      config: { action: 'catalogs:write' },
      schema: {
        summary: 'Create a catalog',
        description: 'The first of a brand that has none is its default.',
        tags,
        examples: { body: { name: 'Autumn' }, answer: { catalog: exampleCatalog } },
        params,
        body: newCatalog,
        response: { 201: answer },
      },
    },
    async (request, reply) => {
      const bearer = bearerOf(request)
      const { name, brand_id, auto_publish } = request.body
      const row = await catalog.withTenant(principalOf(bearer), async (tx) => {
        const brand = brand_id ?? bearer.brand ?? (await brandNamed(tx, bearer.workspace, 'main'))
        if (brand === null)
          throw new ServiceError('INVALID_REQUEST', { message: 'Say which brand with brand_id', field: 'brand_id' })
        const lock = (await defaultCatalog(tx, brand)) ? holdBrand : lockBrand
        if (!(await lock(tx, brand)))
          throw new ServiceError('FORBIDDEN', { message: 'There is no such brand among yours', field: 'brand_id' })
        const isDefault = lock === lockBrand && !(await defaultCatalog(tx, brand))
        const autoPublish = auto_publish ?? (await findSettings(tx, bearer.workspace))?.silver.autoPublish ?? 'off'
        const made = { workspace: bearer.workspace, brand, name, isDefault, autoPublish }
        const row = await insertCatalog(tx, { ...made, by: bearer.subject })
        const change = { target: row.id, brand, before: null, after: said(row) }
        await recordChange(tx, request, { action: 'catalog.create', ...change })
        return row
      })
      return reply.code(201).send({ catalog: toResource(row) })
    },
  )

  app.get(
    '/catalogs/:catalogId',
    {
      config: { action: 'catalogs:read' },
      schema: {
        summary: 'Read a catalog',
        tags,
        errors: ['CATALOG_NOT_FOUND'],
        examples: { answer: { catalog: exampleCatalog } },
        params: one,
        response: { 200: answer },
      },
    },
    async (request) => {
      const id = request.params.catalogId
      const row = await catalog.withTenant(principalOf(bearerOf(request)), (tx) => findCatalog(tx, id))
      if (!row) throw notFound()
      return { catalog: toResource(row) }
    },
  )

  app.patch(
    '/catalogs/:catalogId',
    {
      config: { action: 'catalogs:write' },
      schema: {
        summary: 'Change a catalog',
        description:
          'What is left out stays. A brand has one default catalog: one that becomes it takes the place of the former.',
        tags,
        errors: ['CATALOG_NOT_FOUND'],
        examples: { body: { name: 'Autumn', auto_publish: 'off' }, answer: { catalog: exampleCatalog } },
        params: one,
        body: catalogChange,
        response: { 200: answer },
      },
    },
    async (request) => {
      const { name, auto_publish: autoPublish, is_default: isDefault } = request.body
      const id = request.params.catalogId
      const row = await catalog.withTenant(principalOf(bearerOf(request)), async (tx) => {
        const seen = await findCatalog(tx, id)
        // Who changes which catalog is a brand's default follows one another.
        if (!seen || !(await (isDefault ? lockBrand : holdBrand)(tx, seen.brandId))) throw notFound()
        const former = isDefault ? await defaultCatalog(tx, seen.brandId) : null
        if (former && former.id !== id) await updateCatalog(tx, former.id, { isDefault: false })
        const made = await updateCatalog(tx, id, { name, autoPublish, isDefault })
        if (!made) throw notFound()
        const change = { before: said(seen), after: said(made) }
        await recordChange(tx, request, { action: 'catalog.update', target: id, brand: made.brandId, ...change })
        return made
      })
      return { catalog: toResource(row) }
    },
  )
}
