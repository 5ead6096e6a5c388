/** GET …/products/{id}/provenance: for each field who said its value, where, and what was made of it on the way. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { importNames, type NamedImport } from '../../infra/catalog/import-names.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { productId, workspaceId } from '../../schemas/ids.ts'
import { familyRow } from '../../schemas/pipeline.ts'
import type { SaidCell } from '../../transforms/bronze/provenance.ts'
import { bearerOf, principalOf } from '../plugins/access.ts'
import { exampleFieldProvenance } from './examples.ts'
import { presentProducts } from './present-products.ts'
import type { ProductPorts, Provenance } from './product-ports.ts'

const who = z.object({ by: z.string().nullable(), at: z.iso.datetime() })
const saidCell = z.object({
  source: z.string(),
  column: z.string(),
  /** Why the column stands for the field. */
  mapped: z.string().nullable(),
  raw: z.union([z.string(), z.array(z.string())]),
  clears: z.boolean(),
  import: who.extend({ id: z.uuid(), fileName: z.string() }).nullable(),
  row: z.int().nullable(),
  /** Taken from an edit of the family's parent, or from a parent that another source tells. */
  fromFamily: z.boolean(),
  editor: who.nullable(),
  /** The inbound topic by which it came, as its writer names it. */
  topic: z.string().nullable(),
  /** Half of an odd number: a redriven message of a tenant's topic, which counts between two records. */
  position: z.object({ epoch: z.int(), partition: z.int(), offset: z.number() }),
})
const fieldProvenance = z.object({
  field: z.string(),
  value: z.unknown(),
  from: saidCell.nullable(),
  steps: z.array(z.object({ step: z.string(), says: z.string() })),
  others: z.array(saidCell),
})

export const productProvenance: FastifyPluginAsyncZod<ProductPorts> = async (app, ports) => {
  const { catalog, provenance } = ports
  const { read } = presentProducts(ports)
  app.get(
    '/catalog/products/:productId/provenance',
    {
      config: { action: 'products:read' },
      schema: {
        summary: 'Tell where the values of a product come from',
        description:
          'For each field the cell that won with its source, column and why that stands for the field, row, inbound topic or editor and position on the log, the steps that made the value of it, and what other sources say. `from` is null where no source gives the value.',
        tags: ['Products'],
        errors: ['NOT_FOUND'],
        examples: { answer: { fields: [exampleFieldProvenance] } },
        params: z.object({ workspaceId, productId }),
        response: { 200: z.object({ fields: z.array(fieldProvenance) }) },
      },
    },
    async (request) => {
      const bearer = bearerOf(request)
      const row = await read(bearer, request.params.productId)
      const found = await provenance({ workspace: row.workspaceId, catalog: row.catalogId }, row.id)
      if (!found) throw new ServiceError('NOT_FOUND', { message: 'Product not found', field: 'productId' })
      const cells = found.fields.flatMap(({ from, others }) => (from ? [from, ...others] : others))
      const ids = new Set(cells.flatMap(({ origin }) => origin.import ?? []))
      const imports = await catalog.withTenant(principalOf(bearer), (tx) => importNames(tx, [...ids]))
      const fields = found.fields.map(({ field, value, from, steps, others }) => ({
        field,
        value,
        from: from && toCell(from, found, imports),
        steps: steps.map((step) => ({ ...step })),
        others: others.map((one) => toCell(one, found, imports)),
      }))
      return { fields }
    },
  )
}

function toCell(
  { source, column, mapped, raw, clears, origin }: SaidCell,
  { said }: Provenance,
  imports: ReadonlyMap<string, NamedImport>,
): z.infer<typeof saidCell> {
  const at = said.get(`${origin.epoch}:${origin.offset}`)
  if (!at) throw new Error(`nothing is known of ${origin.epoch}:${origin.offset}`)
  const file = origin.import === null ? undefined : imports.get(origin.import)
  return {
    source,
    column,
    mapped,
    raw: typeof raw === 'string' ? raw : [...raw],
    clears,
    import: file ? { id: file.id, fileName: file.fileName, by: file.by, at: file.at.toISOString() } : null,
    row: origin.row === familyRow ? null : origin.row,
    fromFamily: origin.row === familyRow,
    editor: at.at === null ? null : { by: at.by, at: at.at },
    topic: at.topic,
    position: at.position,
  }
}
