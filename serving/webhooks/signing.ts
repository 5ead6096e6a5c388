/** What a webhook signs with, and the trial of it: a new secret beside the former one, and a ping. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { findDelivery, deliveryLog as readLog } from '../../infra/catalog/webhook-deliveries.ts'
import { endSecret, insertSecret } from '../../infra/catalog/webhooks.ts'
import { brandId, webhookId } from '../../schemas/ids.ts'
import { mostOverlapMinutes, pingEvent, signingSecret } from '../../schemas/webhook.ts'
import { bearerOf, principalOf } from '../plugins/access.ts'
import { recordChange } from '../workspace/record-change.ts'
import type { Channel } from './channel.ts'
import { makeSecret } from './make-secret.ts'
import { holdWebhookAt, webhookAt } from './webhook-at.ts'
import {
  attemptOf,
  deliveryLog,
  deliveryNotFound,
  deliveryOf,
  exampleLog,
  exampleWebhook,
  webhookOf,
  webhookResource,
} from './webhook-resource.ts'
import type { WebhookPorts } from './webhooks.ts'

const dayMinutes = 1_440

export const signingOf =
  (channel: Channel): FastifyPluginAsyncZod<WebhookPorts> =>
  async (app, { catalog, webhooks }) => {
    const { path, tags } = channel
    const errors = [...channel.errors, 'NOT_FOUND' as const]
    const config = { ...channel.config, action: 'webhooks:write' } as const
    const params = channel.params.extend({ webhookId })
    const idOf = (given: unknown) => (given as { webhookId: string }).webhookId

    app.post(
      `${path}/:webhookId/rotate`,
      {
        config: { ...config, shownOnce: true },
        schema: {
          summary: 'Give a webhook a new secret',
          description: `Until \`formerUntil\` both sign: \`webhook-signature\` has both signatures, \`X-Service-Signature\` is the former secret's and \`X-Service-Signature-Next\` the new one's. Without \`secret\` one is made and shown this once.`,
          tags,
          errors,
          examples: {
            body: { overlap_minutes: 60 },
            answer: { webhook: exampleWebhook, formerUntil: exampleWebhook.updatedAt },
          },
          params,
          body: z
            .strictObject({
              secret: signingSecret.optional(),
              overlap_minutes: z.int().min(0).max(mostOverlapMinutes).default(dayMinutes),
              brand_id: brandId.optional(),
            })
            .nullish(),
          response: {
            201: z.object({ webhook: webhookResource, formerUntil: z.iso.datetime(), secret: z.string().optional() }),
          },
        },
      },
      async (request, reply) => {
        const { secret, overlap_minutes: overlap = dayMinutes } = request.body ?? {}
        const made = secret === undefined ? makeSecret() : null
        const { row, until } = await catalog.withTenant(principalOf(bearerOf(request)), async (tx) => {
          const row = await holdWebhookAt(tx, channel, request.params)
          const until = await endSecret(tx, row.id, overlap)
          await insertSecret(tx, row, webhooks.seal(secret ?? made ?? '', row.id))
          const change = { brand: row.brandId, before: null, after: { overlapMinutes: overlap } }
          await recordChange(tx, request, { action: 'webhook.rotate', target: row.id, ...change })
          return { row, until }
        })
        return reply.code(201).send({
          webhook: webhookOf(row),
          formerUntil: until.toISOString(),
          ...(made === null ? {} : { secret: made }),
        })
      },
    )

    app.post(
      `${path}/:webhookId/ping`,
      {
        config,
        schema: {
          summary: 'Send a ping and see what comes back',
          description: `One event \`${pingEvent}\`, at once and once, also where the webhook is inactive; it counts for nothing.`,
          tags,
          errors,
          examples: { answer: { delivery: { ...exampleLog.delivery, sequence: null, event: pingEvent } } },
          params,
          response: { 200: deliveryLog },
        },
      },
      async (request) => {
        const principal = principalOf(bearerOf(request))
        const id = idOf(request.params)
        const row = await catalog.withTenant(principal, (tx) => webhookAt(tx, channel, request.params))
        const sent = await webhooks.ping(row)
        return catalog.withTenant(principal, async (tx) => {
          const delivery = await findDelivery(tx, id, sent)
          const found = delivery && (await readLog(tx, sent))
          if (!delivery || !found) throw deliveryNotFound()
          return { delivery: { ...deliveryOf(delivery), body: found.body, log: found.attempts.map(attemptOf) } }
        })
      },
    )
  }
