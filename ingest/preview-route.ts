/** POST …/import/preview: takes a file as an import does, answers with what its beginning tells, and with the job that tells what an import of the whole would do. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { workspaceId } from '../schemas/ids.ts'
import { fieldNames } from '../schemas/product.ts'
import type { Offer } from './accept.ts'
import { datasetQuery, type RepeatPorts, refusingFiles, type TargetPorts, wantedOf } from './dataset-query.ts'
import { fileBodies, fileOf } from './file-body.ts'
import type { Previewed } from './preview.ts'
import { tableKinds } from './readers/table.ts'

export interface PreviewPorts {
  readonly preview: (offer: Offer) => Promise<Previewed>
}

const cell = z.union([z.string(), z.array(z.string())])

const previewResource = z.object({
  id: z.uuid(),
  /** That an import would have, and why. */
  source: z.object({ name: z.string(), reason: z.string() }),
  format: z.enum(tableKinds),
  encoding: z.string().nullable(),
  delimiter: z.string().nullable(),
  platform: z.string().nullable(),
  /** In the file's order; what is said of numbers, currencies, dates and languages is from the first rows, and in the job's result from all. */
  columns: z.array(
    z.object({
      name: z.string(),
      field: z.enum(fieldNames as [string, ...string[]]).nullable(),
      reason: z.string().nullable(),
      numbers: z.object({ decimal: z.enum(['.', ',']).nullable(), reason: z.string() }).nullable(),
      currency: z.object({ code: z.string(), reason: z.string(), guess: z.boolean() }).nullable(),
      dates: z.object({ order: z.enum(['day first', 'month first']).nullable(), reason: z.string() }).nullable(),
      /** Of texts, by a sample; `language` is null where that does not tell. */
      language: z.object({ language: z.string().nullable(), confidence: z.number(), reason: z.string() }).nullable(),
    }),
  ),
  /** At most 50; long cells are cut. */
  rows: z.array(z.object({ row: z.int(), cells: z.array(cell), fault: z.string().nullable() })),
  notes: z.array(z.string()),
  /** Why it could not be imported as it is. */
  problem: z.object({ code: z.string(), message: z.string() }).nullable(),
})

const column = { reason: 'the name of our field', numbers: null, currency: null, dates: null, language: null }
const example = {
  job: { id: '9e4d3c2b-1a0f-4e8d-9c7b-6a5f4e3d2c43' },
  preview: {
    id: '2b3c4d5e-6f70-4182-93a4-b5c6d7e8f901',
    source: { name: 'warehouse', reason: 'source warehouse: named by the caller' },
    format: 'delimited',
    encoding: 'utf-8',
    delimiter: ',',
    platform: 'generic',
    columns: [
      { ...column, name: 'sku', field: 'sku' },
      { ...column, name: 'title', field: 'title' },
      {
        ...column,
        name: 'price',
        field: 'price',
        numbers: { decimal: '.', reason: '1 of 1 numbers has a point before two digits' },
      },
    ],
    rows: [{ row: 1, cells: ['MUG-1', 'Enamel mug', '12.50'], fault: null }],
    notes: ['encoding UTF-8', 'delimiter comma: cuts the header into 3 cells, and 1 of the first 1 records alike'],
    problem: null,
  },
}

export const previews: FastifyPluginAsyncZod<PreviewPorts & TargetPorts & RepeatPorts> = async (
  app,
  { preview, target, notify, maxUploadBytes, sameFile, replayed },
) => {
  app.post(
    '/import/preview',
    {
      config: { action: 'imports:write', long: true, readsFile: true },
      bodyLimit: maxUploadBytes,
      schema: {
        summary: 'See what an import of a file would do',
        description:
          'Takes what `datasets/ingest` takes. The answer has the first rows and how each column is read; the job is the dry run of the whole file, and its result says how many rows would be created, updated, unchanged, duplicate and rejected, with the reasons, how many products a snapshot would remove, and whether the import would be held. Nothing of the catalog changes. The file is kept for two days: `datasets/ingest?preview={id}` imports it without sending it again.',
        tags: ['Imports'],
        errors: ['CATALOG_NOT_FOUND', 'PLAN_LIMIT'],
        bodies: fileBodies,
        examples: { query: { source: 'warehouse' }, answer: example },
        params: z.object({ workspaceId }),
        querystring: datasetQuery,
        response: { 202: z.object({ job: z.object({ id: z.uuid() }), preview: previewResource }) },
      },
    },
    async (request, reply) => {
      const { catalog_id, notify_email } = request.query
      const scope = await target(request, catalog_id)
      const told = await notify(request, notify_email === 'true')
      try {
        const { job, ...shown } = await refusingFiles(request, async () => {
          const file = await fileOf(request, maxUploadBytes)
          const wanted = wantedOf(request.query)
          const spooled = (sha256: string) => sameFile(request, sha256)
          return preview({ ...scope, ...file, ...wanted, notify: told, spooled })
        })
        // What cannot be said of a file is null, not left out.
        return await reply.code(202).send({ job: { id: job }, preview: previewResource.parse(shown) })
      } catch (error) {
        return replayed(error, reply)
      }
    },
  )
}
