/** Makes webhooks that are told events: of a feed, or of a workspace. */
import { randomUUID } from 'node:crypto'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { brandNamed, lockBrand } from '../../infra/catalog/brands.ts'
import { countWebhooks, insertSecret, insertWebhook } from '../../infra/catalog/webhooks.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { brandId, webhookId } from '../../schemas/ids.ts'
import { mostWebhooks, signingSecret } from '../../schemas/webhook.ts'
import { bearerOf, principalOf } from '../plugins/access.ts'
import { recordChange } from '../workspace/record-change.ts'
import type { Channel } from './channel.ts'
import { checkedAddress } from './checked-address.ts'
import { exampleOf } from './example-of.ts'
import { makeSecret } from './make-secret.ts'
import { saidOfWebhook, webhookOf, webhookResource } from './webhook-resource.ts'
import type { WebhookPorts } from './webhooks.ts'

export const webhookCreation =
  (channel: Channel): FastifyPluginAsyncZod<WebhookPorts> =>
  async (app, { catalog, webhooks }) => {
    const { path, params, tags, errors, invalid, scopeOf, requirePlace } = channel
    const config = { ...channel.config, action: 'webhooks:write' } as const
    const url = z.string().max(2_048)
    const events = z
      .array(z.enum((channel.events ?? []) as [string, ...string[]]))
      .min(1)
      .max(20)
    const example = exampleOf(channel)
    const body = { url: example.url, events: example.events, secret: 'a secret of your own' }

    app.post(
      path,
      {
        config: { ...config, shownOnce: true },
        schema: {
          summary: 'Make a webhook',
          description:
            'Events of the brand from now on are sent to the address, each signed with the secret: `X-Service-Signature` and the headers of Standard Webhooks. Without `secret` one is made and shown this once.',
          tags,
          errors: [...errors, 'CONFLICT'],
          examples: { body, answer: { id: example.id, webhook: example } },
          params,
          body: z.strictObject({ url, events, secret: signingSecret.optional(), brand_id: brandId.optional() }),
          response: { 201: z.object({ id: webhookId, webhook: webhookResource, secret: z.string().optional() }) },
        },
      },
      async (request, reply) => {
        const bearer = bearerOf(request)
        const { platform } = scopeOf(request.params)
        const { secret, brand_id } = request.body
        const address = checkedAddress(webhooks, request.body.url, invalid)
        const made = secret === undefined ? makeSecret() : null
        const row = await catalog.withTenant(principalOf(bearer), async (tx) => {
          await requirePlace(tx, request.params)
          const brand = brand_id ?? bearer.brand ?? (await brandNamed(tx, bearer.workspace, 'main'))
          if (brand === null || !(await lockBrand(tx, brand)))
            throw new ServiceError(invalid, { message: 'Say which brand with brand_id', field: 'brand_id' })
          if ((await countWebhooks(tx, brand)) >= mostWebhooks)
            throw new ServiceError('CONFLICT', { message: `A brand has at most ${mostWebhooks} webhooks` })
          const facts = { id: randomUUID(), platform, url: address, events: [...new Set(request.body.events)] }
          const row = await insertWebhook(tx, { ...facts, workspace: bearer.workspace, brand, by: bearer.subject })
          await insertSecret(tx, row, webhooks.seal(secret ?? made ?? '', row.id))
          const change = { target: row.id, brand, before: null, after: saidOfWebhook(row) }
          await recordChange(tx, request, { action: 'webhook.create', ...change })
          return row
        })
        return reply.code(201).send({ id: row.id, webhook: webhookOf(row), ...(made === null ? {} : { secret: made }) })
      },
    )
  }
