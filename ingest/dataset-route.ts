/** POST …/datasets/ingest: takes a file as multipart, or a raw or NDJSON body, and answers with the job that imports it. */
import type { Readable } from 'node:stream'
import multipart, { type Multipart } from '@fastify/multipart'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Notify } from '../infra/catalog/job-table.ts'
import { ServiceError } from '../schemas/errors.ts'
import { catalogId, workspaceId } from '../schemas/ids.ts'
import type { Offer } from './accept.ts'
import { fileKinds } from './readers/table.ts'
import { TableError, type TableErrorCode } from './table-error.ts'

export interface DatasetPorts {
  readonly accept: (offer: Offer) => Promise<string>
  /** The catalog that is named, or the brand's default, where the caller may write to it. */
  readonly target: (
    request: FastifyRequest,
    catalogId: string | undefined,
  ) => Promise<{ workspace: string; brand: string; catalog: string; by: string }>
  /** Where the end of the caller's job is told by mail. */
  readonly notify: (request: FastifyRequest, wanted: boolean) => Promise<Notify | null>
  readonly maxUploadBytes: number
  /** Told the file's hash before anything is made of it; throws where the request was sent before. */
  readonly sameFile: (request: FastifyRequest, sha256: string) => void
  /** Answers with what was answered then; throws what is no such thing. */
  readonly replayed: (error: unknown, reply: FastifyReply) => FastifyReply
}

const query = z.object({
  catalog_id: catalogId.optional(),
  source: z.string().optional(),
  /** Told by the bytes where absent. */
  kind: z.enum(fileKinds).optional(),
  map: z.union([z.string(), z.array(z.string())]).optional(),
  notify_email: z.enum(['true', 'false']).optional(),
  mode: z.enum(['merge', 'snapshot']).optional(),
})

const bytes = z.string().meta({ format: 'binary' })
const form = z.object({ file: bytes })

/** Types of bodies that are the file itself. */
const rawTypes = [
  'application/x-ndjson',
  'text/csv',
  'text/tab-separated-values',
  'text/plain',
  'application/octet-stream',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/vnd.apache.parquet',
  'application/vnd.apache.arrow.file',
  'application/vnd.apache.arrow.stream',
]

/** Which part of the query a refused file is about. */
const queryOf: Partial<Record<TableErrorCode, string>> = {
  bad_mapping: 'map',
  unknown_column: 'map',
  source_name: 'source',
  source_tie: 'source',
  not_a_snapshot: 'mode',
}

export const datasets: FastifyPluginAsyncZod<DatasetPorts> = async (
  app,
  { accept, target, notify, maxUploadBytes, sameFile, replayed },
) => {
  // The spool counts: a limit here would cut the file and say nothing.
  await app.register(multipart, { limits: { fileSize: Number.POSITIVE_INFINITY, files: 2, fields: 10 } })
  app.addContentTypeParser(rawTypes, (_request, payload, done) => done(null, payload))
  // A body of the size of a file must not be held in memory.
  app.removeContentTypeParser('application/json')

  app.post(
    '/datasets/ingest',
    {
      config: { action: 'imports:write', long: true, readsFile: true },
      bodyLimit: maxUploadBytes,
      schema: {
        summary: 'Import a file of products',
        description:
          'CSV, NDJSON, XLSX, Parquet or Arrow IPC, as a form with one file or as the body itself. The job says how many products were made of it. A file with the column `assay_id`, as every export has it, is a set of edits. With `mode=snapshot` the file is all that its source has: products that it lacks are withdrawn from the source, and those that no other source has go.',
        tags: ['Imports'],
        errors: ['CATALOG_NOT_FOUND', 'PLAN_LIMIT'],
        bodies: [
          { type: 'multipart/form-data', schema: form },
          { type: 'application/x-ndjson', schema: z.string(), example: '{"sku":"MUG-1","title":"Enamel mug"}\n' },
          { type: 'text/csv', schema: z.string(), example: 'sku,title,price\nMUG-1,Enamel mug,12.50\n' },
          { type: 'text/tab-separated-values', schema: z.string(), example: 'sku\ttitle\nMUG-1\tEnamel mug\n' },
          { type: 'text/plain', schema: z.string() },
          { type: 'application/octet-stream', schema: bytes },
        ],
        examples: {
          query: { source: 'warehouse' },
          answer: { job: { id: '9e4d3c2b-1a0f-4e8d-9c7b-6a5f4e3d2c43' } },
        },
        params: z.object({ workspaceId }),
        querystring: query,
        response: { 202: z.object({ job: z.object({ id: z.uuid() }) }) },
      },
    },
    async (request, reply) => {
      const { catalog_id, source, kind, map, notify_email, mode } = request.query
      const scope = await target(request, catalog_id)
      const told = await notify(request, notify_email === 'true')
      const file = await fileOf(request, maxUploadBytes)
      try {
        const id = await accept({
          ...scope,
          ...file,
          kind: kind ?? file.kind,
          notify: told,
          snapshot: mode === 'snapshot',
          source,
          map: map === undefined ? [] : [map].flat(),
          spooled: (sha256) => sameFile(request, sha256),
        })
        return await reply.code(202).send({ job: { id } })
      } catch (error) {
        // What is still to come is read and forgotten, else the caller's next request would meet it on this connection.
        request.raw.resume()
        if (error instanceof TableError) throw refusalOf(error)
        return replayed(error, reply)
      }
    },
  )
}

function refusalOf(error: TableError): ServiceError {
  if (error.code === 'PLAN_LIMIT') return new ServiceError('PLAN_LIMIT', { message: error.says, cause: error })
  const field = queryOf[error.code]
  return new ServiceError('INVALID_REQUEST', {
    message: error.says,
    ...(field ? { field } : {}),
    ...(error.code === 'too_large' ? { status: 413 } : {}),
    cause: error,
  })
}

type File = Pick<Offer, 'fileName' | 'kind' | 'body'>

async function fileOf(request: FastifyRequest, maxBytes: number): Promise<File> {
  if (request.isMultipart()) return fileOfForm(request.parts())
  const body = request.body as Readable | undefined
  if (!body || typeof body !== 'object' || !(Symbol.asyncIterator in body))
    throw new ServiceError('INVALID_REQUEST', {
      message: 'Send the file as multipart/form-data, or as a body of type text/csv or application/x-ndjson',
    })
  if (Number(request.headers['content-length']) > maxBytes)
    throw refusalOf(new TableError('too_large', `A file may have at most ${maxBytes} bytes.`))
  const type = request.headers['content-type'] ?? ''
  const kind = type.startsWith('application/x-ndjson') ? 'ndjson' : undefined
  // A request that is destroyed takes the connection with it, and the answer that says why.
  return { fileName: 'upload', kind, body: body.iterator({ destroyOnReturn: false }) }
}

async function fileOfForm(parts: AsyncIterator<Multipart>): Promise<File> {
  const part = await nextPart(parts)
  if (!part) throw new ServiceError('INVALID_REQUEST', { message: 'The form has no file part', field: 'file' })
  if (part.type === 'field') throw besidesTheFile(part)
  return { fileName: part.filename ?? 'upload', kind: undefined, body: theFileAlone(part.file, parts) }
}

/** The bytes of the file, and then a look at what else the form has: a second file would be lost in silence. */
async function* theFileAlone(file: Readable, parts: AsyncIterator<Multipart>): AsyncGenerator<Uint8Array> {
  try {
    yield* file
  } catch (cause) {
    throw brokenForm(cause)
  }
  const more = await nextPart(parts)
  if (more) throw besidesTheFile(more)
}

async function nextPart(parts: AsyncIterator<Multipart>): Promise<Multipart | null> {
  try {
    const { done, value } = await parts.next()
    return done ? null : value
  } catch (cause) {
    throw brokenForm(cause)
  }
}

function besidesTheFile(part: Multipart): ServiceError {
  if (part.type === 'file') part.file.resume()
  return new ServiceError('INVALID_REQUEST', {
    message: 'The form may have one file and nothing else; catalog_id, source and map go into the query',
    field: part.fieldname,
  })
}

const brokenForm = (cause: unknown) =>
  new ServiceError('INVALID_REQUEST', { message: 'The form is no whole multipart/form-data body', cause })
