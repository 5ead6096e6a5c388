/** Catalogs of a workspace: list, create, publish. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { brandNamed, holdBrand } from '../../infra/catalog/brands.ts'
import type { Catalog } from '../../infra/catalog/postgres.ts'
import { findSettings } from '../../infra/catalog/settings.ts'
import { type CatalogRow, findCatalog, insertCatalog, listCatalogs } from '../../infra/catalog/tenants.ts'
import { displayName } from '../../schemas/display-name.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { brandId, catalogId, workspaceId } from '../../schemas/ids.ts'
import { listQuery, nextCursor, readCursor } from '../cursor.ts'
import { bearerOf, principalOf } from '../plugins/access.ts'
import { exampleCatalog, exampleIds } from './examples.ts'

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

export interface CatalogPorts {
  readonly catalog: Pick<Catalog, 'withTenant'>
  /** Starts a publish as a job. @returns the job, and whether it is one that was already building */
  readonly publish: (
    row: CatalogRow,
    by: string,
    changelog: string | null,
  ) => Promise<{ job: string; running: boolean }>
}

const toResource = (row: CatalogRow) => ({
  ...row,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
})

export const catalogs: FastifyPluginAsyncZod<CatalogPorts> = async (app, { catalog, publish }) => {
  const params = z.object({ workspaceId })
  const tags = ['Catalogs']

  app.get(
    '/catalogs',
    {
      config: { action: 'catalogs:read' },
      schema: {
        summary: 'List the catalogs of the workspace',
        tags,
        examples: { query: { limit: 20 }, answer: { catalogs: [exampleCatalog], next: null } },
        params,
        querystring: listQuery,
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
        tags,
        examples: { body: { name: 'Autumn' }, answer: { catalog: exampleCatalog } },
        params,
        body: newCatalog,
        response: { 201: z.object({ catalog: catalogResource }) },
      },
    },
    async (request, reply) => {
      const bearer = bearerOf(request)
      const { name, brand_id, auto_publish } = request.body
      const row = await catalog.withTenant(principalOf(bearer), async (tx) => {
        const brand = brand_id ?? bearer.brand ?? (await brandNamed(tx, bearer.workspace, 'main'))
        if (brand === null)
          throw new ServiceError('INVALID_REQUEST', { message: 'Say which brand with brand_id', field: 'brand_id' })
        if (!(await holdBrand(tx, brand)))
          throw new ServiceError('FORBIDDEN', { message: 'There is no such brand among yours', field: 'brand_id' })
        const autoPublish = auto_publish ?? (await findSettings(tx, bearer.workspace))?.silver.autoPublish ?? 'off'
        const made = { workspace: bearer.workspace, brand, name, isDefault: false, autoPublish }
        return insertCatalog(tx, { ...made, by: bearer.subject })
      })
      return reply.code(201).send({ catalog: toResource(row) })
    },
  )

  app.post(
    '/catalogs/:catalogId/publish',
    {
      config: { action: 'catalogs:write' },
      schema: {
        summary: 'Publish a catalog',
        description: 'Makes a new version of what the catalog holds; the job says when it is done.',
        tags,
        errors: ['CATALOG_NOT_FOUND', 'JOB_ALREADY_RUNNING'],
        examples: {
          body: { changelog: 'Autumn prices' },
          answer: { job: { id: exampleIds.jobId } },
        },
        params: params.extend({ catalogId }),
        body: z.strictObject({ changelog: z.string().max(2_000).optional(), brand_id: brandId.optional() }).nullish(),
        response: { 202: z.object({ job: z.object({ id: z.uuid() }) }) },
      },
    },
    async (request, reply) => {
      const bearer = bearerOf(request)
      const row = await catalog.withTenant(principalOf(bearer), (tx) => findCatalog(tx, request.params.catalogId))
      if (!row) throw new ServiceError('CATALOG_NOT_FOUND', { field: 'catalogId' })
      const { job, running } = await publish(row, bearer.subject, request.body?.changelog ?? null)
      if (running)
        throw new ServiceError('JOB_ALREADY_RUNNING', { message: `The catalog is being published by job ${job}` })
      return reply.code(202).send({ job: { id: job } })
    },
  )
}
