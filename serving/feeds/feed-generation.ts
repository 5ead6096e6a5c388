/** POST /api/v1/feeds/{platform}/generate, and decisions on the files that the guard holds. */
import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { findFeedFile } from '../../infra/catalog/feed-files.ts'
import type { Notify } from '../../infra/catalog/job-table.ts'
import type { Catalog } from '../../infra/catalog/postgres.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { brandId, jobId } from '../../schemas/ids.ts'
import { bearerOf, principalOf } from '../plugins/access.ts'
import { exampleIds } from '../workspace/examples.ts'
import { notifyOf } from '../workspace/notify-of.ts'
import { chooseFeed } from './choose-feed.ts'
import { exampleFeedFile } from './feed-file-resource.ts'
import { tags } from './feed-route.ts'
import { feedOrder, namedCatalog, ofCatalog } from './named-catalog.ts'

export interface GenerationOrder {
  readonly workspace: string
  readonly brand: string
  readonly catalog: string
  readonly platform: string
  readonly by: string
  readonly notify: Notify | null
}

export interface DecidedFile {
  readonly id: string
  readonly catalog: string
  readonly platform: string
  readonly by: string
  readonly requestId: string
}

export interface GenerationPorts {
  readonly catalog: Pick<Catalog, 'withTenant'>
  readonly generation: {
    /** @returns the job @throws ServiceError 409 where one is under way */
    start(order: GenerationOrder): Promise<string>
    /** @returns why not, or null */
    decide(of: DecidedFile, to: 'ready' | 'refused'): Promise<string | null>
  }
}

const errors = ['FEED_001', 'FEED_002', 'DATA_002', 'CONFLICT'] as const
const config = { action: 'catalogs:write', channel: 'feed' } as const

export const feedGeneration: FastifyPluginAsyncZod<GenerationPorts> = async (app, { catalog, generation }) => {
  const params = z.object({ platform: z.string().max(50) })
  const one = params.extend({ fileId: z.uuid().toLowerCase() })

  app.post(
    '/api/v1/feeds/:platform/generate',
    {
      config,
      schema: {
        summary: 'Generate a feed as a file now',
        description:
          'As its schedule would: of the published version, in the form that the distribution names, kept beside the files before it and sent to its targets. Held where it would change more than `mass_change_guard` of the workspace lets change unasked.',
        tags,
        errors: [...errors],
        examples: { body: {}, answer: { job: { id: exampleIds.jobId } } },
        params,
        querystring: ofCatalog,
        body: feedOrder.nullish(),
        response: { 202: z.object({ job: z.object({ id: jobId }) }) },
      },
    },
    async (request, reply) => {
      const bearer = bearerOf(request)
      const { row, profile } = await catalog.withTenant(principalOf(bearer), (tx) =>
        chooseFeed(tx, bearer, request.params.platform, namedCatalog(request)),
      )
      const notify = await notifyOf(catalog, bearer, request.body?.notify_email)
      const of = { workspace: row.workspaceId, brand: row.brandId, catalog: row.id, platform: profile.platform }
      const id = await generation.start({ ...of, by: bearer.subject, notify })
      return reply.code(202).send({ job: { id } })
    },
  )

  /** @throws ServiceError 404, 409 */
  async function decide(
    request: FastifyRequest<{ Params: z.infer<typeof one>; Querystring: z.infer<typeof ofCatalog> }>,
    to: 'ready' | 'refused',
  ): Promise<string> {
    const bearer = bearerOf(request)
    const { platform, fileId } = request.params
    const file = await catalog.withTenant(principalOf(bearer), async (tx) => {
      const { row, profile } = await chooseFeed(tx, bearer, platform, request.query.catalog_id)
      return findFeedFile(tx, fileId, row.id, profile.platform)
    })
    if (!file) throw new ServiceError('NOT_FOUND', { message: 'There is no such file', field: 'fileId' })
    const of = { id: file.id, catalog: file.catalog, platform: file.platform }
    const refused = await generation.decide({ ...of, by: bearer.subject, requestId: request.id }, to)
    if (refused !== null) throw new ServiceError('CONFLICT', { message: refused })
    return file.id
  }

  app.post(
    '/api/v1/feeds/:platform/files/:fileId/release',
    {
      config,
      schema: {
        summary: 'Let a held file take its place',
        description:
          'It is in force from then on, told as generated, and sent to the targets. Refused where a later file is in force.',
        tags,
        errors: [...errors, 'NOT_FOUND'],
        examples: { body: {}, answer: { fileId: exampleFeedFile.id, state: 'ready' } },
        params: one,
        querystring: ofCatalog,
        body: z.strictObject({ brand_id: brandId.optional() }).nullish(),
        response: { 200: z.object({ fileId: z.uuid(), state: z.literal('ready') }) },
      },
    },
    async (request) => ({ fileId: await decide(request, 'ready'), state: 'ready' as const }),
  )

  app.delete(
    '/api/v1/feeds/:platform/files/:fileId',
    {
      config,
      schema: {
        summary: 'Refuse a held file',
        description: 'Its bytes go at once; that there was one, and why it was held, stays in the list.',
        tags,
        errors: [...errors, 'NOT_FOUND'],
        examples: { answer: { fileId: exampleFeedFile.id, state: 'refused' } },
        params: one,
        querystring: ofCatalog,
        response: { 200: z.object({ fileId: z.uuid(), state: z.literal('refused') }) },
      },
    },
    async (request) => ({ fileId: await decide(request, 'refused'), state: 'refused' as const }),
  )
}
