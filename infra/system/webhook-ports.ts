/** What the routes of webhooks need of a system: addresses checked, secrets sealed, pings sent, deliveries begun anew. */
import { randomUUID } from 'node:crypto'
import { endOfVersion, readChange } from '../../schemas/position.ts'
import { pingEvent } from '../../schemas/webhook.ts'
import type { WebhookPorts } from '../../serving/webhooks/webhooks.ts'
import { insertAttempts } from '../catalog/delivery-notes.ts'
import { findRange } from '../catalog/webhook-deltas.ts'
import { secretsOf } from '../catalog/webhook-secrets.ts'
import { insertPing, sendAgain } from '../catalog/webhook-turns.ts'
import type { System } from '../system.ts'
import { attemptDelivery } from './attempt-delivery.ts'
import { deltaBody, headOf, NotKept } from './delta-parts.ts'
import { feedAddress } from './feed-address.ts'
import { openedSecrets } from './opened-secrets.ts'

export function webhookPorts(
  { catalog, egress, sealing, config }: Pick<System, 'catalog' | 'egress' | 'sealing' | 'config'>,
  now: () => Date,
): Pick<WebhookPorts, 'webhooks'> {
  const pool = catalog.pipeline
  return {
    webhooks: {
      check: (address) => egress.check(address),
      seal: (secret, webhook) => sealing.seal(secret, webhook),
      async bodyOf(delivery) {
        const found = await catalog.inTransaction(pool, (tx) => findRange(tx, delivery))
        if (!found) return null
        return deltaBody({ catalog }, found, found, found.range, found.position).catch((error: unknown) => {
          if (error instanceof NotKept) return null
          throw error
        })
      },
      async ping(row) {
        const [id, at] = [randomUUID(), now()]
        const body = JSON.stringify(pingOf(row, at, feedAddress(config, row.platform ?? '')))
        const letter = { id, url: row.url, kind: pingEvent, sequence: null, position: null, attempt: 1, body }
        const sealed = await secretsOf(pool, [row.id], at)
        const outcome = await attemptDelivery(egress, letter, () => openedSecrets(sealing, sealed), { at })
        const of = { webhook: row.id, workspace: row.workspaceId, brand: row.brandId }
        const event = { id: randomUUID(), kind: pingEvent, position: null, body, at, ...of }
        const state = outcome.error === null ? 'delivered' : 'failed'
        await catalog.inTransaction(pool, async (tx) => {
          await insertPing(tx, of, { id, event, state })
          await insertAttempts(tx, [{ ...outcome, delivery: id, attempt: 1, ...of }])
        })
        return id
      },
      redeliver: (webhook, range, and) =>
        catalog.inTransaction(pool, async (tx) => {
          const deliveries = await sendAgain(tx, webhook, range, now())
          await and(tx, deliveries)
          return deliveries
        }),
    },
  }
}

type Row = Parameters<WebhookPorts['webhooks']['ping']>[0]

/** In the form of the events that it stands for, so that whoever reads those reads it. */
function pingOf(row: Row, at: Date, feedUrl: string) {
  const { id, workspaceId, brandId, platform, catalogId, target, position } = row
  const time = at.toISOString()
  if (catalogId !== null && target !== null) {
    const [of, version] = [{ workspace: workspaceId, brand: brandId }, readChange(position ?? '')?.version ?? 0]
    const parts = { full: false, part: 1, parts: 1, after: null, upto: null, taken: [], push: null }
    const range = { ...parts, version, base: version, publishedAt: time, previous: position }
    const head = headOf(of, { catalog: catalogId, target }, range, position ?? endOfVersion(0))
    return { ...head, event: pingEvent, added: [], modified: [], removed: [] }
  }
  if (platform === null)
    return { type: pingEvent, timestamp: time, workspace_id: workspaceId, brand_id: brandId, data: { webhook_id: id } }
  const payload = { event: pingEvent, workspace_id: workspaceId, platform, feed_url: feedUrl }
  return { ...payload, product_count: 0, generated_at: time }
}
