/** POST …/datasets/ingest: takes a file as multipart, or a raw or NDJSON body, and answers with the job that imports it. */
import multipart from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { PreviewRow } from '../infra/catalog/previews.ts'
import { ServiceError } from '../schemas/errors.ts'
import { workspaceId } from '../schemas/ids.ts'
import type { Offer, Wanted } from './accept.ts'
import { datasetQuery, type RepeatPorts, refusingFiles, type TargetPorts, wantedOf } from './dataset-query.ts'
import { fileBodies, fileOf } from './file-body.ts'
import { type PreviewPorts, previews } from './preview-route.ts'

export interface DatasetPorts extends TargetPorts, RepeatPorts, PreviewPorts {
  readonly accept: (offer: Offer) => Promise<string>
  /** @returns null where the file is kept no longer */
  readonly acceptPreviewed: (row: PreviewRow, wanted: Wanted) => Promise<string | null>
  /** Where the caller may see it. */
  readonly findPreview: (request: FastifyRequest, id: string) => Promise<PreviewRow | null>
}

export const datasets: FastifyPluginAsyncZod<DatasetPorts> = async (app, ports) => {
  const { accept, target, notify, maxUploadBytes, sameFile, replayed } = ports
  // The spool counts: a limit here would cut the file and say nothing.
  app.removeAllContentTypeParsers()
  await app.register(multipart, { limits: { fileSize: Number.POSITIVE_INFINITY, files: 2, fields: 10 } })
  // Whatever it is called, a body is a file, and is not held in memory. Of forms, one kind has files.
  app.addContentTypeParser(/^multipart\/(?!form-data)/, (_request, _payload, done) => done(otherForm()))
  app.addContentTypeParser('*', (request, payload, done) => done(null, hasBody(request) ? payload : undefined))
  // Registered under a prefix of its own it would have the workspace's twice.
  await previews(app, ports)

  app.post(
    '/datasets/ingest',
    {
      config: { action: 'imports:write', long: true, readsFile: true },
      bodyLimit: maxUploadBytes,
      schema: {
        summary: 'Import a file of products',
        description:
          'CSV, JSON, NDJSON, XML (product feeds of Google, Heureka and Yandex, and any other with one element a product), XLSX, Parquet or Arrow IPC, each also packed as .gz, .zst or .zip, as a form with one file or as the body itself; the bytes tell which, whatever content type they are sent with, and `kind` is for those who want nothing else to be taken. `encoding` says what text is written in and `sheet` which of a workbook is read, where it should not be found out. The job says how many products were made of it. A file with the column `assay_id`, as every export has it, is a set of edits. With `mode=snapshot` the file is all that its source has: products that it lacks are withdrawn from the source, and those that no other source has go. With `preview` and no body, the file of that preview is imported as it was previewed, but for what else the query says; asked twice, it is the same job.',
        tags: ['Imports'],
        errors: ['CATALOG_NOT_FOUND', 'NOT_FOUND', 'PLAN_LIMIT'],
        bodies: fileBodies,
        examples: {
          query: { source: 'warehouse' },
          answer: { job: { id: '9e4d3c2b-1a0f-4e8d-9c7b-6a5f4e3d2c43' } },
        },
        params: z.object({ workspaceId }),
        querystring: datasetQuery.extend({ preview: z.uuid().toLowerCase().optional() }),
        response: { 202: z.object({ job: z.object({ id: z.uuid() }) }) },
      },
    },
    async (request, reply) => {
      const { catalog_id, notify_email, preview } = request.query
      const previewed = preview === undefined ? null : await previewFor(request, preview, ports)
      const scope = await target(request, previewed?.catalog ?? catalog_id)
      const told = await notify(request, notify_email === 'true')
      const wanted = {
        ...wantedOf(request.query),
        by: scope.by,
        notify: told,
        spooled: (sha256: string) => sameFile(request, sha256),
      }
      const start = async () => {
        if (previewed) return ports.acceptPreviewed(previewed, wanted)
        const file = await fileOf(request, maxUploadBytes)
        return accept({ ...scope, ...wanted, ...file })
      }
      try {
        const id = await refusingFiles(request, start)
        if (id === null) throw noPreview()
        return await reply.code(202).send({ job: { id } })
      } catch (error) {
        return replayed(error, reply)
      }
    },
  )
}

/** Clients name a type also where they send nothing, as with a preview. */
const hasBody = ({ headers }: FastifyRequest) => headers['content-length'] !== '0'

const otherForm = () =>
  new ServiceError('INVALID_REQUEST', {
    status: 415,
    message: 'Of forms, multipart/form-data is read; send the file so, or as the body itself',
  })

async function previewFor(
  request: FastifyRequest<{ Querystring: { catalog_id?: string | undefined } }>,
  id: string,
  { findPreview }: Pick<DatasetPorts, 'findPreview'>,
): Promise<PreviewRow> {
  if (request.body != null || request.isMultipart())
    throw new ServiceError('INVALID_REQUEST', {
      message: 'Name a preview or send a file, not both',
      field: 'preview',
    })
  const found = await findPreview(request, id)
  if (!found) throw noPreview()
  const { catalog_id } = request.query
  if (catalog_id !== undefined && catalog_id !== found.catalog)
    throw new ServiceError('INVALID_REQUEST', {
      message: 'The file was previewed for another catalog; send it again for this one',
      field: 'catalog_id',
    })
  return found
}

const noPreview = () =>
  new ServiceError('NOT_FOUND', {
    message: 'There is no such preview, or no more; send the file again',
    field: 'preview',
  })
