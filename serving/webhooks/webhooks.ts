/** Webhooks of a channel: list, read, change, delete. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { PoolClient } from 'pg'
import { z } from 'zod'
import type { Catalog } from '../../infra/catalog/postgres.ts'
import { deleteWebhook, listWebhooks, updateWebhook, type WebhookRow } from '../../infra/catalog/webhooks.ts'
import { brandId, webhookId } from '../../schemas/ids.ts'
import { listQuery, nextCursor, readCursor } from '../cursor.ts'
import { bearerOf, principalOf } from '../plugins/access.ts'
import { recordChange } from '../workspace/record-change.ts'
import type { Channel } from './channel.ts'
import { checkedAddress } from './checked-address.ts'
import { exampleOf } from './example-of.ts'
import { holdWebhookAt, webhookAt } from './webhook-at.ts'
import { saidOfWebhook, webhookOf, webhookResource } from './webhook-resource.ts'

export interface WebhookPorts {
  readonly catalog: Pick<Catalog, 'withTenant'>
  readonly webhooks: {
    /** @throws EgressError for an address that nothing is sent to */
    check(address: string): URL
    seal(secret: string, webhook: string): { keyId: string; sealed: Buffer }
    /** Sends one at once, whatever the state of the webhook. @returns the delivery's id */
    ping(row: WebhookRow): Promise<string>
    /** Of a delivery that has none of its own: what it was made of is read again. @returns null where that is no longer kept */
    bodyOf(delivery: string): Promise<string | null>
    /** @param and part of the transaction @returns how many begin anew */
    redeliver(
      webhook: string,
      range: { from: number; to: number },
      and: (tx: PoolClient, deliveries: number) => Promise<void>,
    ): Promise<number>
  }
}

/** Of a webhook; there are events only where the channel has several. */
interface Changes {
  readonly url?: string
  readonly events?: readonly string[]
  readonly active?: boolean
}

export const webhooksOf =
  (channel: Channel): FastifyPluginAsyncZod<WebhookPorts> =>
  async (app, { catalog, webhooks }) => {
    const { path, params, tags, errors, invalid, scopeOf } = channel
    const config = { ...channel.config, action: 'webhooks:write' } as const
    const one = params.extend({ webhookId })
    const idOf = (given: unknown) => (given as { webhookId: string }).webhookId
    const url = z.string().max(2_048)
    const events =
      channel.events &&
      z
        .array(z.enum(channel.events as [string, ...string[]]))
        .min(1)
        .max(20)
    const example = exampleOf(channel)

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
        const page = { brand: bearer.brand, ...scopeOf(request.params), after: readCursor(after) }
        const rows = await catalog.withTenant(principalOf(bearer), async (tx) => {
          await channel.requirePlace(tx, request.params)
          return listWebhooks(tx, { ...page, limit: limit + 1 })
        })
        return { webhooks: rows.slice(0, limit).map(webhookOf), next: nextCursor(rows, limit) }
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
        const row = await catalog.withTenant(principalOf(bearerOf(request)), (tx) =>
          webhookAt(tx, channel, request.params),
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
            'What is left out stays. `active: false` pauses it: what waits is missed. `active: true` sends what happens from then on; what was missed can be sent again, and what a catalog changed meanwhile is told from where the webhook had come.',
          tags,
          errors: [...errors, 'NOT_FOUND'],
          examples: { body: { active: true }, answer: { webhook: example } },
          params: one,
          body: z.strictObject({
            url: url.optional(),
            ...(events && { events: events.optional() }),
            active: z.boolean().optional(),
            brand_id: brandId.optional(),
          }),
          response: { 200: z.object({ webhook: webhookResource }) },
        },
      },
      async (request) => {
        const { url: address, active, events: wanted } = request.body as Changes
        const to = {
          url: address === undefined ? undefined : checkedAddress(webhooks, address, invalid),
          events: wanted && [...new Set(wanted)],
          active,
        }
        const row = await catalog.withTenant(principalOf(bearerOf(request)), async (tx) => {
          const from = await holdWebhookAt(tx, channel, request.params)
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
        const id = idOf(request.params)
        await catalog.withTenant(principalOf(bearerOf(request)), async (tx) => {
          const row = await holdWebhookAt(tx, channel, request.params)
          await deleteWebhook(tx, id)
          const change = { brand: row.brandId, before: saidOfWebhook(row), after: null }
          await recordChange(tx, request, { action: 'webhook.delete', target: id, ...change })
        })
        return { webhookId: id, deleted: true as const }
      },
    )
  }
