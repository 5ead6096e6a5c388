/** GET /api/mcp/feed and /api/mcp/feed/{platform}: the published catalog in a platform's own attributes, streamed as NDJSON. */
import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { brandNamed } from '../../infra/catalog/brands.ts'
import { feedPageRows, publishedPage } from '../../infra/catalog/feed-queries.ts'
import type { Catalog } from '../../infra/catalog/postgres.ts'
import { defaultCatalog, findCatalog } from '../../infra/catalog/tenants.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { RecordedEvent } from '../../schemas/event.ts'
import { profileFor, profiles } from '../../schemas/feeds/registry.ts'
import { catalogId } from '../../schemas/ids.ts'
import { type Bearer, bearerOf, principalOf } from '../plugins/access.ts'
import { feedLines } from './feed-stream.ts'

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is stripped
const control = /[\u0000-\u001f\u007f-\u009f]/g

const query = z.object({
  catalog_id: catalogId.optional(),
  q: z
    .string()
    .transform((text) => text.replace(control, ''))
    .refine((text) => [...text].length <= 500, 'q may have at most 500 characters')
    .optional(),
})

const tags = ['Feeds']
const platform = z.object({ platform: z.string(), version: z.number(), aliases: z.array(z.string()) })

/** Attribute names are the platform's. */
const line = z.record(z.string(), z.unknown())
const exampleLine = { id: 'MUG-1', title: 'Enamel mug', price: '12.50 EUR', availability: 'in_stock' }

export interface RecordPorts {
  /** Tells what a channel did for an agent as an event; never makes it wait, and never fails it. */
  readonly record: (request: FastifyRequest, event: RecordedEvent) => void
}

export const toolFeed: FastifyPluginAsyncZod<{ catalog: Pick<Catalog, 'withTenant'> } & RecordPorts> = async (
  app,
  { catalog, record },
) => {
  app.get(
    '/api/mcp/feed',
    {
      config: { action: 'mcp:feed:read', channel: 'feed' },
      schema: {
        summary: 'List the platforms that feeds are made for',
        tags,
        examples: { answer: { platforms: [{ platform: 'google', version: 2, aliases: ['search-shopping'] }] } },
        response: { 200: z.object({ platforms: z.array(platform) }) },
      },
    },
    async () => ({
      platforms: profiles.map(({ platform, version, aliases }) => ({ platform, version, aliases: [...aliases] })),
    }),
  )

  app.get(
    '/api/mcp/feed/:platform',
    {
      config: { action: 'mcp:feed:read', channel: 'feed', long: true, stripsSearch: true },
      schema: {
        summary: 'Read the published catalog as NDJSON',
        description:
          "Each line is a product in the platform's own attributes. Where reading breaks off, a last line is `{ error, code: 'STREAM_ERROR' }`. Ask with `Accept: application/x-ndjson`.",
        tags,
        errors: ['FEED_001', 'FEED_002', 'DATA_002', { code: 'BAD_REQUEST', status: 406 }],
        examples: { query: { q: 'mug' } },
        params: z.object({ platform: z.string().max(50) }),
        querystring: query,
        answers: { 200: { type: 'application/x-ndjson', schema: line, example: exampleLine } },
      },
    },
    async (request, reply) => {
      const profile = profileFor(request.params.platform)
      if (!profile) {
        const known = profiles.map(({ platform }) => platform).join(', ')
        throw new ServiceError('FEED_001', { message: `Unsupported platform; supported: ${known}`, field: 'platform' })
      }
      if (!asksForNdjson(request.headers.accept))
        throw new ServiceError('BAD_REQUEST', {
          message: 'This feed is served as NDJSON; ask with Accept: application/x-ndjson',
          status: 406,
        })
      const bearer = bearerOf(request)
      const { id, brand, version } = await published(catalog, bearer, request.query.catalog_id ?? bearer.catalog)
      const principal = principalOf(bearer)
      const readPage = (after: string | null) =>
        catalog.withTenant(principal, (tx) => publishedPage(tx, id, version, after, feedPageRows))
      let broken = false
      const { q } = request.query
      const lines = feedLines(profile, readPage, new Date().toISOString(), q ?? null, (err) => {
        broken = true
        request.log.error({ err }, 'the feed broke off')
      })
      const told = counted(lines, (count, whole) => {
        const metadata = { platform: profile.platform, complete: String(whole && !broken), ...(q && { query: q }) }
        const quantity = String(broken ? count - 1 : count)
        record(request, { type: 'feed_read', brand, catalog: id, numbers: { quantity }, metadata })
      })
      reply.header('x-catalog-version', String(version))
      return reply
        .type('application/x-ndjson; charset=utf-8')
        .send(Readable.from(request.method === 'HEAD' ? [] : told, { highWaterMark: 1 }))
    },
  )
}

/** @param ended told of how many lines were taken, and whether that was all: a reader may go away */
async function* counted(chunks: AsyncIterable<string>, ended: (lines: number, whole: boolean) => void) {
  let lines = 0
  let whole = false
  try {
    for await (const chunk of chunks) {
      yield chunk
      lines += chunk.split('\n').length - 1
    }
    whole = true
  } finally {
    ended(lines, whole)
  }
}

const asksForNdjson = (accept = '') =>
  accept.split(',').some((range) => range.split(';')[0]?.trim().toLowerCase() === 'application/x-ndjson')

async function published(catalog: Pick<Catalog, 'withTenant'>, bearer: Bearer, wanted: string | null) {
  const row = await catalog.withTenant(principalOf(bearer), async (tx) => {
    if (wanted !== null) return findCatalog(tx, wanted)
    const brand = bearer.brand ?? (await brandNamed(tx, bearer.workspace, 'main'))
    return brand === null ? null : defaultCatalog(tx, brand)
  })
  if (!row && wanted !== null) throw new ServiceError('DATA_002', { field: 'catalog_id' })
  if (!row || row.publishedVersion === 0)
    throw new ServiceError('FEED_002', { message: 'No published catalog; publish it first' })
  return { id: row.id, brand: row.brandId, version: row.publishedVersion }
}
