/** …/url-import/jobs: imports product pages by their addresses, as a job that says what became of each. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { findJob, listJobs, type Notify } from '../../infra/catalog/job-table.ts'
import type { Catalog } from '../../infra/catalog/postgres.ts'
import { listUrlItems } from '../../infra/catalog/url-import-items.ts'
import { EgressError } from '../../schemas/egress-error.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { brandId, catalogId, jobId, workspaceId } from '../../schemas/ids.ts'
import { jobStatuses } from '../../schemas/job.ts'
import { listQuery, nextTextCursor, nextTimeCursor, readTextCursor, readTimeCursor } from '../cursor.ts'
import { jobResource, toJobResource } from '../job-resource.ts'
import { bearerOf, principalOf } from '../plugins/access.ts'
import { chooseCatalog } from './choose-catalog.ts'
import { exampleIds, exampleImportedAddress, exampleJob } from './examples.ts'
import { notifyOf } from './notify-of.ts'
import { importedAddress, toImportedAddress } from './url-import-resource.ts'

export interface UrlImportOrder {
  readonly workspace: string
  readonly brand: string
  readonly catalog: string
  readonly by: string
  readonly addresses: readonly string[]
  readonly notify: Notify | null
}

export interface UrlImportPorts {
  readonly catalog: Pick<Catalog, 'withTenant'>
  readonly now: () => Date
  readonly urlImports: {
    /** @returns the job */
    start(order: UrlImportOrder): Promise<string>
    /** @throws EgressError for what is no public web address */
    check(address: string): URL
  }
}

const mostAddresses = 1_000
const kind = 'url_import'

const order = z
  .strictObject({
    url: z.string().optional(),
    urls: z.array(z.string()).min(1).max(mostAddresses).optional(),
    catalog_id: catalogId.optional(),
    brand_id: brandId.optional(),
    notify_email: z.boolean().optional(),
  })
  .refine((body) => (body.url === undefined) !== (body.urls === undefined), {
    error: 'say which pages: url or urls, one of the two',
    path: ['url'],
  })

const position = /^\d{1,4}$/

export const urlImports: FastifyPluginAsyncZod<UrlImportPorts> = async (app, { catalog, now, urlImports: imports }) => {
  const tags = ['Imports']

  /** Each once: a page that is named twice is one page. */
  function addressesOf({ url, urls }: z.infer<typeof order>): readonly string[] {
    const given = urls ?? (url === undefined ? [] : [url])
    const checked = given.map((address, i) => {
      try {
        return imports.check(address).href
      } catch (error) {
        if (!(error instanceof EgressError)) throw error
        const field = urls ? `urls.${i}` : 'url'
        throw new ServiceError('INVALID_REQUEST', { message: error.message, field, cause: error })
      }
    })
    return [...new Set(checked)]
  }

  app.post(
    '/url-import/jobs',
    {
      config: { action: 'imports:write' },
      schema: {
        summary: 'Import product pages',
        description: `As a job: each page, up to ${mostAddresses}, becomes a product by its JSON-LD, microdata, RDFa or OpenGraph, or fails with the reason. Hosts are asked by their robots.txt, one page at a time. A page that was imported before updates its product.`,
        tags,
        errors: ['CATALOG_NOT_FOUND'],
        examples: {
          body: { urls: ['https://shop.example/products/enamel-mug'] },
          answer: { job: { id: exampleIds.jobId } },
        },
        params: z.object({ workspaceId }),
        body: order,
        response: { 202: z.object({ job: z.object({ id: jobId }) }) },
      },
    },
    async (request, reply) => {
      const bearer = bearerOf(request)
      const { body } = request
      const addresses = addressesOf(body)
      const row = await chooseCatalog(catalog, bearer, { id: body.catalog_id, brand: body.brand_id })
      const id = await imports.start({
        ...{ workspace: row.workspaceId, brand: row.brandId, catalog: row.id, by: bearer.subject, addresses },
        notify: await notifyOf(catalog, bearer, body.notify_email),
      })
      return reply.code(202).send({ job: { id } })
    },
  )

  app.get(
    '/url-import/jobs',
    {
      config: { action: 'jobs:read' },
      schema: {
        summary: 'Imports of pages, newest first',
        tags,
        examples: { query: { limit: 20 }, answer: { jobs: [{ ...exampleJob, kind }], next: null } },
        params: z.object({ workspaceId }),
        querystring: listQuery.extend({
          brand_id: z.union([brandId, z.literal('all')]).optional(),
          status: z.enum(jobStatuses).optional(),
          catalog_id: catalogId.optional(),
        }),
        response: { 200: z.object({ jobs: z.array(jobResource), next: z.string().nullable() }) },
      },
    },
    async (request) => {
      const { after, limit, status, catalog_id } = request.query
      const bearer = bearerOf(request)
      const filter = { kind, status, catalog: catalog_id ?? bearer.catalog ?? undefined }
      const rows = await catalog.withTenant(principalOf(bearer), (tx) =>
        listJobs(tx, filter, readTimeCursor(after), limit + 1),
      )
      return {
        jobs: rows.slice(0, limit).map((row) => toJobResource(row, now())),
        next: nextTimeCursor(rows, limit),
      }
    },
  )

  app.get(
    '/url-import/jobs/:jobId',
    {
      config: { action: 'jobs:read' },
      schema: {
        summary: 'Follow an import of pages',
        description:
          'The job, and a page of its addresses in the order in which they were given: the product of each, its fields with the part of the page that each stands in, where parts differ, and why it failed.',
        tags,
        errors: ['NOT_FOUND'],
        examples: {
          query: { limit: 20 },
          answer: { job: { ...exampleJob, kind }, addresses: [exampleImportedAddress], next: null },
        },
        params: z.object({ workspaceId, jobId }),
        querystring: listQuery,
        response: {
          200: z.object({ job: jobResource, addresses: z.array(importedAddress), next: z.string().nullable() }),
        },
      },
    },
    async (request) => {
      const { after, limit } = request.query
      const before = readTextCursor(after, position)
      return catalog.withTenant(principalOf(bearerOf(request)), async (tx) => {
        const row = await findJob(tx, request.params.jobId)
        if (!row || row.kind !== kind) throw new ServiceError('NOT_FOUND', { message: 'Job not found', field: 'jobId' })
        const items = await listUrlItems(tx, row.id, before === null ? null : Number(before), limit + 1)
        const ended = row.status === 'completed' || row.status === 'failed'
        return {
          job: toJobResource(row, now()),
          addresses: items.slice(0, limit).map((item) => toImportedAddress(item, ended)),
          next: nextTextCursor(
            items.map((item) => String(item.position)),
            limit,
          ),
        }
      })
    },
  )
}
