/** GET …/audit: who changed what, newest first. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { listAudit } from '../../infra/catalog/audit.ts'
import type { Catalog } from '../../infra/catalog/postgres.ts'
import { oneLine } from '../../schemas/display-name.ts'
import { brandId, workspaceId } from '../../schemas/ids.ts'
import { instant } from '../../schemas/instant.ts'
import { listQuery, nextTimeCursor, readTimeCursor } from '../cursor.ts'
import { bearerOf, principalOf } from '../plugins/access.ts'
import { exampleAuditEntry } from './examples.ts'

const entry = z.object({
  id: z.uuid(),
  at: z.iso.datetime(),
  brandId: brandId.nullable(),
  subject: z.string(),
  action: z.string(),
  target: z.string(),
  requestId: z.string(),
  before: z.record(z.string(), z.unknown()).nullable(),
  after: z.record(z.string(), z.unknown()).nullable(),
})

/** Postgres keeps no NUL in a text. */
const text = z.string().max(300).regex(oneLine, 'has control characters')

export const audit: FastifyPluginAsyncZod<{ catalog: Pick<Catalog, 'withTenant'> }> = async (app, { catalog }) => {
  app.get(
    '/audit',
    {
      config: { action: 'audit:read' },
      schema: {
        summary: 'Changes of settings and access, newest first',
        examples: { query: { limit: 20 }, answer: { entries: [exampleAuditEntry], next: null } },
        tags: ['Audit'],
        params: z.object({ workspaceId }),
        querystring: listQuery.extend({
          brand_id: z.union([brandId, z.literal('all')]).optional(),
          action: text.optional(),
          subject: text.optional(),
          since: instant.optional(),
        }),
        response: { 200: z.object({ entries: z.array(entry), next: z.string().nullable() }) },
      },
    },
    async (request) => {
      const { after, limit, action, subject, since } = request.query
      const rows = await catalog.withTenant(principalOf(bearerOf(request)), (tx) =>
        listAudit(
          tx,
          { action, subject, since: since === undefined ? undefined : new Date(since) },
          readTimeCursor(after),
          limit + 1,
        ),
      )
      const entries = rows.slice(0, limit).map(({ brand, micros: _micros, at, before, after, ...row }) => ({
        ...row,
        at: at.toISOString(),
        brandId: brand,
        before: before as Record<string, unknown> | null,
        after: after as Record<string, unknown> | null,
      }))
      return { entries, next: nextTimeCursor(rows, limit) }
    },
  )
}
