/** Writes products: create (endpoint 5), change, delete and its undoing; every write is a record that the worker judges. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { findProduct, skuIsTaken } from '../../infra/catalog/product-queries.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { brandId, productId, workspaceId } from '../../schemas/ids.ts'
import type { Cells } from '../../schemas/pipeline.ts'
import { readIdentifier } from '../../transforms/silver/text.ts'
import { changedSince, matched } from '../entity-tag.ts'
import { type Bearer, bearerOf, principalOf } from '../plugins/access.ts'
import { chooseCatalog } from './choose-catalog.ts'
import { exampleIds, exampleNewProduct, exampleProduct } from './examples.ts'
import { type OneProduct, presentProducts, revisionOf, tagOf } from './present-products.ts'
import { cellsOfBody, productChange, productCreate, withoutBlanks } from './product-body.ts'
import type { ProductPorts, Settled } from './product-ports.ts'
import { productResource } from './product-resource.ts'

const answer = z.object({ product: productResource })
/** Safe on the log, and not refined within the time that an answer waits. */
const accepted = z.object({
  productId,
  stage: z.literal('bronze'),
  position: z.object({ epoch: z.int(), partition: z.int(), offset: z.int() }),
})
const underWay = {
  202: { productId: exampleIds.productId, stage: 'bronze', position: { epoch: 1, partition: 2, offset: 30 } },
}
const onItsWay =
  'A write is answered when it is refined and graded, as far as that happens unasked; one that takes longer is answered 202 with its place on the log.'

type Late = Extract<Settled, { kind: 'late' }>

export const productWrite: FastifyPluginAsyncZod<ProductPorts> = async (app, ports) => {
  const { catalog, edits, room } = ports
  const { read, presentOne } = presentProducts(ports)
  const params = z.object({ workspaceId })
  const one = params.extend({ productId })
  const tags = ['Products']
  const changed = { code: 'CONFLICT', status: 412 } as const

  const late = (reply: FastifyReply, id: string, { position }: Late) =>
    reply.code(202).send({ productId: id, stage: 'bronze' as const, position })

  /** The product as it is now, and its tag. */
  async function written(bearer: Bearer, id: string, reply: FastifyReply) {
    const row = await read(bearer, id)
    reply.header('etag', tagOf(row))
    return { product: await presentOne(bearer, row) }
  }

  app.post(
    '/catalog/products',
    {
      config: { action: 'products:write' },
      schema: {
        summary: 'Create a product',
        tagged: 'shows',
        description: `Without \`catalog_id\` it goes into the brand's default catalog. A field that is blank or an empty list is as if left out. Beyond the contract it takes what tells variants apart, for whom a product is, dates (as 2026-12-01), measures (as 1.5 kg), page texts and tags; what cannot be read of these is refused. ${onItsWay}`,
        tags,
        errors: ['DATA_003', 'DATA_004', 'CONFLICT', 'CATALOG_NOT_FOUND'],
        examples: { body: exampleNewProduct, answer: { product: exampleProduct }, answers: underWay },
        params,
        body: productCreate,
        response: { 201: answer, 202: accepted },
      },
    },
    async (request, reply) => {
      const bearer = bearerOf(request)
      const { catalog_id, brand_id, ...given } = request.body
      const body = withoutBlanks(given)
      const into = await chooseCatalog(catalog, bearer, { id: catalog_id, brand: brand_id })
      const sku = body.sku == null ? null : readIdentifier(body.sku)
      if (sku !== null) {
        if (await catalog.withTenant(principalOf(bearer), (tx) => skuIsTaken(tx, into.id, sku)))
          throw new ServiceError('DATA_003', {
            message: `A product with the SKU ${sku} exists in this catalog`,
            field: 'sku',
          })
      }
      const seed = request.idempotent?.key
      const scope = { workspace: bearer.workspace, brand: into.brandId, catalog: into.id, by: bearer.subject, seed }
      const made = await inRoom(bearer, async () => {
        const made = await edits.create(scope, cellsOfBody(body))
        if (made === null)
          throw new ServiceError('DATA_003', {
            message: 'Its identifiers stand on several products; give it a SKU of its own',
          })
        if (made.settled.kind !== 'refused') return { product: made.product, settled: made.settled }
        throw refusal(made.settled, false)
      })
      if (made.settled.kind === 'late') return late(reply, made.product, made.settled)
      return reply.code(201).send(await written(bearer, made.product, reply))
    },
  )

  app.patch(
    '/catalog/products/:productId',
    {
      config: { action: 'products:write' },
      schema: {
        summary: 'Change a product',
        tagged: 'both',
        description: `A field that is null, blank or an empty list is cleared; one that is left out stays; lists and \`attributes\` are taken whole, so send \`If-Match\` where others edit them too. With \`If-Match\` it is changed only where the product is as the tag has it, else 412. What a parent's variants have from their family follows it. \`item_group_id\` puts the product into that group's family, or takes it out of its own. ${onItsWay}`,
        tags,
        errors: ['NOT_FOUND', 'DATA_003', 'DATA_004', 'CONFLICT', changed],
        examples: { body: { price: 11.9, currency: 'EUR' }, answer: { product: exampleProduct }, answers: underWay },
        params: one,
        body: productChange,
        response: { 200: answer, 202: accepted },
      },
    },
    async (request, reply) => {
      const bearer = bearerOf(request)
      const row = await read(bearer, request.params.productId)
      const { brand_id: _named, ...changes } = request.body
      const settled = await edit(request, row, cellsOfBody(changes))
      if (settled.kind === 'late') return late(reply, row.id, settled)
      return reply.send(await written(bearer, row.id, reply))
    },
  )

  app.delete(
    '/catalog/products/:productId',
    {
      config: { action: 'products:write' },
      schema: {
        summary: 'Delete a product',
        tagged: 'judges',
        description: `No import brings it back; undelete does. \`If-Match\` holds as for a change. ${onItsWay}`,
        tags,
        errors: ['NOT_FOUND', 'DATA_003', 'DATA_004', 'CONFLICT', changed],
        examples: { answer: { productId: exampleIds.productId, deleted: true }, answers: underWay },
        params: one,
        response: { 200: z.object({ productId, deleted: z.literal(true) }), 202: accepted },
      },
    },
    async (request, reply) => {
      const row = await read(bearerOf(request), request.params.productId)
      // A value of its own, so that it is news to the layer whatever a file of edits said before.
      const settled = await edit(request, row, { deleted: new Date().toISOString() })
      if (settled.kind === 'late') return late(reply, row.id, settled)
      return reply.send({ productId: row.id, deleted: true as const })
    },
  )

  app.post(
    '/catalog/products/:productId/undelete',
    {
      config: { action: 'products:write' },
      schema: {
        summary: 'Take the deletion of a product back',
        tagged: 'shows',
        description: `It is as its sources and edits have it now. One that is there stays as it is; 409 where no source lists it any more. ${onItsWay}`,
        tags,
        errors: ['NOT_FOUND', 'DATA_004', 'CONFLICT', 'PLAN_LIMIT'],
        examples: { body: {}, answer: { product: exampleProduct }, answers: underWay },
        params: one,
        body: z.strictObject({ brand_id: brandId.optional() }).nullish(),
        response: { 200: answer, 202: accepted },
      },
    },
    async (request, reply) => {
      const bearer = bearerOf(request)
      const id = request.params.productId
      const gone = await catalog.readOnce(principalOf(bearer), (tx) => findProduct(tx, id, { gone: true }))
      if (!gone) return reply.send(await written(bearer, id, reply))
      const settled = await inRoom(bearer, async () => {
        const settled = await edits.undelete(scopeOf(bearer, gone), gone)
        if (settled.kind === 'refused') throw refusal(settled, false)
        if (settled.kind === 'late') return settled
        const there = await catalog.readOnce(principalOf(bearer), (tx) => findProduct(tx, id))
        if (there) return settled
        throw new ServiceError('CONFLICT', { message: 'No source lists this product any more' })
      })
      if (settled.kind === 'late') return late(reply, gone.id, settled)
      return reply.send(await written(bearer, gone.id, reply))
    },
  )

  /** Where the plan has room for one more; it is given back where none came. */
  async function inRoom<T>(bearer: Bearer, work: () => Promise<T>): Promise<T> {
    await room.take(bearer.workspace)
    return work().catch((error: unknown) => {
      room.giveBack(bearer.workspace)
      throw error
    })
  }

  async function edit(request: FastifyRequest, row: OneProduct, cells: Cells) {
    const seen = matched(request.headers['if-match'], revisionOf(row))
    const settled = await edits.edit(scopeOf(bearerOf(request), row), row, cells, seen ?? undefined)
    if (settled.kind === 'refused') throw refusal(settled, seen !== null)
    return settled
  }
}

const scopeOf = (bearer: Bearer, row: OneProduct) => ({
  workspace: row.workspaceId,
  brand: row.brandId,
  catalog: row.catalogId,
  by: bearer.subject,
})

function refusal({ code, says, field }: Extract<Settled, { kind: 'refused' }>, conditional: boolean): ServiceError {
  return code === 'CONFLICT' && conditional
    ? changedSince()
    : new ServiceError(code, { message: says, ...(field && { field }) })
}
