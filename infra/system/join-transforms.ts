/** The role `transforms` as a process takes it: its share of the log's partitions, and of the topics that tenants write to. */
import type { Membership } from '../../transforms/ports.ts'
import type { KnownCategories } from '../../transforms/silver/taxonomy.ts'
import { products as topology } from '../../transforms/topology.ts'
import { arrivalsTold } from './arrivals.ts'
import type { BulkWriter } from './bulk-writer.ts'
import type { Closing } from './closing.ts'
import { digest } from './digest.ts'
import { groupShare } from './group-share.ts'
import { inboundShare, startInbound } from './inbound.ts'
import type { Stores } from './open-stores.ts'
import { leasedPartitions, startTransforms } from './transforming.ts'

interface Parts extends Stores {
  readonly bulk: Pick<BulkWriter, 'keepPace'>
  readonly categories: KnownCategories | undefined
  /** See `tellFaults`. */
  readonly faults: (what: string) => (error: unknown) => void
}

export function joinTransforms(
  { catalog, log, kafka, turns, notices, member, sending, inbound, leftBehind, bulk, categories, faults }: Parts,
  { closers }: Pick<Closing, 'closers'>,
): Membership {
  const onShare = faults('the share of partitions')
  const share = kafka ? groupShare(kafka, topology, onShare) : leasedPartitions(turns, log, member, onShare)
  const fence = kafka ? { silentMs: kafka.sessionMs } : { member, told: arrivalsTold(notices, topology.topic) }
  const own = { pool: catalog.pipeline, log, share, digest, taxonomy: categories, ...fence }
  const joined = startTransforms(own, faults('a batch was given back'))
  closers.push(leftBehind.leaves(() => joined.leave()))
  const onTopic = faults('an inbound topic')
  const lanes = inboundShare(turns, member, onTopic)
  const resolver = startInbound({ catalog, log: sending.log, inbound, bulk, share: lanes, onError: onTopic })
  closers.push(leftBehind.leaves(() => resolver.leave()))
  return joined
}
