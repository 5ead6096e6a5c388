/** Refuses a replay range that names places which the log does not have. */
import type { Pool } from 'pg'
import { ServiceError } from '../../schemas/errors.ts'
import type { ReplayRange } from '../../transforms/replay/range.ts'
import { listEpochs } from '../catalog/log-epochs.ts'

/**
 * A mistyped place would choose nothing, which looks as if nothing would change.
 * @param present the epoch that is meant where none is said
 * @throws ServiceError
 */
export async function requireStretches({ offsets }: ReplayRange, pool: Pool, present: number): Promise<void> {
  if (!offsets) return
  const partitions = new Map((await listEpochs(pool)).map((one) => [one.epoch, one.partitions]))
  for (const { epoch = present, partition } of offsets) {
    const there = partitions.get(epoch)
    const message =
      there === undefined
        ? `The log has no epoch ${epoch}; it has ${[...partitions.keys()].join(', ')}`
        : `Epoch ${epoch} of the log has no partition ${partition}; it has ${there}, from 0 on`
    if (there === undefined || partition >= there)
      throw new ServiceError('BAD_REQUEST', { field: 'range.offsets', message })
  }
}
