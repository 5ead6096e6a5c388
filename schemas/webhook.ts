/** Webhooks as data: which events there are, how often a delivery is tried, and what is kept of it. */
import { z } from 'zod'

export const feedEvents = ['feed.generated', 'feed.failed', 'feed.validated', 'feed.updated'] as const
export type FeedEvent = (typeof feedEvents)[number]

export const workspaceEvents = [
  'url_import.completed',
  'url_import.failed',
  'catalog.version.published',
  'import.held',
  'job.completed',
  'job.failed',
] as const

/** Sent when a person asks for it; nobody subscribes to it. */
export const pingEvent = 'webhook.ping'

/** After the first try and each that follows it; when the last of these fails too, the webhook is inactive. */
export const retryAfterMs = [60_000, 5 * 60_000, 30 * 60_000, 2 * 3_600_000, 8 * 3_600_000] as const

/** A receiver acknowledges with any 2xx within. */
export const acknowledgedWithinMs = 10_000

/** Of an answer so much is kept. */
export const keptAnswerBytes = 1_024

export const mostWebhooks = 1_000
/** Two weeks would be a second secret, not an overlap. */
export const mostOverlapMinutes = 10_080

export const webhookStates = ['active', 'inactive'] as const
/** `behind`: what it has not been sent is no longer kept. */
export const inactiveReasons = ['failed', 'gone', 'paused', 'behind'] as const
export type InactiveReason = (typeof inactiveReasons)[number]
export const deliveryStates = ['waiting', 'delivered', 'failed', 'missed'] as const
export type DeliveryState = (typeof deliveryStates)[number]

/** Printable ASCII, so that everybody reads the same bytes in it. */
export const signingSecret = z.string().regex(/^[\x20-\x7e]{1,256}$/, 'a secret is 1 to 256 printable ASCII characters')

/** As the contract has it, in its order. */
export interface FeedPayload {
  readonly event: FeedEvent
  readonly workspace_id: string
  readonly platform: string
  readonly feed_url: string
  readonly product_count: number
  /** ISO 8601, UTC. */
  readonly generated_at: string
}
