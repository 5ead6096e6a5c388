/** Topics that tenants write to, as the resolver reads them: on brokers, or in the embedded log where nobody but this process writes. */
import type { Pool } from 'pg'
import { inboundTopics } from '../catalog/inbound-queries.ts'
import type { Log } from './port.ts'

export interface InboundLog {
  /** Those whose name says of which workspace they are (`schemas/inbound.ts`). */
  topics(): Promise<readonly { readonly topic: string; readonly partitions: number }[]>
  /** Offsets are the topic's own, whatever epoch the log is in. */
  readonly read: Log['read']
}

export const embeddedInbound = (pool: Pool, log: Log): InboundLog => ({
  topics: async () => (await inboundTopics(pool)).map((topic) => ({ topic, partitions: log.partitions })),
  read: log.read,
})
