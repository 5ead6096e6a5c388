/** What was delivered to a webhook: the list, one with all its attempts, and sending one or a range again. */

import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { PoolClient } from 'pg'
import { z } from 'zod'
import { findDelivery, listDeliveries, deliveryLog as readLog } from '../../infra/catalog/webhook-deliveries.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { brandId, deliveryId, webhookId } from '../../schemas/ids.ts'
import { deliveryStates } from '../../schemas/webhook.ts'
import { listQuery, nextTimeCursor, readTimeCursor } from '../cursor.ts'
import { bearerOf, principalOf } from '../plugins/access.ts'
import { recordChange } from '../workspace/record-change.ts'
import type { Channel } from './channel.ts'
import { holdWebhookAt, webhookAt } from './webhook-at.ts'
import {
  attemptOf,
  deliveryLog,
  deliveryNotFound,
  deliveryOf,
  deliveryResource,
  exampleDelivery,
  exampleLog,
} from './webhook-resource.ts'
import type { WebhookPorts } from './webhooks.ts'

const mostAgain = 10_000
const begun = z.object({ deliveries: z.int() })
const sequence = z.int().min(1).max(Number.MAX_SAFE_INTEGER)

export const deliveriesOf =
  (channel: Channel): FastifyPluginAsyncZod<WebhookPorts> =>
  async (app, { catalog, webhooks }) => {
    const { path, tags, invalid } = channel
    const errors = [...channel.errors, 'NOT_FOUND' as const]
    const config = { ...channel.config, action: 'webhooks:write' } as const
    const params = channel.params.extend({ webhookId })
    const one = params.extend({ deliveryId })
    const idsOf = (given: unknown) => given as { webhookId: string; deliveryId: string }

    /** An inactive webhook gets nothing, this neither. @param find the range, in the caller's own rows */
    async function again(request: FastifyRequest, find: (tx: PoolClient) => Promise<{ from: number; to: number }>) {
      const { webhookId: id } = idsOf(request.params)
      const { brand, range } = await catalog.withTenant(principalOf(bearerOf(request)), async (tx) => {
        const row = await holdWebhookAt(tx, channel, request.params)
        if (row.state !== 'active')
          throw new ServiceError('CONFLICT', { message: 'The webhook is inactive; make it active first' })
        return { brand: row.brandId, range: await find(tx) }
      })
      return webhooks.redeliver(id, range, (tx, deliveries) =>
        recordChange(tx, request, {
          action: 'webhook.redeliver',
          target: id,
          brand,
          before: null,
          after: { ...range, deliveries },
        }),
      )
    }

    app.get(
      `${path}/:webhookId/deliveries`,
      {
        config,
        schema: {
          summary: 'List deliveries, newest first',
          description: 'They are kept 30 days.',
          tags,
          errors,
          examples: { query: { limit: 20 }, answer: { deliveries: [exampleDelivery], next: null } },
          params,
          querystring: listQuery.extend({ state: z.enum(deliveryStates).optional() }),
          response: { 200: z.object({ deliveries: z.array(deliveryResource), next: z.string().nullable() }) },
        },
      },
      async (request) => {
        const { after, limit, state = null } = request.query
        const rows = await catalog.withTenant(principalOf(bearerOf(request)), async (tx) => {
          const { id } = await webhookAt(tx, channel, request.params)
          return listDeliveries(tx, id, { state, after: readTimeCursor(after), limit: limit + 1 })
        })
        return { deliveries: rows.slice(0, limit).map(deliveryOf), next: nextTimeCursor(rows, limit) }
      },
    )

    app.get(
      `${path}/:webhookId/deliveries/:deliveryId`,
      {
        config,
        schema: {
          summary: 'Read a delivery: what was sent, and each attempt',
          tags,
          errors,
          examples: { answer: exampleLog },
          params: one,
          response: { 200: deliveryLog },
        },
      },
      async (request) => {
        const { webhookId: id, deliveryId: sent } = idsOf(request.params)
        const read = await catalog.withTenant(principalOf(bearerOf(request)), async (tx) => {
          await webhookAt(tx, channel, request.params)
          const delivery = await findDelivery(tx, id, sent)
          const found = delivery && (await readLog(tx, sent))
          if (!delivery || !found) throw deliveryNotFound()
          return { ...deliveryOf(delivery), body: found.body, log: found.attempts.map(attemptOf) }
        })
        // Of what a catalog changed no copy is kept.
        return { delivery: { ...read, body: read.body ?? (await webhooks.bodyOf(sent)) } }
      },
    )

    app.post(
      `${path}/:webhookId/deliveries/:deliveryId/redeliver`,
      {
        config,
        schema: {
          summary: 'Send a delivery again',
          description: 'With the same body and `webhook-id`, before what waits. A ping is not sent again.',
          tags,
          errors: [...errors, 'CONFLICT'],
          examples: { answer: { deliveries: 1 } },
          params: one,
          response: { 202: begun },
        },
      },
      async (request, reply) => {
        const deliveries = await again(request, async (tx) => {
          const { webhookId: id, deliveryId: sent } = idsOf(request.params)
          const found = await findDelivery(tx, id, sent)
          if (!found) throw deliveryNotFound()
          if (found.sequence === null)
            throw new ServiceError('CONFLICT', { message: 'A ping is not sent again; send another' })
          return { from: found.sequence, to: found.sequence }
        })
        return reply.code(202).send({ deliveries })
      },
    )

    app.post(
      `${path}/:webhookId/redeliver`,
      {
        config,
        schema: {
          summary: 'Send a range of deliveries again',
          description: `By sequence, both ends with it, at most ${mostAgain} at once, in order; delivered, failed and missed ones alike.`,
          tags,
          errors: [...errors, 'CONFLICT'],
          examples: { body: { from: 12, to: 17 }, answer: { deliveries: 6 } },
          params,
          body: z.strictObject({ from: sequence, to: sequence, brand_id: brandId.optional() }),
          response: { 202: begun },
        },
      },
      async (request, reply) => {
        const { from, to } = request.body
        if (to < from || to - from >= mostAgain)
          throw new ServiceError(invalid, {
            message: `to is at least from, and at most ${mostAgain - 1} behind it`,
            field: 'to',
          })
        return reply.code(202).send({ deliveries: await again(request, async () => ({ from, to })) })
      },
    )
  }
