/** The webhook that a request names, in the place that it names. */
import type { PoolClient } from 'pg'
import { findWebhook, lockWebhook, type WebhookRow } from '../../infra/catalog/webhooks.ts'
import type { Channel } from './channel.ts'
import { webhookNotFound } from './webhook-resource.ts'

/** @throws ServiceError 404 */
export const webhookAt = (tx: PoolClient, channel: Channel, params: unknown) => readAt(tx, channel, params, findWebhook)

/** As it stands until the transaction ends. @throws ServiceError 404 */
export const holdWebhookAt = (tx: PoolClient, channel: Channel, params: unknown) =>
  readAt(tx, channel, params, lockWebhook)

async function readAt(
  tx: PoolClient,
  channel: Channel,
  params: unknown,
  read: typeof findWebhook,
): Promise<WebhookRow> {
  const scope = channel.scopeOf(params)
  await channel.requirePlace(tx, params)
  const row = await read(tx, (params as { webhookId: string }).webhookId, scope)
  if (!row) throw webhookNotFound()
  return row
}
