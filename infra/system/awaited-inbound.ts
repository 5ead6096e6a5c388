/** Counts the messages of tenants that stood on brokers when the log began to leave them, and that the resolver has not passed. */
import type { Pool } from 'pg'
import { inboundPosition } from '../catalog/inbound-queries.ts'
import type { InboundLog } from '../log/inbound-log.ts'

/** @returns asks how many are left; what came later waits on the brokers until the log is there again */
export async function awaitedInbound(
  pool: Pool,
  inbound: Pick<InboundLog, 'topics' | 'ends' | 'read'>,
): Promise<() => Promise<number>> {
  const places: { topic: string; epoch: number; partition: number; end: number }[] = []
  for (const { topic, epoch } of await inbound.topics())
    for (const [partition, end] of (await inbound.ends(topic)).entries()) places.push({ topic, epoch, partition, end })
  return async () => {
    let left = 0
    for (const { end, ...place } of places) {
      const from = await inboundPosition(pool, place)
      if (from >= end) continue
      // Behind the last message there may be marks of transactions, and before the first what retention took.
      const [next] = await inbound.read(place.topic, place.partition, from, 1)
      if (next) left += Math.max(0, end - next.offset)
    }
    return left
  }
}
