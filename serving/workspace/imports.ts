/** …/imports: the ledger of each import, and what became of each row. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { listLedgers } from '../../infra/catalog/import-queries.ts'
import type { Catalog } from '../../infra/catalog/postgres.ts'
import { brandId, catalogId, importId, workspaceId } from '../../schemas/ids.ts'
import { importStates, noteResults } from '../../schemas/import.ts'
import { listQuery, nextTextCursor, nextTimeCursor, readTextCursor, readTimeCursor } from '../cursor.ts'
import { bearerOf, principalOf } from '../plugins/access.ts'
import { exampleImport, exampleImportRow } from './examples.ts'
import { importOf } from './import-of.ts'
import {
  importResource,
  noteResource,
  rowsListed,
  rowsListedOf,
  toImportResource,
  toNoteResource,
} from './import-resource.ts'
import { importRows } from './import-rows.ts'

const place = /^\d{1,15}:\d{1,5}$/
/** A code or a source's name, as a query has it. */
const word = z.string().min(1).max(100)

export const imports: FastifyPluginAsyncZod<{ catalog: Pick<Catalog, 'withTenant'> }> = async (app, { catalog }) => {
  const tags = ['Imports']
  const params = z.object({ workspaceId, importId })

  app.get(
    '/imports',
    {
      config: { action: 'products:read' },
      schema: {
        summary: 'Imports, newest first',
        tags,
        examples: { query: { limit: 20, state: 'held' }, answer: { imports: [exampleImport], next: null } },
        params: z.object({ workspaceId }),
        querystring: listQuery.extend({
          brand_id: z.union([brandId, z.literal('all')]).optional(),
          catalog_id: catalogId.optional(),
          state: z.enum(importStates).optional(),
          source: word.optional(),
        }),
        response: { 200: z.object({ imports: z.array(importResource), next: z.string().nullable() }) },
      },
    },
    async (request) => {
      const { after, limit, catalog_id, state, source } = request.query
      const bearer = bearerOf(request)
      const named = source === undefined || source === 'api' ? source : `file:${source}`
      const filter = { catalog: catalog_id ?? bearer.catalog ?? undefined, state, source: named }
      const rows = await catalog.withTenant(principalOf(bearer), (tx) =>
        listLedgers(tx, filter, readTimeCursor(after), limit + 1),
      )
      return { imports: rows.slice(0, limit).map(toImportResource), next: nextTimeCursor(rows, limit) }
    },
  )

  app.get(
    '/imports/:importId',
    {
      config: { action: 'products:read' },
      schema: {
        summary: 'Read the ledger of an import',
        description:
          'At every moment `read` = `created` + `updated` + `unchanged` + `duplicate` + `rejected`; once an import is completed `read` is `rows`. `removed` counts products whose listing a snapshot ended.',
        tags,
        errors: ['NOT_FOUND'],
        examples: { answer: { import: exampleImport } },
        params,
        response: { 200: z.object({ import: importResource }) },
      },
    },
    async (request) => ({
      import: toImportResource(await importOf(catalog, bearerOf(request), request.params.importId)),
    }),
  )

  app.get(
    '/imports/:importId/rows',
    {
      config: { action: 'products:read' },
      schema: {
        summary: 'List the rows of an import with their results',
        description:
          'Each row of the file in its order, and as many by result as the ledger counts; a row with several warnings stands there with each. A row that has nothing to say has a result and nulls. With `code`, and of an import from before results were kept by row (`listed` is `noted`), only those that were rejected, repeat another row, or carry a warning. While an import runs, rows may come in before those that were listed.',
        tags,
        errors: ['NOT_FOUND'],
        examples: { query: { result: 'rejected' }, answer: { rows: [exampleImportRow], next: null, listed: 'all' } },
        params,
        querystring: listQuery.extend({ result: z.enum(noteResults).optional(), code: word.optional() }),
        response: { 200: z.object({ rows: z.array(noteResource), next: z.string().nullable(), listed: rowsListed }) },
      },
    },
    async (request) => {
      const { after, limit, result, code } = request.query
      const bearer = bearerOf(request)
      const [row, ordinal] = readTextCursor(after, place)?.split(':').map(Number) ?? []
      const from = row === undefined || ordinal === undefined ? null : ([row, ordinal] as const)
      const ledger = await importOf(catalog, bearer, request.params.importId)
      const found = await catalog.withTenant(principalOf(bearer), (tx) =>
        importRows(tx, ledger.id, { result, code }, from, limit + 1),
      )
      const places = found.map((one) => `${one.row}:${one.ordinal}`)
      const rows = found.slice(0, limit).map(toNoteResource)
      return { rows, next: nextTextCursor(places, limit), listed: rowsListedOf(ledger) }
    },
  )
}
