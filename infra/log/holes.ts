/** What the log has lost, over all its epochs, and whether a product may have had records there. */
import type { Hole } from '../../schemas/log-incomplete.ts'
import { topics } from '../../schemas/topics.ts'
import type { History } from '../../transforms/bronze/history.ts'
import { epochOf } from './epoch-of.ts'
import type { Log } from './port.ts'

/** Of the topic of products, the oldest first. @param below offset of each partition of the present epoch up to which is asked */
export async function holesOf(log: Log, below?: readonly number[]): Promise<Hole[]> {
  const holes: Hole[] = []
  for (const { epoch, holes: lost } of [...(log.former ?? []), log])
    for (const range of (await lost?.(topics.bronze)) ?? []) holes.push({ epoch, ...range })
  return holes.filter(({ epoch, partition, from }) => epoch < log.epoch || from < (below?.[partition] ?? Infinity))
}

/** Those in which records of the product may have stood, by its partition alone. */
export const holesAround = (log: Log, holes: readonly Hole[], product: string): Hole[] =>
  holes.filter(({ epoch, partition }) => epochOf(log, epoch).partitionOf(product) === partition)

/** Whether nothing of a product can have stood in the hole: the first record of its history made it behind that. */
export function beginsBehind({ base, entries: [first] }: Omit<History, 'hole'>, { epoch, to }: Hole): boolean {
  if (base !== null || first?.record.fresh !== true) return false
  const { position } = first
  return position.epoch === epoch ? position.offset >= to : position.epoch > epoch
}
