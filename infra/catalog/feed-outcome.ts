/** Writes what became of a feed into the outbox, in the transaction of its cause: the contract's payload, as it is sent. */
import type { PoolClient } from 'pg'
import type { FeedEvent, FeedPayload } from '../../schemas/webhook.ts'
import { insertOutbox } from './outbox.ts'

export interface FeedOutcome {
  readonly event: FeedEvent
  readonly workspace: string
  readonly brand: string
  readonly catalog: string
  readonly platform: string
  /** Behind the published version, as readers of the feed go on from it. */
  readonly position: string
  /** What of one feed has several outcomes: the publish, generation or validation that it is of. */
  readonly cause: string
  readonly feedUrl: string
  readonly products: number
  readonly at: Date
}

export async function feedOutcome(tx: PoolClient, o: FeedOutcome): Promise<void> {
  const body: FeedPayload = {
    event: o.event,
    workspace_id: o.workspace,
    platform: o.platform,
    feed_url: o.feedUrl,
    product_count: o.products,
    generated_at: o.at.toISOString(),
  }
  const { event: kind, workspace, brand, catalog, platform, position } = o
  const cause = `feed:${catalog}:${platform}:${o.cause}`
  await insertOutbox(tx, { kind, cause, workspace, brand, catalog, platform, position, body })
}
