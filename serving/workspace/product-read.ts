/** Reads one product: as it is, its variants, and every score that it has had. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { listVariants } from '../../infra/catalog/family-queries.ts'
import { listScores, type ScoredRun } from '../../infra/catalog/score-history.ts'
import { productId, workspaceId } from '../../schemas/ids.ts'
import { dimensions, score } from '../../schemas/score.ts'
import { listQuery, nextCursor, nextTextCursor, readCursor, readTextCursor } from '../cursor.ts'
import { bearerOf, principalOf } from '../plugins/access.ts'
import { exampleProduct, exampleScore } from './examples.ts'
import { presentProducts, tagOf } from './present-products.ts'
import type { ProductPorts } from './product-ports.ts'
import { productResource } from './product-resource.ts'

const points = z.number().min(0).max(100)
const scoredRun = z.object({
  run: z.int(),
  at: z.iso.datetime(),
  /** The product was graded, or other weights came into force. */
  cause: z.enum(['graded', 'weights']),
  score: z.int().min(0).max(100),
  /** 0 to 100, to two decimals. */
  dimensions: z.object({
    identity: points,
    content: points,
    media: points,
    pricing: points,
    availability: points,
    seo: points,
    compliance: points,
  }),
  rubricVersion: z.int(),
  weightsNumber: z.int(),
})

type Dimensions = z.infer<typeof scoredRun>['dimensions']

const toRun = ({ run, at, cause, sub, rubric, weightsNumber, weights }: ScoredRun): z.infer<typeof scoredRun> => ({
  run,
  at: at.toISOString(),
  cause,
  score: score(sub, weights),
  dimensions: Object.fromEntries(dimensions.map((name, i) => [name, (sub[i] ?? 0) / 100])) as Dimensions,
  rubricVersion: rubric,
  weightsNumber,
})

const runNumber = /^[1-9]\d{0,9}$/

export const productRead: FastifyPluginAsyncZod<ProductPorts> = async (app, ports) => {
  const { catalog } = ports
  const { read, present, presentOne } = presentProducts(ports)
  const params = z.object({ workspaceId, productId })
  const tags = ['Products']

  app.get(
    '/catalog/products/:productId',
    {
      config: { action: 'products:read' },
      schema: {
        summary: 'Read a product',
        tagged: 'shows',
        tags,
        errors: ['NOT_FOUND'],
        examples: { answer: { product: exampleProduct } },
        params,
        response: { 200: z.object({ product: productResource }) },
      },
    },
    async (request, reply) => {
      const bearer = bearerOf(request)
      const row = await read(bearer, request.params.productId)
      reply.header('etag', tagOf(row))
      return { product: await presentOne(bearer, row) }
    },
  )

  app.get(
    '/catalog/products/:productId/variants',
    {
      config: { action: 'products:read' },
      schema: {
        summary: 'List the variants of a parent',
        description: 'A product that is no parent has none.',
        tags,
        errors: ['NOT_FOUND'],
        examples: { query: { limit: 20 }, answer: { variants: [exampleProduct], next: null } },
        params,
        querystring: listQuery,
        response: { 200: z.object({ variants: z.array(productResource), next: z.string().nullable() }) },
      },
    },
    async (request) => {
      const bearer = bearerOf(request)
      const { after, limit } = request.query
      const place = readCursor(after)
      const { id, catalogId } = await read(bearer, request.params.productId)
      const rows = await catalog.withTenant(principalOf(bearer), (tx) =>
        listVariants(tx, { catalog: catalogId, id }, place, limit + 1),
      )
      return { variants: await present(bearer, rows.slice(0, limit)), next: nextCursor(rows, limit) }
    },
  )

  app.get(
    '/catalog/products/:productId/score-history',
    {
      config: { action: 'products:read' },
      schema: {
        summary: 'List the scores that a product has had',
        description:
          'Newest first; runs are counted from its first score. A run is a grading, or other weights that came into force; each is shown under the weights of its time.',
        tags,
        errors: ['NOT_FOUND'],
        examples: { query: { limit: 20 }, answer: { scores: [exampleScore], next: null } },
        params,
        querystring: listQuery,
        response: { 200: z.object({ scores: z.array(scoredRun), next: z.string().nullable() }) },
      },
    },
    async (request) => {
      const bearer = bearerOf(request)
      const { after, limit } = request.query
      const before = readTextCursor(after, runNumber)
      const { id, catalogId } = await read(bearer, request.params.productId)
      const rows = await catalog.withTenant(principalOf(bearer), (tx) =>
        listScores(tx, { catalog: catalogId, id }, before === null ? null : Number(before), limit + 1),
      )
      const next = nextTextCursor(
        rows.map(({ run }) => String(run)),
        limit,
      )
      return { scores: rows.slice(0, limit).map(toRun), next }
    },
  )
}
