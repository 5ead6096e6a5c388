/** GET /api/v1/feeds/{platform}/files[/{fileId}]: stored feeds, listed, and read as a whole or in part. */
import { type FileHandle, open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { versionOf } from '../../infra/catalog/feed-edition.ts'
import { currentFeedFile, type FeedFile, findFeedFile, listFeedFiles } from '../../infra/catalog/feed-files.ts'
import type { Catalog } from '../../infra/catalog/postgres.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { RecordedEvent } from '../../schemas/event.ts'
import { isColumnar } from '../../schemas/feeds/feed-formats.ts'
import { catalogId } from '../../schemas/ids.ts'
import { askedRange } from '../byte-range.ts'
import { listQuery, nextCursor, readCursor } from '../cursor.ts'
import { bearerOf, principalOf } from '../plugins/access.ts'
import { attachment } from '../workspace/attachment.ts'
import { formTypes } from './asked-form.ts'
import { chooseFeed } from './choose-feed.ts'
import { exampleFeedFile, feedFileResource, toFeedFile } from './feed-file-resource.ts'
import type { RecordPorts } from './feed-ports.ts'
import { tags } from './feed-route.ts'
import { isKnown } from './feed-tag.ts'

export interface FeedFilePorts extends RecordPorts {
  readonly catalog: Pick<Catalog, 'withTenant'>
  readonly feedFiles: {
    /** On this machine. @returns null where it is kept no longer */
    pathOf(id: string): Promise<string | null>
  }
}

const errors = ['FEED_001', 'FEED_002', 'DATA_002', 'NOT_FOUND'] as const
const gone = { code: 'NOT_FOUND', status: 410 } as const
const outside = { code: 'BAD_REQUEST', status: 416 } as const
const bytes = z.string().meta({ format: 'binary' })

const notFound = (message: string) => new ServiceError('NOT_FOUND', { message, field: 'fileId' })

/** A part of a file is a number of bytes, and of no products that anybody knows. */
function readOf(file: FeedFile, sent: number): RecordedEvent {
  const isWhole = sent === file.bytes
  const lines = String(isWhole ? file.lines : 0)
  const metadata = { platform: file.platform, complete: String(isWhole), form: file.format, lines, bytes: String(sent) }
  const of = { type: 'feed_read', brand: file.brand, catalog: file.catalog, metadata } as const
  return isWhole ? { ...of, numbers: { quantity: lines } } : of
}

/** @throws ServiceError 410 */
async function opened(path: string | null): Promise<FileHandle> {
  const file = path === null ? null : await open(path).catch(() => null)
  if (file) return file
  throw new ServiceError(gone.code, { status: gone.status, field: 'fileId', message: 'The file is kept no longer' })
}

const typeOf = ({ format, gzip }: FeedFile) => {
  if (gzip) return 'application/gzip'
  return isColumnar(format) || format === 'ndjson' ? formTypes[format][0] : `${formTypes[format][0]}; charset=utf-8`
}

async function send(
  request: FastifyRequest,
  reply: FastifyReply,
  file: FeedFile,
  { feedFiles: { pathOf }, record }: Pick<FeedFilePorts, 'feedFiles' | 'record'>,
) {
  const tag = `"${file.sha256.slice(0, 32)}"`
  reply
    .headers({ etag: tag, 'last-modified': file.madeAt.toUTCString(), 'cache-control': 'private, no-cache' })
    .headers({ 'x-catalog-version': String(versionOf(file.edition)), 'x-feed-file': file.id })
  if (isKnown(request, tag, file.madeAt)) return reply.code(304).send()
  const range = askedRange(request.headers, { bytes: file.bytes, tag, at: file.madeAt })
  if (range === 'outside') {
    reply.header('content-range', `bytes */${file.bytes}`)
    const message = `The file has ${file.bytes} bytes; ask for some of those`
    throw new ServiceError(outside.code, { status: outside.status, field: 'Range', message })
  }
  reply
    .headers({ 'accept-ranges': 'bytes', 'content-disposition': attachment(file.platform, `.${file.extension}`) })
    .type(typeOf(file))
  const handle = await opened(file.state === 'refused' ? null : await pathOf(file.id))
  const { start, end } = range === 'all' ? { start: 0, end: file.bytes - 1 } : range
  if (range !== 'all') reply.code(206).header('content-range', `bytes ${start}-${end}/${file.bytes}`)
  reply.header('content-length', end - start + 1)
  if (request.method === 'HEAD') {
    await handle.close()
    return reply.send(Readable.from([]))
  }
  const stream = handle.createReadStream({ start, end })
  stream.on('close', () => record(request, readOf(file, stream.bytesRead)))
  return reply.send(stream)
}

export const feedFiles: FastifyPluginAsyncZod<FeedFilePorts> = async (app, ports) => {
  const { catalog } = ports
  const url = '/api/v1/feeds/:platform/files'
  const params = z.object({ platform: z.string().max(50) })

  app.get(
    url,
    {
      config: { action: 'mcp:feed:read', channel: 'feed' },
      schema: {
        summary: 'List the stored files of a feed',
        description:
          'Newest first, as many as its distribution keeps. `held`: the guard asks a person first (`guard` says why); `latest`: in force, and at `…/files/latest`. `deliveries` are what became of sending it to the targets.',
        tags,
        errors: ['FEED_001', 'FEED_002', 'DATA_002'],
        examples: { query: { limit: 10 }, answer: { files: [exampleFeedFile], next: null } },
        params,
        querystring: listQuery.extend({ catalog_id: catalogId.optional() }),
        response: { 200: z.object({ files: z.array(feedFileResource), next: z.string().nullable() }) },
      },
    },
    async (request) => {
      const bearer = bearerOf(request)
      const { after, limit, catalog_id } = request.query
      return catalog.withTenant(principalOf(bearer), async (tx) => {
        const { row, profile } = await chooseFeed(tx, bearer, request.params.platform, catalog_id)
        const of = { catalog: row.id, platform: profile.platform, after: readCursor(after), limit: limit + 1 }
        const rows = await listFeedFiles(tx, of)
        const latest = (await currentFeedFile(tx, row.id, profile.platform))?.id ?? null
        return { files: rows.slice(0, limit).map((one) => toFeedFile(one, latest)), next: nextCursor(rows, limit) }
      })
    },
  )

  app.get(
    `${url}/:fileId`,
    {
      config: { action: 'mcp:feed:read', channel: 'feed', long: true },
      schema: {
        summary: 'Read a stored file of a feed',
        description:
          'By its id, or `latest` for the one in force, at an address that stays. In part with `Range` (206; 416 outside of it), which `If-Range` binds to its `ETag` or date. `X-Feed-File` is its id. A held file is read by who may decide on it.',
        tags,
        errors: [...errors, gone, outside],
        examples: { params: { fileId: 'latest' } },
        params: params.extend({ fileId: z.union([z.literal('latest'), z.uuid().toLowerCase()]) }),
        querystring: z.object({ catalog_id: catalogId.optional() }),
        answers: {
          ...Object.fromEntries(
            [200, 206].map((status) => [
              status,
              { type: 'application/octet-stream', schema: bytes, example: 'id,title\r\nMUG-1,Enamel mug\r\n' },
            ]),
          ),
          304: [],
        },
      },
    },
    async (request, reply) => {
      const bearer = bearerOf(request)
      const { platform, fileId } = request.params
      const file = await catalog.withTenant(principalOf(bearer), async (tx) => {
        const { row, profile } = await chooseFeed(tx, bearer, platform, request.query.catalog_id)
        return fileId === 'latest'
          ? currentFeedFile(tx, row.id, profile.platform)
          : findFeedFile(tx, fileId, row.id, profile.platform)
      })
      if (!file)
        throw notFound(fileId === 'latest' ? 'Nothing was generated of this feed yet' : 'There is no such file')
      if (file.state === 'held' && !bearer.actions.has('catalogs:write'))
        throw notFound('The file is held, until a person releases it')
      return send(request, reply, file, ports)
    },
  )
}
