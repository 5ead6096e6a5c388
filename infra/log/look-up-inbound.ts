/** Finds the message at a dead letter's place, whichever engine had its topic then, or says why it is not to be had. */
import type { Pool } from 'pg'
import type { DeadPlace } from '../../schemas/dead-letter.ts'
import { inboundPlaceOf } from '../catalog/inbound-queries.ts'
import { LogRefused } from './kafka-errors.ts'
import type { TenantTopics } from './kafka-tenants.ts'
import type { Log, StoredRecord } from './port.ts'

export type Found = { readonly records: readonly StoredRecord[] } | { readonly missing: string }

export const notKept = 'the log no longer has it'

/** Where topics of tenants may lie; a topic's row in the catalog says where it does. */
export interface Places {
  readonly embedded: Log['read']
  /** null where no brokers are named. */
  readonly tenants: Pick<TenantTopics, 'find' | 'read'> | null
}

export async function lookUpInbound(
  pool: Pool,
  { topic, epoch, partition, offset }: DeadPlace,
  { embedded, tenants }: Places,
): Promise<Found> {
  const place = await inboundPlaceOf(pool, topic, epoch)
  if (place === null) return { missing: 'nothing is known of where its topic was' }
  if (place === 'postgres') return found(await embedded(topic, partition, offset, 1), partition, offset)
  if (!tenants) return { missing: 'it is on brokers that are not named here; set KAFKA_BROKERS' }
  try {
    if ((await tenants.find(topic))?.id !== place)
      return { missing: 'its topic was deleted on the brokers, or made anew, or these are other brokers' }
    return found(await tenants.read(topic, partition, offset, 1), partition, offset)
  } catch (error) {
    // Brokers that do not answer are asked again with the whole job.
    if (error instanceof LogRefused) return { missing: `it cannot be read: ${error.message}` }
    throw error
  }
}

/** A read goes on behind what retention took. */
const found = (records: readonly StoredRecord[], partition: number, offset: number): Found =>
  records.some((one) => one.partition === partition && one.offset === offset) ? { records } : { missing: notKept }
