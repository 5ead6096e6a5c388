/** …/imports/{id}/rejects, /file and /rows/download: what became of an import's rows as files, streamed. */
import type { Readable } from 'node:stream'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { RowNote } from '../../infra/catalog/import-ledger.ts'
import type { LedgerRow, NoteFilter } from '../../infra/catalog/import-queries.ts'
import type { Catalog } from '../../infra/catalog/postgres.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { importId, workspaceId } from '../../schemas/ids.ts'
import { noteResults } from '../../schemas/import.ts'
import type { Bearer } from '../access/principal.ts'
import { bearerOf, principalOf } from '../plugins/access.ts'
import { attachment } from './attachment.ts'
import { exampleImportRow } from './examples.ts'
import { importOf } from './import-of.ts'
import { importRows } from './import-rows.ts'

type Pages = AsyncIterable<readonly RowNote[]>

export interface ImportFilePorts {
  readonly catalog: Pick<Catalog, 'withTenant'>
  readonly importFiles: {
    /** @returns null where it is kept no longer */
    sent(spool: string): Promise<Readable | null>
    rejects(of: Pick<LedgerRow, 'spool' | 'options'>, notes: Pages): Promise<Readable | null>
    notes(format: 'csv' | 'ndjson', notes: Pages): Readable
  }
}

const pageRows = 2_000
const gone = { code: 'NOT_FOUND', status: 410 } as const
const types = { csv: 'text/csv; charset=utf-8', ndjson: 'application/x-ndjson' } as const
const bytes = z.string().meta({ format: 'binary' })

export const importFiles: FastifyPluginAsyncZod<ImportFilePorts> = async (app, { catalog, importFiles: files }) => {
  const tags = ['Imports']
  const params = z.object({ workspaceId, importId })

  /** By key pages, each a transaction of its own, so that a slow reader holds nothing back. */
  async function* rowsOf(bearer: Bearer, id: string, filter: NoteFilter, isGone: () => boolean): Pages {
    const read = (after: readonly [row: number, ordinal: number] | null): Promise<RowNote[]> =>
      catalog.withTenant(principalOf(bearer), (tx) => importRows(tx, id, filter, after, pageRows))
    for (let after: readonly [row: number, ordinal: number] | null = null; !isGone(); ) {
      const page: readonly RowNote[] = await read(after)
      yield page
      const last = page.at(-1)
      if (!last || page.length < pageRows) return
      after = [last.row, last.ordinal]
    }
  }

  const kept = <T>(file: T | null): T => {
    if (file !== null) return file
    throw new ServiceError(gone.code, { message: 'The file is kept no longer', field: 'importId', status: gone.status })
  }

  app.get(
    '/imports/:importId/rejects',
    {
      config: { action: 'products:read', long: true },
      schema: {
        summary: 'Download the rejected rows of an import',
        description:
          'As CSV in the columns of the file they come from, in its order, with `assay_row` and `assay_reason` before them; `assay_lists` says which cells are lists, and `assay_numbers`, of files that tell numbers from texts, which are numbers: their decimal mark is a point. Corrected, it is imported as it is: the columns of ours are left out, and it belongs to the same source. An apostrophe stands before text that a spreadsheet would run as a formula, and is taken off again.',
        tags,
        errors: ['NOT_FOUND', gone],
        params,
        answers: {
          200: { type: 'text/csv', schema: z.string(), example: 'assay_row,assay_reason,assay_lists,sku\r\n' },
        },
      },
    },
    async (request, reply) => {
      const bearer = bearerOf(request)
      const row = await importOf(catalog, bearer, request.params.importId)
      const notes = rowsOf(bearer, row.id, { result: 'rejected' }, () => reply.raw.destroyed)
      const file = kept(await files.rejects(row, notes))
      const name = attachment(`${row.fileName.replace(/\.\w{1,8}$/, '')}-rejects`, '.csv')
      return reply.header('content-disposition', name).type(types.csv).send(file)
    },
  )

  app.get(
    '/imports/:importId/file',
    {
      config: { action: 'products:read', long: true },
      schema: {
        summary: 'Download the file of an import as it was sent',
        description:
          'Byte for byte, so nothing in it is guarded against spreadsheets that run cells as formulas. Files are kept for 90 days after their last import.',
        tags,
        errors: ['NOT_FOUND', gone],
        params,
        answers: { 200: { type: 'application/octet-stream', schema: bytes, example: 'sku,title\nMUG-1,Enamel mug\n' } },
      },
    },
    async (request, reply) => {
      const row = await importOf(catalog, bearerOf(request), request.params.importId)
      const file = kept(await files.sent(row.spool))
      reply.header('content-disposition', attachment(row.fileName, '')).header('content-length', row.bytes)
      return reply.type('application/octet-stream').send(file)
    },
  )

  app.get(
    '/imports/:importId/rows/download',
    {
      config: { action: 'products:read', long: true },
      schema: {
        summary: 'Download the rows of an import with their results',
        description:
          'As they are listed. Of an import from before results were kept by row, those that have something to say, and the name of the file says so: `…-noted-rows`.',
        tags,
        errors: ['NOT_FOUND'],
        examples: { query: { format: 'ndjson', result: 'rejected' } },
        params,
        querystring: z.object({
          format: z.enum(['csv', 'ndjson']).default('ndjson'),
          result: z.enum(noteResults).optional(),
          code: z.string().min(1).max(100).optional(),
        }),
        answers: {
          200: [
            { type: 'application/x-ndjson', schema: z.string(), example: `${JSON.stringify(exampleImportRow)}\n` },
            { type: 'text/csv', schema: z.string() },
          ],
        },
      },
    },
    async (request, reply) => {
      const { format, ...filter } = request.query
      const bearer = bearerOf(request)
      const row = await importOf(catalog, bearer, request.params.importId)
      const notes = rowsOf(bearer, row.id, filter, () => reply.raw.destroyed)
      reply
        .header('content-disposition', attachment(`${row.fileName}${row.notedOnly ? '-noted' : ''}-rows`, `.${format}`))
        .type(types[format])
      return reply.send(files.notes(format, notes))
    },
  )
}
