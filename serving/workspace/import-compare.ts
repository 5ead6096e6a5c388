/** GET …/imports/{id}/compare: what the file of an import has that another file of its source had not, and the other way round. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { type LedgerRow, listLedgers } from '../../infra/catalog/import-queries.ts'
import type { Catalog } from '../../infra/catalog/postgres.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { importId, workspaceId } from '../../schemas/ids.ts'
import type { Bearer } from '../access/principal.ts'
import { bearerOf, principalOf } from '../plugins/access.ts'
import { exampleIds } from './examples.ts'
import { importOf } from './import-of.ts'

const difference = z.object({
  kind: z.enum(['added', 'removed', 'changed']),
  /** What identifies the row: its SKU, source id, GTIN, MPN with brand or link; null where it has none. */
  key: z.string().nullable(),
  /** Data record of the file, from 1. */
  row: z.int().nullable(),
  rowBefore: z.int().nullable(),
})

const comparison = z.object({
  with: importId,
  rows: z.int(),
  rowsBefore: z.int(),
  added: z.int(),
  removed: z.int(),
  changed: z.int(),
  unchanged: z.int(),
  differences: z.array(difference),
})

export interface ImportComparePorts {
  readonly catalog: Pick<Catalog, 'withTenant'>
  /** @returns null where a file is kept no longer */
  readonly compareImports: (
    now: LedgerRow,
    before: LedgerRow,
    limit: number,
  ) => Promise<Omit<z.infer<typeof comparison>, 'with'> | null>
}

/** Between one whole file of a source and the next there are few of other kinds. */
const lookBack = 200

export const importCompare: FastifyPluginAsyncZod<ImportComparePorts> = async (app, { catalog, compareImports }) => {
  /** The completed import of the same source that came before. */
  async function former(bearer: Bearer, { micros, id, catalog: of, source }: LedgerRow): Promise<LedgerRow> {
    const filter = { catalog: of, source, state: 'completed' }
    const rows = await catalog.withTenant(principalOf(bearer), (tx) =>
      listLedgers(tx, filter, { micros, id }, lookBack),
    )
    const found = rows.find(({ options }) => !options.rejects)
    if (found) return found
    throw new ServiceError('NOT_FOUND', {
      message: 'The source has no completed import before this one',
      field: 'with',
    })
  }

  app.get(
    '/imports/:importId/compare',
    {
      config: { action: 'products:read', long: true },
      schema: {
        summary: 'Compare the file of an import with the one before',
        description:
          'Row by row, by SKU, source id, GTIN, MPN with brand, or link: how many rows were added, removed, changed and left as they were, and the first differences. Without `with` it is compared with the last completed import of the same source.',
        tags: ['Imports'],
        errors: ['NOT_FOUND', 'CONFLICT', { code: 'NOT_FOUND', status: 410 }],
        examples: {
          query: { limit: 20 },
          answer: {
            comparison: {
              ...{ with: exampleIds.importId, rows: 415, rowsBefore: 412, added: 4, removed: 1, changed: 300 },
              ...{ unchanged: 111, differences: [{ kind: 'changed', key: 'MUG-1', row: 1, rowBefore: 1 }] },
            },
          },
        },
        params: z.object({ workspaceId, importId }),
        querystring: z.object({
          with: importId.optional(),
          limit: z.coerce.number().int().min(1).max(200).default(20),
        }),
        response: { 200: z.object({ comparison }) },
      },
    },
    async (request) => {
      const bearer = bearerOf(request)
      const { with: named, limit } = request.query
      const now = await importOf(catalog, bearer, request.params.importId)
      const before = named === undefined ? await former(bearer, now) : await importOf(catalog, bearer, named)
      if (now.context === null || before.context === null)
        throw new ServiceError('CONFLICT', { message: 'One of the files was never read to its end' })
      const found = await compareImports(now, before, limit)
      if (found === null)
        throw new ServiceError('NOT_FOUND', { message: 'One of the files is kept no longer', status: 410 })
      return { comparison: { with: before.id, ...found } }
    },
  )
}
