/** Webhooks of a channel: list, make, read, change, delete. */
import { randomUUID } from 'node:crypto'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { PoolClient } from 'pg'
import { z } from 'zod'
import { brandNamed, lockBrand } from '../../infra/catalog/brands.ts'
import type { Catalog } from '../../infra/catalog/postgres.ts'
import {
  countWebhooks,
  deleteWebhook,
  insertSecret,
  insertWebhook,
  listWebhooks,
  lockWebhook,
  updateWebhook,
  type WebhookRow,
} from '../../infra/catalog/webhooks.ts'
import { EgressError } from '../../schemas/egress-error.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { brandId, webhookId } from '../../schemas/ids.ts'
import { mostWebhooks, signingSecret } from '../../schemas/webhook.ts'
import { listQuery, nextCursor, readCursor } from '../cursor.ts'
import { bearerOf, principalOf } from '../plugins/access.ts'
import { recordChange } from '../workspace/record-change.ts'
import type { Channel } from './channel.ts'
import { makeSecret } from './make-secret.ts'
import {
  exampleWebhook,
  requireWebhook,
  saidOfWebhook,
  webhookNotFound,
  webhookOf,
  webhookResource,
} from './webhook-resource.ts'

export interface WebhookPorts {
  readonly catalog: Pick<Catalog, 'withTenant'>
  readonly webhooks: {
    /** @throws EgressError for an address that nothing is sent to */
    check(address: string): URL
    seal(secret: string, webhook: string): { keyId: string; sealed: Buffer }
    /** Sends one at once, whatever the state of the webhook. @returns the delivery's id */
    ping(row: WebhookRow): Promise<string>
    /** @param and part of the transaction @returns how many begin anew */
    redeliver(
      webhook: string,
      range: { from: number; to: number },
      and: (tx: PoolClient, deliveries: number) => Promise<void>,
    ): Promise<number>
  }
}

export const webhooksOf =
  (channel: Channel): FastifyPluginAsyncZod<WebhookPorts> =>
  async (app, { catalog, webhooks }) => {
    const { path, params, tags, errors, invalid, platformOf } = channel
    const config = { ...channel.config, action: 'webhooks:write' } as const
    const one = params.extend({ webhookId })
    const idOf = (given: unknown) => (given as { webhookId: string }).webhookId
    const url = z.string().max(2_048)
    const events = z
      .array(z.enum(channel.events as [string, ...string[]]))
      .min(1)
      .max(20)
    const example = {
      ...exampleWebhook,
      platform: channel.config.channel ? 'google' : null,
      events: [channel.events[0] ?? ''],
    }
    const body = { url: example.url, events: example.events, secret: 'a secret of your own' }

    function checked(address: string): string {
      try {
        return webhooks.check(address).href
      } catch (error) {
        if (!(error instanceof EgressError)) throw error
        throw new ServiceError(invalid, { message: `url: ${error.message}`, field: 'url', cause: error })
      }
    }

    app.get(
      path,
      {
        config,
        schema: {
          summary: 'List webhooks',
          description: 'Of the brand that is named, or of all that the caller has.',
          tags,
          errors,
          examples: { query: { limit: 20 }, answer: { webhooks: [example], next: null } },
          params,
          querystring: listQuery.extend({ brand_id: z.string().max(50).optional() }),
          response: { 200: z.object({ webhooks: z.array(webhookResource), next: z.string().nullable() }) },
        },
      },
      async (request) => {
        const { after, limit } = request.query
        const bearer = bearerOf(request)
        const page = { brand: bearer.brand, platform: platformOf(request.params), after: readCursor(after) }
        const rows = await catalog.withTenant(principalOf(bearer), (tx) =>
          listWebhooks(tx, { ...page, limit: limit + 1 }),
        )
        return { webhooks: rows.slice(0, limit).map(webhookOf), next: nextCursor(rows, limit) }
      },
    )

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
        const platform = platformOf(request.params)
        const { secret, brand_id } = request.body
        const address = checked(request.body.url)
        const made = secret === undefined ? makeSecret() : null
        const row = await catalog.withTenant(principalOf(bearer), async (tx) => {
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

    app.get(
      `${path}/:webhookId`,
      {
        config,
        schema: {
          summary: 'Read a webhook',
          tags,
          errors: [...errors, 'NOT_FOUND'],
          examples: { answer: { webhook: example } },
          params: one,
          response: { 200: z.object({ webhook: webhookResource }) },
        },
      },
      async (request) => {
        const platform = platformOf(request.params)
        const row = await catalog.withTenant(principalOf(bearerOf(request)), (tx) =>
          requireWebhook(tx, idOf(request.params), platform),
        )
        return { webhook: webhookOf(row) }
      },
    )

    app.patch(
      `${path}/:webhookId`,
      {
        config,
        schema: {
          summary: 'Change a webhook, pause it, or make it active again',
          description:
            'What is left out stays. `active: false` pauses it: what waits is missed. `active: true` sends what happens from then on; what was missed can be sent again.',
          tags,
          errors: [...errors, 'NOT_FOUND'],
          examples: { body: { active: true }, answer: { webhook: example } },
          params: one,
          body: z.strictObject({
            url: url.optional(),
            events: events.optional(),
            active: z.boolean().optional(),
            brand_id: brandId.optional(),
          }),
          response: { 200: z.object({ webhook: webhookResource }) },
        },
      },
      async (request) => {
        const platform = platformOf(request.params)
        const { active } = request.body
        const to = {
          url: request.body.url === undefined ? undefined : checked(request.body.url),
          events: request.body.events && [...new Set(request.body.events)],
          active,
        }
        const row = await catalog.withTenant(principalOf(bearerOf(request)), async (tx) => {
          const from = await lockWebhook(tx, idOf(request.params), platform)
          if (!from) throw webhookNotFound()
          const row = await updateWebhook(tx, from.id, to)
          const change = { brand: from.brandId, before: saidOfWebhook(from), after: saidOfWebhook(row) }
          await recordChange(tx, request, { action: 'webhook.update', target: from.id, ...change })
          return row
        })
        return { webhook: webhookOf(row) }
      },
    )

    app.delete(
      `${path}/:webhookId`,
      {
        config,
        schema: {
          summary: 'Delete a webhook with its deliveries',
          tags,
          errors: [...errors, 'NOT_FOUND'],
          examples: { answer: { webhookId: example.id, deleted: true } },
          params: one,
          response: { 200: z.object({ webhookId, deleted: z.literal(true) }) },
        },
      },
      async (request) => {
        const platform = platformOf(request.params)
        const id = idOf(request.params)
        await catalog.withTenant(principalOf(bearerOf(request)), async (tx) => {
          const row = await lockWebhook(tx, id, platform)
          if (!row) throw webhookNotFound()
          await deleteWebhook(tx, id)
          const change = { brand: row.brandId, before: saidOfWebhook(row), after: null }
          await recordChange(tx, request, { action: 'webhook.delete', target: id, ...change })
        })
        return { webhookId: id, deleted: true as const }
      },
    )
  }
