/** /api/v1/feeds/{platform}/forecast: which products another version of a profile would refuse, before a feed is switched to it. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { PoolClient } from 'pg'
import { z } from 'zod'
import type { ConfigSettings } from '../../infra/catalog/feed-configs.ts'
import { type ForecastRow, forecastChanges, forecastPage } from '../../infra/catalog/feed-forecasts.ts'
import { findOwnProfile } from '../../infra/catalog/feed-profiles.ts'
import { findJob, type Notify } from '../../infra/catalog/job-table.ts'
import type { Catalog } from '../../infra/catalog/postgres.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { type OwnProfile, ownRules } from '../../schemas/feeds/own-rules.ts'
import { jobId } from '../../schemas/ids.ts'
import { jobStatuses } from '../../schemas/job.ts'
import { listQuery, nextCursor, readCursor } from '../cursor.ts'
import { bearerOf, principalOf } from '../plugins/access.ts'
import { exampleIds } from '../workspace/examples.ts'
import { notifyOf } from '../workspace/notify-of.ts'
import { baseOf, checkedRules } from './checked-rules.ts'
import { type ChosenFeed, chooseFeed } from './choose-feed.ts'
import { tags } from './feed-route.ts'
import { findProfile, noVersion } from './find-profile.ts'
import { feedOrder, namedCatalog, ofCatalog } from './named-catalog.ts'

export interface ForecastPorts {
  readonly catalog: Pick<Catalog, 'withTenant'>
  readonly forecast: (order: {
    workspace: string
    brand: string
    catalog: string
    version: number
    settings: ConfigSettings
    to: number | OwnProfile
    by: string
    notify: Notify | null
  }) => Promise<string>
}

const count = z.int()
const counts = z.object({
  products: count,
  /** Taken now and then. */
  valid: count,
  /** Refused or left out, now and then. */
  neither: count,
  ...{ fails: count, passes: count, leaves: count, comes: count },
})
const field = z.object({
  field: z.string(),
  rule: z.string(),
  fails: count,
  passes: count,
  examples: z.array(z.uuid()),
})
const result = z.object({
  version: z.int(),
  profileVersion: z.int(),
  /** null: rules that are not saved. */
  toVersion: z.int().nullable(),
  counts,
  fields: z.array(field),
})
const change = z.enum(forecastChanges)
const product = z.object({
  productId: z.uuid(),
  sku: z.string().nullable(),
  title: z.string().nullable(),
  change,
  problems: z.array(z.object({ field: z.string(), rule: z.string(), reason: z.string() })),
})

const exampleProblem = {
  field: 'image_link',
  rule: 'required, http or https; from 500 x 500 pixels on',
  reason: 'The first image has 300 x 300 pixels; Google takes none below 500 x 500',
}
const exampleAnswer = {
  ...{ platform: 'google', catalogId: exampleIds.catalogId, status: 'completed' as const, next: null },
  forecast: {
    ...{ version: 2, profileVersion: 4, toVersion: 5 },
    counts: { products: 3, valid: 1, neither: 1, fails: 1, passes: 0, leaves: 0, comes: 0 },
    fields: [{ field: 'image_link', rule: exampleProblem.rule, fails: 1, passes: 0, examples: [exampleIds.productId] }],
  },
  products: [
    {
      ...{ productId: exampleIds.productId, sku: 'P-2', title: 'Enamel mug', change: 'fails' as const },
      problems: [exampleProblem],
    },
  ],
}

const body = feedOrder
  .extend({ profile_version: z.int().positive().optional(), rules: ownRules.optional() })
  .refine((asked) => asked.profile_version !== undefined || asked.rules !== undefined, {
    message: 'Send the profile_version to forecast, or rules of a profile that is not saved yet',
    path: ['profile_version'],
  })

type Asked = Pick<z.infer<typeof body>, 'profile_version' | 'rules'>

export const feedForecast: FastifyPluginAsyncZod<ForecastPorts> = async (app, { catalog, forecast }) => {
  const params = z.object({ platform: z.string().max(50) })
  const url = '/api/v1/feeds/:platform/forecast'

  app.post(
    url,
    {
      config: { action: 'mcp:feed:read', channel: 'feed' },
      schema: {
        summary: 'Forecast what another version of a profile would refuse',
        description:
          'Goes through the published version as a job: each product is judged as the feed is made now and as it would be made with `profile_version`, or with `rules` of a profile that is not saved yet (of the platform’s `profile_version`, else of that which the feed has). Nothing is changed. Read what came of it with the job’s id.',
        tags,
        errors: ['FEED_001', 'FEED_002', 'DATA_002', 'JOB_ALREADY_RUNNING'],
        examples: { body: { profile_version: 5 }, answer: { job: { id: exampleIds.jobId } } },
        params,
        querystring: ofCatalog,
        body,
        response: { 202: z.object({ job: z.object({ id: jobId }) }) },
      },
    },
    async (request, reply) => {
      const bearer = bearerOf(request)
      const { row, settings, to } = await catalog.withTenant(principalOf(bearer), async (tx) => {
        const feed = await chooseFeed(tx, bearer, request.params.platform, namedCatalog(request))
        return { ...feed, to: await wanted(tx, bearer.workspace, feed, request.body) }
      })
      const notify = await notifyOf(catalog, bearer, request.body.notify_email)
      const place = { workspace: row.workspaceId, brand: row.brandId, catalog: row.id }
      const order = { ...place, version: row.publishedVersion, settings, to, by: bearer.subject, notify }
      return reply.code(202).send({ job: { id: await forecast(order) } })
    },
  )

  app.get(
    `${url}/:jobId`,
    {
      config: { action: 'mcp:feed:read', channel: 'feed' },
      schema: {
        summary: 'Read a forecast',
        description:
          'Counts by verdict, by field and rule, and in pages the products that are judged otherwise, of one `change` if asked: `fails` (taken now, refused then), `passes` (the other way), `leaves` and `comes` (by the rules of a profile that leave products out). `forecast` is null until the job has ended. Products are kept for 30 days, counts with the job.',
        tags,
        errors: ['NOT_FOUND'],
        examples: { query: { change: 'fails' }, answer: exampleAnswer },
        params: params.extend({ jobId }),
        querystring: listQuery.extend({ change: change.optional() }),
        response: {
          200: z.object({
            platform: z.string(),
            catalogId: z.uuid(),
            status: z.enum(jobStatuses),
            forecast: result.nullable(),
            products: z.array(product),
            next: z.string().nullable(),
          }),
        },
      },
    },
    async (request) => {
      const { after, limit, change: only = null } = request.query
      const { platform, jobId: id } = request.params
      return catalog.withTenant(principalOf(bearerOf(request)), async (tx) => {
        const job = await findJob(tx, id)
        const input = job?.input as { settings?: ConfigSettings } | undefined
        const asked = await findProfile(tx, job?.workspace ?? '', platform)
        if (job?.kind !== 'forecast' || job.catalog === null || input?.settings?.platform !== asked?.platform)
          throw new ServiceError('NOT_FOUND', { message: 'There is no such forecast of this feed', field: 'jobId' })
        const page = { change: only, after: readCursor(after), limit: limit + 1 }
        const rows = job.status === 'completed' ? await forecastPage(tx, id, page) : []
        return {
          ...{ platform: asked?.platform ?? platform, catalogId: job.catalog, status: job.status },
          forecast: job.status === 'completed' ? result.parse(job.result) : null,
          products: rows.slice(0, limit).map(toProduct),
          next: nextCursor(
            rows.map(({ product: of }) => ({ id: of })),
            limit,
          ),
        }
      })
    },
  )
}

const toProduct = ({ product: id, problems, ...row }: ForecastRow) => ({
  productId: id,
  problems: [...problems],
  ...row,
})

/** @throws FEED_001 where there is no such version, BAD_REQUEST for rules that do not fit */
async function wanted(
  tx: PoolClient,
  workspace: string,
  { profile }: ChosenFeed,
  { profile_version: version, rules }: Asked,
): Promise<number | OwnProfile> {
  const { platform: name } = profile
  if (rules === undefined) {
    const of = version ?? profile.version
    return (await findProfile(tx, workspace, name, of)) ? of : noVersion(tx, workspace, name, of)
  }
  const own = await findOwnProfile(tx, workspace, name, profile.version)
  const base = baseOf({
    platform: own?.platform ?? name,
    platform_version: version ?? own?.platformVersion ?? profile.version,
  })
  checkedRules(base, rules, 'BAD_REQUEST')
  return { name, version: 0, platform: base.platform, platformVersion: base.version, rules }
}
