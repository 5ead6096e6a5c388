/** POST …/datasets/ingest: takes a file as multipart, or a raw or NDJSON body, and answers with the job that imports it. */
import type { Readable } from 'node:stream'
import multipart from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { ServiceError } from '../schemas/errors.ts'
import { catalogId, workspaceId } from '../schemas/ids.ts'
import type { Offer } from './accept.ts'
import { TableError } from './table-error.ts'

export interface DatasetPorts {
  readonly accept: (offer: Offer) => Promise<string>
  /** The catalog that is named, or the brand's default, where the caller may write to it. */
  readonly target: (
    request: FastifyRequest,
    catalogId: string | undefined,
  ) => Promise<{ workspace: string; brand: string; catalog: string; by: string }>
  readonly maxUploadBytes: number
}

const query = z.object({
  catalog_id: catalogId.optional(),
  source: z.string().optional(),
  map: z.union([z.string(), z.array(z.string())]).optional(),
})

/** Types of bodies that are the file itself. */
const rawTypes = [
  'application/x-ndjson',
  'text/csv',
  'text/tab-separated-values',
  'text/plain',
  'application/octet-stream',
]

export const datasets: FastifyPluginAsyncZod<DatasetPorts> = async (app, { accept, target, maxUploadBytes }) => {
  await app.register(multipart, {
    limits: { fileSize: maxUploadBytes, files: 1, fields: 10 },
    throwFileSizeLimit: false,
  })
  app.addContentTypeParser(rawTypes, (_request, payload, done) => done(null, payload))

  app.post(
    '/datasets/ingest',
    {
      config: { action: 'imports:write' },
      bodyLimit: maxUploadBytes,
      schema: {
        params: z.object({ workspaceId }),
        querystring: query,
        response: { 202: z.object({ job: z.object({ id: z.uuid() }) }) },
      },
    },
    async (request, reply) => {
      const { catalog_id, source, map } = request.query
      const scope = await target(request, catalog_id)
      const file = await fileOf(request)
      try {
        const id = await accept({ ...scope, ...file, source, map: map === undefined ? [] : [map].flat() })
        return await reply.code(202).send({ job: { id } })
      } catch (error) {
        if (error instanceof TableError)
          throw new ServiceError('INVALID_REQUEST', { message: error.says, cause: error })
        throw error
      }
    },
  )
}

async function fileOf(request: FastifyRequest): Promise<Pick<Offer, 'fileName' | 'kind' | 'body'>> {
  if (request.isMultipart()) {
    const part = await request.file()
    if (!part) throw new ServiceError('INVALID_REQUEST', { message: 'The form has no file part', field: 'file' })
    return { fileName: part.filename, kind: undefined, body: part.file }
  }
  const body = request.body as Readable | undefined
  if (!body || typeof body !== 'object' || !(Symbol.asyncIterator in body))
    throw new ServiceError('INVALID_REQUEST', {
      message: 'Send the file as multipart/form-data, or as a body of type text/csv or application/x-ndjson',
    })
  const type = request.headers['content-type'] ?? ''
  return { fileName: 'upload', kind: type.startsWith('application/x-ndjson') ? 'ndjson' : undefined, body }
}
