/** GET …/catalogs/{id}/export: a working catalog, or a version of it, as a file that can be edited and imported again. */
import { Readable } from 'node:stream'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Catalog } from '../../infra/catalog/postgres.ts'
import { findCatalog } from '../../infra/catalog/tenants.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { type ExportFormat, exportFormatNames, exportFormats } from '../../schemas/export.ts'
import { catalogId, workspaceId } from '../../schemas/ids.ts'
import { type ExportRow, exportColumns } from '../../transforms/versions/export-row.ts'
import { bearerOf, principalOf } from '../plugins/access.ts'
import { versionNumber } from '../whole-number.ts'
import { attachment } from './attachment.ts'
import { exportPages } from './export-pages.ts'
import { keptVersion, versionErrors } from './kept-version.ts'

export interface ExportPorts {
  readonly catalog: Pick<Catalog, 'withTenant'>
  /** The file's bytes, as they are made where the format allows it. */
  readonly writeExport: (format: ExportFormat, pages: AsyncIterable<readonly ExportRow[]>) => Promise<Readable>
}

const query = z.object({
  format: z.enum(exportFormatNames).default('csv'),
  version: versionNumber.optional(),
})

const bytes = z.string().meta({ format: 'binary' })
const columns = exportColumns.map((name) => `\`${name}\``).join(', ')

export const exports: FastifyPluginAsyncZod<ExportPorts> = async (app, { catalog, writeExport }) => {
  app.get(
    '/catalogs/:catalogId/export',
    {
      config: { action: 'products:read', long: true },
      schema: {
        summary: 'Export a catalog',
        description: `The working catalog, or with \`version\` a published one, as \`csv\`, \`ndjson\`, \`xlsx\`, \`parquet\` or \`arrow\` (a stream of Arrow IPC). Columns are always the same: ${columns}. Lists and objects are JSON in one cell. In CSV and XLSX an apostrophe stands before text that a spreadsheet would run as a formula. A file that is imported again is a set of edits: cells that say what the product says already change nothing, blank ones neither, and \`__CLEAR__\` clears. What breaks off in the middle is closed without its end.`,
        tags: ['Catalogs'],
        errors: ['CATALOG_NOT_FOUND', 'CATALOG_NOT_PUBLISHED', ...versionErrors],
        examples: { query: { format: 'csv' } },
        params: z.object({ workspaceId, catalogId }),
        querystring: query,
        answers: {
          200: [
            { type: 'text/csv', schema: z.string(), example: 'assay_id,assay_kind,…\r\n' },
            { type: 'application/x-ndjson', schema: z.string() },
            ...(['xlsx', 'parquet', 'arrow'] as const).map((format) => ({
              type: exportFormats[format],
              schema: bytes,
            })),
          ],
        },
      },
    },
    async (request, reply) => {
      const { format, version = null } = request.query
      const principal = principalOf(bearerOf(request))
      const row = await catalog.withTenant(principal, async (tx) => {
        const found = await findCatalog(tx, request.params.catalogId)
        if (!found) throw new ServiceError('CATALOG_NOT_FOUND', { field: 'catalogId' })
        if (version === null) return found
        if (found.publishedVersion === 0) throw new ServiceError('CATALOG_NOT_PUBLISHED', { field: 'version' })
        await keptVersion(tx, found, version, 'version')
        return found
      })
      if (version !== null) reply.header('x-catalog-version', String(version))
      reply
        .header('content-disposition', attachment(row.name, `${version === null ? '' : `-v${version}`}.${format}`))
        .type(exportFormats[format])
      if (request.method === 'HEAD') return reply.send(Readable.from([]))
      const inTenant = <T>(work: Parameters<typeof catalog.withTenant<T>>[1]) => catalog.withTenant(principal, work)
      const pages = exportPages(inTenant, row.id, version, () => reply.raw.destroyed)
      return reply.send(await writeExport(format, pages))
    },
  )
}
