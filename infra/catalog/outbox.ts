/** Events to be told outside: written in the transaction of their cause, delivered by who reads the table. */
import type { PoolClient } from 'pg'

export interface OutboxEvent {
  readonly kind: string
  /** The same for the same cause: an event is written once. */
  readonly cause: string
  readonly workspace: string
  readonly brand: string
  readonly body: unknown
}

/** In place of a subscription: of every one of the brand that wants such events. */
const everySubscription = '*'

export async function insertOutbox(
  tx: PoolClient,
  { kind, cause, workspace, brand, body }: OutboxEvent,
): Promise<void> {
  await tx.query(
    `insert into outbox (subscription, kind, cause, workspace_id, brand_id, body) values ($1, $2, $3, $4, $5, $6)
     on conflict do nothing`,
    [everySubscription, kind, cause, workspace, brand, JSON.stringify(body)],
  )
}
