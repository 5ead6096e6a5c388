/** Decisions on an import: a held one is released or discarded, a completed one undone or redone. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Notify } from '../../infra/catalog/job-table.ts'
import type { Catalog } from '../../infra/catalog/postgres.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { brandId, importId, jobId, workspaceId } from '../../schemas/ids.ts'
import { bearerOf } from '../plugins/access.ts'
import { exampleIds, exampleImport } from './examples.ts'
import { importOf } from './import-of.ts'
import { importResource, toImportResource } from './import-resource.ts'
import { notifyOf } from './notify-of.ts'

interface Order {
  readonly id: string
  readonly workspace: string
  readonly brand: string
  readonly catalog: string
  readonly by: string
  readonly requestId: string
}
type Decision = { readonly job: string } | { readonly refused: string }

export interface ImportDecisionPorts {
  readonly catalog: Pick<Catalog, 'withTenant'>
  readonly holding: {
    release(order: Order, notify: Notify | null): Promise<Decision>
    /** @returns why not, or null */
    discard(order: Order): Promise<string | null>
  }
  readonly undoing: { start(order: Order, kind: 'undo' | 'redo', notify: Notify | null): Promise<Decision> }
}

const body = z.strictObject({ notify_email: z.boolean().optional(), brand_id: brandId.optional() }).nullish()

const lost =
  'Where the log has lost records that may have been of its products, the job fails with `log_incomplete` and does nothing; its result names the offsets in `holes`.'

/** Each starts a job. */
const jobs = {
  release: {
    summary: 'Let a held import go on',
    description:
      'As a new job, which appends what the import was held for. Refused where a later import of the same source is in force.',
  },
  undo: {
    summary: 'Undo an import',
    description:
      'The catalog becomes what it would be had the import never happened; later edits stay, and so does what another import said too. Products that a snapshot removed come back. Undone twice is undone once. Refused while the import runs. ' +
      lost,
  },
  redo: { summary: 'Take an undone import back in', description: `As if it had never been undone. ${lost}` },
} as const

export const importDecisions: FastifyPluginAsyncZod<ImportDecisionPorts> = async (
  app,
  { catalog, holding, undoing },
) => {
  const tags = ['Imports']
  const params = z.object({ workspaceId, importId })
  const orderOf = async (request: Parameters<typeof bearerOf>[0], of: string): Promise<Order> => {
    const bearer = bearerOf(request)
    const { id, workspace, brand, catalog: into } = await importOf(catalog, bearer, of)
    return { id, workspace, brand, catalog: into, by: bearer.subject, requestId: request.id }
  }
  const start = (kind: keyof typeof jobs, order: Order, notify: Notify | null) =>
    kind === 'release' ? holding.release(order, notify) : undoing.start(order, kind, notify)

  for (const kind of Object.keys(jobs) as (keyof typeof jobs)[]) {
    app.post(
      `/imports/:importId/${kind}`,
      {
        config: { action: 'imports:write' },
        schema: {
          ...jobs[kind],
          tags,
          errors: ['NOT_FOUND', 'CONFLICT'],
          examples: { body: {}, answer: { job: { id: exampleIds.jobId } } },
          params,
          body,
          response: { 202: z.object({ job: z.object({ id: jobId }) }) },
        },
      },
      async (request, reply) => {
        const order = await orderOf(request, request.params.importId)
        const notify = await notifyOf(catalog, bearerOf(request), request.body?.notify_email)
        const decided = await start(kind, order, notify)
        if ('refused' in decided) throw new ServiceError('CONFLICT', { message: decided.refused })
        return reply.code(202).send({ job: { id: decided.job } })
      },
    )
  }

  app.post(
    '/imports/:importId/discard',
    {
      config: { action: 'imports:write' },
      schema: {
        summary: 'Discard a held import',
        description: 'Nothing of it was appended and nothing will be; its ledger and its file stay.',
        tags,
        errors: ['NOT_FOUND', 'CONFLICT'],
        examples: { answer: { import: { ...exampleImport, state: 'discarded' } } },
        params,
        response: { 200: z.object({ import: importResource }) },
      },
    },
    async (request) => {
      const order = await orderOf(request, request.params.importId)
      const refused = await holding.discard(order)
      if (refused !== null) throw new ServiceError('CONFLICT', { message: refused })
      return { import: toImportResource(await importOf(catalog, bearerOf(request), order.id)) }
    },
  )
}
