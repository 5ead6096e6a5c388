/** …/datasets/uploads: a file in numbered parts, each of which may be sent again and again, until it is complete and imported. */
import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { PartRow, UploadRow } from '../infra/catalog/uploads.ts'
import { ServiceError } from '../schemas/errors.ts'
import { catalogId, workspaceId } from '../schemas/ids.ts'
import { uploadLimits } from '../schemas/upload.ts'
import type { Offer } from './accept.ts'
import { sha256Of } from './content-digest.ts'
import { datasetQuery, refusingFiles, type TargetPorts, wantedOf } from './dataset-query.ts'
import { examplePart, exampleUpload, partResource, toUpload, uploadResource } from './upload-resource.ts'

export interface CompleteUpload extends Omit<Offer, 'body' | 'fileName' | 'origin' | 'spooled'> {
  /** How many there are. */
  readonly parts: number
  /** Of the whole file, lowercase hex. */
  readonly sha256: string
}

export interface UploadPorts extends TargetPorts {
  readonly begin: (
    order: Pick<UploadRow, 'workspace' | 'brand' | 'fileName' | 'size' | 'sha256' | 'by'>,
  ) => Promise<{ upload: UploadRow; parts: readonly PartRow[]; begun: boolean }>
  /** Where the caller may see it. */
  readonly find: (request: FastifyRequest, id: string) => Promise<UploadRow | null>
  readonly parts: (request: FastifyRequest, id: string) => Promise<PartRow[]>
  readonly put: (
    upload: UploadRow,
    part: number,
    sent: { body: AsyncIterable<Uint8Array>; sha256: string | null },
  ) => Promise<Omit<PartRow, 'file'>>
  /** @returns the job that imports it */
  readonly complete: (upload: UploadRow, order: CompleteUpload) => Promise<string>
  readonly remove: (upload: UploadRow) => Promise<void>
}

const sha256 = z
  .string()
  .regex(/^[0-9a-fA-F]{64}$/, 'a SHA-256 is 64 hexadecimal digits')
  .toLowerCase()
const params = z.object({ workspaceId })
const one = params.extend({ uploadId: z.uuid().toLowerCase() })
const partNumber = z
  .string()
  .regex(/^[1-9]\d{0,4}$/, `a part is numbered from 1 to ${uploadLimits.parts}`)
  .refine((text) => Number(text) <= uploadLimits.parts, `a part is numbered from 1 to ${uploadLimits.parts}`)

const tags = ['Imports']
const answer = z.object({ upload: uploadResource })

export const uploads: FastifyPluginAsyncZod<UploadPorts> = async (app, ports) => {
  const { target, notify, maxUploadBytes } = ports
  const there = async (request: FastifyRequest, id: string): Promise<UploadRow> => {
    const found = await ports.find(request, id)
    if (!found) throw new ServiceError('NOT_FOUND', { message: 'Upload not found', field: 'uploadId' })
    return found
  }

  app.post(
    '/datasets/uploads',
    {
      config: { action: 'imports:write' },
      schema: {
        summary: 'Begin an upload in parts',
        description: `For files that are large or that come over a bad line: up to ${uploadLimits.parts} parts of at most ${uploadLimits.partBytes} bytes each. Who names size and SHA-256 and begins the same file again goes on where they were (200).`,
        tags,
        errors: ['CATALOG_NOT_FOUND'],
        examples: {
          body: { file_name: 'autumn.csv', size: 52_428_800, sha256: exampleUpload.sha256 },
          answer: { upload: exampleUpload },
        },
        params,
        body: z.strictObject({
          file_name: z.string().min(1).max(255),
          /** In bytes. */
          size: z.int().min(1).optional(),
          sha256: sha256.optional(),
          /** Whose brand may see the upload; where the file goes is said when it is complete. */
          catalog_id: catalogId.optional(),
        }),
        response: { 200: answer, 201: answer },
      },
    },
    async (request, reply) => {
      const { file_name: fileName, size, sha256, catalog_id } = request.body
      if (size !== undefined && size > maxUploadBytes)
        throw new ServiceError('INVALID_REQUEST', {
          status: 413,
          message: `A file may have at most ${maxUploadBytes} bytes`,
          field: 'size',
        })
      const { workspace, brand, by } = await target(request, catalog_id)
      const order = { workspace, brand, fileName, size: size ?? null, sha256: sha256 ?? null, by }
      const { upload, parts, begun } = await ports.begin(order)
      return reply.code(begun ? 201 : 200).send({ upload: toUpload(upload, parts) })
    },
  )

  app.get(
    '/datasets/uploads/:uploadId',
    {
      config: { action: 'imports:write' },
      schema: {
        summary: 'See which parts of an upload are there',
        description: 'With size and SHA-256 of each, so that an upload goes on days later.',
        tags,
        errors: ['NOT_FOUND'],
        examples: { answer: { upload: exampleUpload } },
        params: one,
        response: { 200: answer },
      },
    },
    async (request) => {
      const upload = await there(request, request.params.uploadId)
      return { upload: toUpload(upload, await ports.parts(request, upload.id)) }
    },
  )

  app.post(
    '/datasets/uploads/:uploadId/complete',
    {
      config: { action: 'imports:write', long: true },
      schema: {
        summary: 'Import an upload whose parts are all there',
        description:
          'The parts are joined in the order of their numbers and must have the SHA-256 that is named; then the file is imported as by `datasets/ingest`, whose query this takes. Asked twice, it is the same job.',
        tags,
        errors: ['NOT_FOUND', 'CATALOG_NOT_FOUND', 'CONFLICT', 'PLAN_LIMIT', { code: 'INVALID_REQUEST', status: 422 }],
        examples: {
          body: { parts: 5, sha256: exampleUpload.sha256 },
          answer: { job: { id: '9e4d3c2b-1a0f-4e8d-9c7b-6a5f4e3d2c43' } },
        },
        params: one,
        querystring: datasetQuery,
        body: z.strictObject({ parts: z.int().min(1).max(uploadLimits.parts), sha256 }),
        response: { 202: z.object({ job: z.object({ id: z.uuid() }) }) },
      },
    },
    async (request, reply) => {
      const upload = await there(request, request.params.uploadId)
      const scope = await target(request, request.query.catalog_id)
      const told = await notify(request, request.query.notify_email === 'true')
      const order = { ...scope, ...wantedOf(request.query), ...request.body, notify: told }
      // Nothing comes or goes while gigabytes are joined: this is no sender who is gone. The next request has its limit again.
      request.raw.socket.setTimeout?.(0)
      const id = await refusingFiles(request, () => ports.complete(upload, order))
      return reply.code(202).send({ job: { id } })
    },
  )

  app.delete(
    '/datasets/uploads/:uploadId',
    {
      config: { action: 'imports:write' },
      schema: {
        summary: 'Give an upload up',
        description: 'Its parts are gone at once. One that is complete is an import, and stays.',
        tags,
        errors: ['NOT_FOUND', 'CONFLICT'],
        examples: { answer: { upload: { ...exampleUpload, parts: [], received: 0 } } },
        params: one,
        response: { 200: answer },
      },
    },
    async (request) => {
      const upload = await there(request, request.params.uploadId)
      await ports.remove(upload)
      return { upload: toUpload(upload, []) }
    },
  )

  await app.register(async (raw: typeof app) => {
    // Whatever it is called, a part is its bytes.
    raw.removeAllContentTypeParsers()
    raw.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
    raw.put(
      '/datasets/uploads/:uploadId/parts/:part',
      {
        config: { action: 'imports:write', long: true, readsFile: true },
        bodyLimit: uploadLimits.partBytes,
        schema: {
          summary: 'Send a part of an upload',
          description:
            'The body is the bytes of the part, of any content type. Sent again with the same bytes it is the same; with others it takes the place of the former. A `Content-Digest` with `sha-256` is checked. Once it is answered, the part is on disk.',
          tags,
          errors: ['NOT_FOUND', 'CONFLICT', 'PLAN_LIMIT'],
          bodies: [{ type: 'application/octet-stream', schema: z.string().meta({ format: 'binary' }) }],
          examples: { params: { part: '1' }, answer: { part: examplePart } },
          params: one.extend({ part: partNumber }),
          response: { 200: z.object({ part: partResource }) },
        },
      },
      async (request) => {
        const declared = Number(request.headers['content-length'])
        const tooLarge = declared > uploadLimits.partBytes
        const part = await refusingFiles(request, async () => {
          const upload = await there(request, request.params.uploadId)
          if (tooLarge)
            throw new ServiceError('INVALID_REQUEST', {
              status: 413,
              message: `A part may have at most ${uploadLimits.partBytes} bytes`,
            })
          const body = request.body as Readable | undefined
          if (!body) throw new ServiceError('INVALID_REQUEST', { message: 'A part has at least one byte' })
          return ports.put(upload, Number(request.params.part), {
            body: body.iterator({ destroyOnReturn: false }),
            sha256: sha256Of(request.headers['content-digest']),
          })
        })
        return { part }
      },
    )
  })
}
