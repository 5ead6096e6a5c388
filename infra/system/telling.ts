/** Tells events of the outbox to webhooks: each becomes the bytes that are sent, and a delivery for whoever wants it, in order. */
import { randomUUID } from 'node:crypto'
import { setTold, takeUntold, type UntoldEvent } from '../catalog/outbox.ts'
import type { Catalog } from '../catalog/postgres.ts'
import { dealEvents, insertEvents, type MadeEvent } from '../catalog/webhook-turns.ts'

const perRound = 100

/** @returns whether there may be more to tell */
export function tellEvents({ pipeline, inTransaction }: Catalog, now: () => Date): Promise<boolean> {
  return inTransaction(pipeline, async (tx) => {
    const untold = await takeUntold(tx, perRound)
    if (untold.length === 0) return false
    const made = untold.filter(({ wanted }) => wanted).map(eventOf)
    if (made.length > 0) {
      await insertEvents(tx, made)
      await dealEvents(tx, made, now())
    }
    await setTold(
      tx,
      untold.map(({ id }) => id),
    )
    return untold.length === perRound
  })
}

function eventOf({ id, kind, workspace, brand, platform, position, body, at }: UntoldEvent): MadeEvent {
  const told =
    platform === null
      ? { type: kind, timestamp: at.toISOString(), workspace_id: workspace, brand_id: brand, data: body }
      : inOrder(body)
  return { id: randomUUID(), outboxId: id, workspace, brand, kind, position, body: JSON.stringify(told), at }
}

/** A feed's payload as the contract lists it: jsonb keeps no order. */
function inOrder({ event, workspace_id, platform, feed_url, product_count, generated_at }: Record<string, unknown>) {
  return { event, workspace_id, platform, feed_url, product_count, generated_at }
}
