/** …/brands/{brandId}/distribution: which platforms a brand is on, and with what its feed for each is made. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { PoolClient } from 'pg'
import { z } from 'zod'
import { findBrand, lockBrand } from '../../infra/catalog/brands.ts'
import { type Distribution, listDistributions, putDistribution } from '../../infra/catalog/feed-distributions.ts'
import type { Catalog } from '../../infra/catalog/postgres.ts'
import { findCatalog } from '../../infra/catalog/tenants.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { keptFiles } from '../../schemas/feed-file.ts'
import { feedFormats } from '../../schemas/feeds/feed-formats.ts'
import type { FeedSettings } from '../../schemas/feeds/profile.ts'
import { brandId, catalogId, workspaceId } from '../../schemas/ids.ts'
import { bearerOf, principalOf } from '../plugins/access.ts'
import { exampleIds } from '../workspace/examples.ts'
import { recordChange } from '../workspace/record-change.ts'
import { findProfile, noVersion } from './find-profile.ts'

const tags = ['Distribution']

const template = z
  .string()
  .max(2_000)
  .regex(/^https?:\/\/[^\s{}]+(?:\{(?:sku|id|handle)\}[^\s{}]*)+$/, 'is an address with {sku}, {id} or {handle} in it')
const tracking = z
  .record(z.string().regex(/^[\w.-]{1,50}$/), z.string().max(200))
  .refine((all) => Object.keys(all).length <= 10, 'has at most ten parameters')
/** Minute, hour, day, month, day of the week. */
const schedule = z
  .string()
  .regex(/^(?:[\d*/,-]{1,40} ){4}[\d*/,-]{1,40}$/, 'is a cron line of five fields, like "0 4 * * *"')

const word = z.string().trim().min(1).max(70)
const options = z.strictObject({
  seller_name: word.optional(),
  folds_waiting: z.boolean().optional(),
  lists_in_one_column: z.boolean().optional(),
  marketplace_id: word.optional(),
  language_tag: word.optional(),
  product_type: word.optional(),
})

/** As profiles know them. */
const optionNames = {
  seller_name: 'sellerName',
  folds_waiting: 'foldsWaiting',
  lists_in_one_column: 'listsInOneColumn',
  marketplace_id: 'marketplaceId',
  language_tag: 'languageTag',
  product_type: 'productType',
} as const satisfies Record<keyof z.infer<typeof options>, keyof FeedSettings>

const toSettings = (set: z.infer<typeof options>): FeedSettings =>
  Object.fromEntries(Object.entries(set).map(([name, value]) => [optionNames[name as keyof typeof optionNames], value]))

const resource = z.object({
  platform: z.string(),
  enabled: z.boolean(),
  profileVersion: z.int().nullable(),
  catalogId: z.uuid().nullable(),
  linkTemplate: z.string().nullable(),
  tracking: z.record(z.string(), z.string()),
  options: z.record(z.string(), z.union([z.string(), z.boolean()])),
  schedule: z.string().nullable(),
  /** When it is generated as a file next, by the schedule. */
  nextAt: z.iso.datetime().nullable(),
  fileFormat: z.enum(feedFormats).nullable(),
  fileGzip: z.boolean(),
  keptFiles: z.int(),
  updatedAt: z.iso.datetime(),
  updatedBy: z.string().nullable(),
})

const body = z.strictObject({
  enabled: z.boolean(),
  profile_version: z.int().positive().nullable().optional(),
  catalog_id: catalogId.nullable().optional(),
  link_template: template.nullable().optional(),
  tracking: tracking.optional(),
  options: options.optional(),
  schedule: schedule.nullable().optional(),
  file_format: z.enum(feedFormats).nullable().optional(),
  file_gzip: z.boolean().optional(),
  kept_files: z.int().min(1).max(keptFiles.most).optional(),
  brand_id: brandId.optional(),
})

const example = {
  ...{ platform: 'google', enabled: true, profileVersion: null, catalogId: exampleIds.catalogId, linkTemplate: null },
  ...{ tracking: { utm_source: 'google' }, options: {}, schedule: '0 4 * * *' },
  ...{ nextAt: '2026-11-29T04:00:00.000Z', fileFormat: null, fileGzip: true, keptFiles: 10 },
  ...{ updatedAt: '2026-11-28T09:30:00.000Z', updatedBy: exampleIds.subject },
}

const toResource = ({ catalog, updatedAt, nextAt, options, ...row }: Distribution) => ({
  ...row,
  nextAt: nextAt?.toISOString() ?? null,
  options: { ...options },
  catalogId: catalog,
  updatedAt: updatedAt.toISOString(),
})

const notFound = () => new ServiceError('NOT_FOUND', { message: 'Brand not found', field: 'brandId' })

export interface DistributionPorts {
  readonly catalog: Pick<Catalog, 'withTenant'>
  /** When a schedule of this workspace is due next; null: never. */
  readonly nextRun: (tx: PoolClient, workspace: string, schedule: string) => Promise<Date | null>
}

export const distribution: FastifyPluginAsyncZod<DistributionPorts> = async (app, { catalog, nextRun }) => {
  const url = '/brands/:brandId/distribution'

  app.get(
    url,
    {
      config: { action: 'settings:read' },
      schema: {
        summary: 'List the platforms that a brand is on',
        description:
          'A brand that has set none may be read for every platform. Once it has set one, a platform that is off, or not among them, is FEED_001.',
        tags,
        errors: ['NOT_FOUND'],
        examples: { answer: { distribution: [example] } },
        params: z.object({ workspaceId, brandId }),
        response: { 200: z.object({ distribution: z.array(resource) }) },
      },
    },
    async (request) =>
      catalog.withTenant(principalOf(bearerOf(request)), async (tx) => {
        const { brandId: id } = request.params
        if (!(await findBrand(tx, id))) throw notFound()
        return { distribution: (await listDistributions(tx, id)).map(toResource) }
      }),
  )

  const one = z.object({ workspaceId, brandId, platform: z.string().max(50) })

  app.get(
    `${url}/:platform`,
    {
      config: { action: 'settings:read' },
      schema: {
        summary: 'Read with what a brand’s feed for a platform is made',
        tags,
        errors: ['NOT_FOUND', 'FEED_001'],
        examples: { answer: { distribution: example } },
        params: one,
        response: { 200: z.object({ distribution: resource }) },
      },
    },
    async (request) =>
      catalog.withTenant(principalOf(bearerOf(request)), async (tx) => {
        const { brandId: id, platform } = request.params
        if (!(await findBrand(tx, id))) throw notFound()
        const name = await known(tx, bearerOf(request).workspace, platform)
        const found = (await listDistributions(tx, id)).find((row) => row.platform === name)
        if (!found)
          throw new ServiceError('NOT_FOUND', { message: 'The brand has set nothing for it', field: 'platform' })
        return { distribution: toResource(found) }
      }),
  )

  app.put(
    `${url}/:platform`,
    {
      config: { action: 'settings:write' },
      schema: {
        summary: 'Set whether a brand is on a platform, and with what its feed is made',
        description:
          'The platform may be a profile of the workspace’s own by its name. What is left out is as it comes: the present version of the profile, the brand’s default catalog, the products’ own links. `tracking` is added to every link. `options` are what no product can say: the `seller_name` that OpenAI asks for, Meta’s `folds_waiting` (preorder and backorder as in stock) and `lists_in_one_column`, Amazon’s `marketplace_id`, `language_tag` and `product_type`. Positions in the feed as it was are gone with a change of what it is made with. By the `schedule`, a cron line in the time zone of the workspace’s settings (UTC where it names none), the feed is generated as a file: in `file_format` (the platform’s own where it is null), packed where `file_gzip` says so, of which `kept_files` are kept.',
        tags,
        errors: ['NOT_FOUND', 'FEED_001', 'CATALOG_NOT_FOUND'],
        examples: {
          body: { enabled: true, tracking: { utm_source: 'google' }, schedule: '0 4 * * *', file_gzip: true },
          answer: { distribution: example },
        },
        params: one,
        body,
        response: { 200: z.object({ distribution: resource }) },
      },
    },
    async (request) => {
      const bearer = bearerOf(request)
      const { brandId: id } = request.params
      const { brand_id, ...set } = request.body
      if (brand_id !== undefined && brand_id !== id)
        throw new ServiceError('INVALID_REQUEST', {
          message: 'brand_id names another brand than the path',
          field: 'brand_id',
        })
      return catalog.withTenant(principalOf(bearer), async (tx) => {
        if (!(await lockBrand(tx, id))) throw notFound()
        const platform = await known(tx, bearer.workspace, request.params.platform, set.profile_version ?? undefined)
        const of = set.catalog_id ? await findCatalog(tx, set.catalog_id) : null
        if (set.catalog_id && of?.brandId !== id) throw new ServiceError('CATALOG_NOT_FOUND', { field: 'catalog_id' })
        const before = (await listDistributions(tx, id)).find((row) => row.platform === platform)
        const nextAt = set.schedule ? await nextRun(tx, bearer.workspace, set.schedule) : null
        if (set.schedule && nextAt === null)
          throw new ServiceError('INVALID_REQUEST', {
            message: `"${set.schedule}" is no cron line that ever comes; give minute, hour, day, month and day of the week, like "0 4 * * *"`,
            field: 'schedule',
          })
        const row = await putDistribution(
          tx,
          { workspace: bearer.workspace, brand: id },
          {
            ...{ platform, enabled: set.enabled, profileVersion: set.profile_version ?? null },
            ...{ catalog: set.catalog_id ?? null, linkTemplate: set.link_template ?? null },
            ...{
              tracking: set.tracking ?? {},
              options: toSettings(set.options ?? {}),
              schedule: set.schedule ?? null,
              nextAt,
              fileFormat: set.file_format ?? null,
              fileGzip: set.file_gzip ?? false,
              keptFiles: set.kept_files ?? keptFiles.usual,
              updatedBy: bearer.subject,
            },
          },
        )
        const after = toResource(row)
        const entry = { target: `${id} ${platform}`, brand: id, before: before ? toResource(before) : null, after }
        await recordChange(tx, request, { action: 'brand.distribution.update', ...entry })
        return { distribution: after }
      })
    },
  )
}

/** @throws FEED_001 where nobody writes for it, or not at this version */
async function known(tx: PoolClient, workspace: string, name: string, version?: number): Promise<string> {
  const profile = await findProfile(tx, workspace, name, version)
  if (profile) return profile.platform
  if (version !== undefined && (await findProfile(tx, workspace, name))) return noVersion(tx, workspace, name, version)
  throw new ServiceError('FEED_001', { message: 'Unsupported platform', field: 'platform' })
}
